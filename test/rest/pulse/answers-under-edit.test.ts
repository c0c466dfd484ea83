import { setTimeout as sleep } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { buildProject, type World } from '../../support/factories/factories.js';
import { buildSurvey, editSurvey, moveSurvey } from '../../support/factories/survey-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import type { TestApp } from '../../support/test-app.js';
import { until } from '../../support/until.js';

const x = worldSuite('answers to a survey while it is edited');

/** Sends an answer during an edit that has taken the survey's row and waits for another one. */
async function answerDuring(test: TestApp, world: World, survey: string, edit: () => Promise<unknown>) {
  const { pool } = test.app;
  const answer = ({ live } = world, survey_id = survey) =>
    live.post('/api/pulse/responses', { survey_id, answers: { nps: 3, why: 'because' } });
  const waiting = async (): Promise<number> => {
    const { rows } = await pool.query(
      `select count(distinct pid)::int as n from pg_locks where not granted and locktype <> 'advisory'
        and database = (select oid from pg_database where datname = current_database()) or not granted and locktype = 'transactionid'`,
    );
    return rows[0].n;
  };
  const other = await buildProject(world);
  assert.is((await answer()).status, 201);
  const holder = await pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select from survey_catalogue where project_id = $1 for update', [world.projectId]);
    const edited = edit();
    await until('the edit', async () => (await waiting()) === 1);
    const answered = answer();
    const late = sleep(5_000, null, { ref: false });
    const beside = await Promise.race([answered, answer(other, (await buildSurvey(other)).id), late]);
    assert.is(beside?.status, 201, "an answer to another project's survey waits for no edit");
    await holder.query('rollback');
    await edited;
    return await answered;
  } finally {
    holder.release();
  }
}

const responsesOf = async (test: TestApp, survey: string): Promise<number> =>
  (await test.app.pool.query('select from survey_response where survey_id = $1', [survey])).rowCount ?? 0;

const nps = { id: 'nps', kind: 'nps', prompt: 'How likely?' };

x('are checked against the edited survey', async ({ test, world }) => {
  const { id } = await buildSurvey(world, { questions: [nps, { id: 'why', kind: 'text', prompt: 'Why?' }] });
  const answer = await answerDuring(test, world, id, () =>
    editSurvey(world, { id, questions: [nps, { id: 'why', kind: 'text', prompt: 'Why?', maxLength: 3 }] }),
  );
  assert.is(answer.status, 400);
  assert.is(await responsesOf(test, id), 1);
});

x('are refused if it was closed', async ({ test, world }) => {
  const { id } = await buildSurvey(world, { questions: [nps, { id: 'why', kind: 'text', prompt: 'Why?' }] });
  const answer = await answerDuring(test, world, id, () => moveSurvey(world, 'close', id));
  assert.is(answer.status, 422);
  assert.is(await responsesOf(test, id), 1);
});

x.run();
