import * as assert from 'uvu/assert';
import { systemCaller } from '../../../src/kernel/context.js';
import { refusalOf } from '../../support/client.js';
import type { World } from '../../support/factories/factories.js';
import { buildSurvey } from '../../support/factories/survey-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import type { TestApp } from '../../support/test-app.js';
import { until } from '../../support/until.js';

// Without a worker: the test decides when the copy is made, like a job that runs late.
const respondents = worldSuite<{ surveyId: string }>('deletion of a person who answered');

respondents.before(async (context) => {
  context.surveyId = (await buildSurvey(context.world)).id;
});

async function answer({ live }: World, surveyId: string, respondent: object): Promise<string> {
  const body = { survey_id: surveyId, answers: { nps: 9 }, respondent };
  return ((await live.post('/api/pulse/responses', body)).body as { id: string }).id;
}

const copy = ({ app }: TestApp, ids: string[]) =>
  app.tx.write(systemCaller('test'), (ctx) => app.services.analyticsCopies.copy(ctx, ids));

const remove = ({ owner, projectId }: World, distinctId: string) =>
  owner.client.graphql('mutation($i: PersonInput!) { deletePerson(input: $i) { id } }', {
    i: { projectId, distinctId },
  });

async function copied({ app }: TestApp, { projectId }: World): Promise<string[]> {
  const { rows } = await app.pool.query<{ id: string }>(
    `select properties->>'response_id' as id from event where project_id = $1 order by 1`,
    [projectId],
  );
  return rows.map(({ id }) => id);
}

respondents('their earlier answers are never copied afterwards', async ({ test, world, surveyId }) => {
  await world.live.post('/api/v1/people', { distinct_id: 'gone', properties: {} });
  const before = [
    await answer(world, surveyId, { user_id: 'gone' }),
    await answer(world, surveyId, { external_id: 'gone' }),
  ];
  const others = [
    await answer(world, surveyId, { user_id: 'other', external_id: 'gone' }),
    await answer(world, surveyId, {}),
  ];
  await remove(world, 'gone');
  test.clock.advance(1);
  others.push(await answer(world, surveyId, { user_id: 'gone' }));
  await copy(test, [...before, ...others]);
  assert.equal(await copied(test, world), others.toSorted(), 'a returning person is a new one');
});

respondents(
  'a person known only by an answer is deleted before it is copied, once',
  async ({ test, world, surveyId }) => {
    const ids = [
      await answer(world, surveyId, { user_id: 'new' }),
      await answer(world, surveyId, { external_id: 'newer' }),
    ];
    for (const distinctId of ['new', 'newer']) {
      await remove(world, distinctId);
      assert.is((await refusalOf(remove(world, distinctId))).code, 'PERSON_NOT_FOUND');
    }
    await copy(test, ids);
    assert.equal(
      (await copied(test, world)).filter((id) => ids.includes(id)),
      [],
    );
  },
);

respondents('a copy in progress is erased with the person', async ({ test, world, surveyId }) => {
  await world.live.post('/api/v1/people', { distinct_id: 'racing', properties: {} });
  const id = await answer(world, surveyId, { user_id: 'racing' });
  let deletion: Promise<unknown> | undefined;
  await test.app.tx.write(systemCaller('test'), async (ctx) => {
    await test.app.services.analyticsCopies.copy(ctx, [id]);
    deletion = remove(world, 'racing');
    await until('the deletion waits for the copy', async () => {
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%is_person_deleted%'`;
      return (await test.app.pool.query(waiting)).rowCount !== 0;
    });
  });
  await deletion;
  assert.not.ok((await copied(test, world)).includes(id));
});

respondents('nothing is left in a month that is being dropped and may come back', async ({ test, world, surveyId }) => {
  const { pool } = test.app;
  const ids = [
    await answer(world, surveyId, { user_id: 'dropped' }),
    await answer(world, surveyId, { user_id: 'kept' }),
  ];
  await copy(test, ids);
  const { rows } = await pool.query<{ month: string }>(
    `select distinct tableoid::regclass::text as month from event where distinct_id in ('dropped', 'kept')`,
  );
  const month = rows[0]?.month;
  await pool.query(`comment on table ${month} is 'Quarterdeck drops this month of events'`);
  await pool.query(`alter table event detach partition ${month} concurrently`);
  await world.owner.client.graphql(
    'mutation($i: DeleteRespondentInput!) { deleteRespondent(input: $i) { responses } }',
    {
      i: { projectId: world.projectId, userId: 'dropped' },
    },
  );
  const left = await pool.query(`select distinct_id from ${month} where distinct_id in ('dropped', 'kept')`);
  assert.equal(left.rows, [{ distinct_id: 'kept' }]);
});

respondents.run();
