import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Client } from '../../support/client.js';
import { HeldClockServer } from '../../support/clocks/held-clock-server.js';
import { buildWorld, setPlan, type World } from '../../support/factories/factories.js';
import { buildSurvey, editSurvey } from '../../support/factories/survey-factory.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';

const races = suite<{ test: TestApp; world: World; second: HeldClockServer; clients: [Client, Client] }>(
  'surveys under concurrency, two processes on one database',
);

races.before(async (context) => {
  context.test = await openTestApp();
  context.world = await buildWorld(context.test);
  // A save counts as late for two seconds, which pass for neither process.
  const now = new Date();
  context.test.clock.set(now);
  context.second = await HeldClockServer.start(now, {
    DATABASE_URL: context.test.databaseUrl,
    DATA_DIR: context.test.dataDir,
    FIRST_RUN: 'off',
    ROLE: 'api',
  });
  const elsewhere = new Client(context.second.url).withKey(context.world.keys.live);
  context.clients = [context.world.live, elsewhere];
});
races.after(async ({ test, second }) => {
  await second.stop();
  await test.close();
});

const RESPONSES = '/api/pulse/responses';

races(
  'a quota of 50 and 150 concurrent submissions: 50 accepted, 100 refused, no row beyond',
  async ({ test, world, clients }) => {
    const survey = await buildSurvey(world);
    await setPlan(world, { responses: 50 });
    const answers = await Promise.all(
      Array.from({ length: 150 }, (_, number) => {
        const client = clients[number % 2] as Client;
        return client.post(RESPONSES, {
          survey_id: survey.id,
          answers: { nps: number % 11 },
          respondent: { external_id: `e${number % 40}` },
        });
      }),
    );
    const statuses = Object.groupBy(answers, ({ status }) => String(status));
    assert.equal([statuses['201']?.length, statuses['402']?.length], [50, 100]);
    for (const { body } of statuses['402'] ?? []) assert.equal((body as { current: number; limit: number }).limit, 50);
    const counts = await test.app.pool.query(
      `select (select count(*) from survey_response where survey_id = $1)::int as responses,
            (select count(*) from survey_answer a join survey_response r on r.id = a.response_id where r.survey_id = $1)::int as answers,
            (select count(*) from event_log where kind = 'pulse.response.submitted' and project_id = $2)::int as events,
            (select used from quota_usage where project_id = $2 and meter = 'responses')::int as used`,
      [survey.id, world.projectId],
    );
    assert.equal(counts.rows[0], { responses: 50, answers: 50, events: 50, used: 50 });
    await setPlan(world, { responses: 1_000_000 });
  },
);

races('a submission repeated at once in two processes is stored once', async ({ test, world, clients }) => {
  const survey = await buildSurvey(world);
  await setPlan(world, { responses: 51 });
  const send = (number: number) => {
    const body = { survey_id: survey.id, answers: { nps: number % 11 }, insert_id: 'once' };
    return (clients[number % 2] as Client).post(RESPONSES, body);
  };
  const answers = await Promise.all(Array.from({ length: 20 }, (_, number) => send(number)));
  // The quota is used up by now, but what is stored needs none.
  answers.push(await send(5));
  const { rows } = await test.app.pool.query(
    `select r.id, r.score, (select used from quota_usage where project_id = $2 and meter = 'responses')::int as used
       from survey_response r where survey_id = $1`,
    [survey.id, world.projectId],
  );
  assert.is(rows.length, 1);
  const [{ id, score, used }] = rows;
  assert.is(used, 51);
  for (const answer of answers)
    assert.equal([answer.status, answer.body], [201, { id, score, env: 'live', survey: survey.id }]);
  await setPlan(world, { responses: 1_000_000 });
});

races('a partial save that races its submission never remains afterwards, in 120 tries', async ({ world, clients }) => {
  const survey = await buildSurvey(world);
  const race = async (number: number): Promise<unknown> => {
    const respondent = { external_id: `racer-${number}` };
    const save = (client: Client) =>
      client.post('/api/pulse/partial', { survey_id: survey.id, respondent, answers: { nps: 1 } });
    const [one, two] = number % 2 === 0 ? clients : [clients[1], clients[0]];
    if (number % 3 === 0) await save(one);
    const [saved, submitted] = await Promise.all([
      save(one),
      two.post(RESPONSES, { survey_id: survey.id, respondent, answers: { nps: 9 } }),
    ]);
    assert.equal([saved.status, submitted.status], [200, 201]);
    const { body } = await one.get(`/api/pulse/surveys/${survey.id}?external_id=racer-${number}`);
    return (body as { partial: unknown }).partial;
  };
  for (let from = 0; from < 120; from += 40) {
    const left = await Promise.all(Array.from({ length: 40 }, (_, index) => race(from + index)));
    assert.equal(
      left.filter((partial) => partial !== null),
      [],
    );
  }
});

races('60 edits racing 300 list calls: no call gets what an edit had already replaced', async ({ test, clients }) => {
  const world = await buildWorld(test);
  const survey = await buildSurvey(world, { description: '0' });
  const readers = clients.map((client) => ({ client: client.withKey(world.keys.live), etag: '', known: -1 }));
  let edited = 0;
  let unchanged = 0;
  const read = async (number: number): Promise<void> => {
    const reader = readers[number % 2] as (typeof readers)[number];
    await sleep(number * 3);
    const [before, { etag, known }] = [edited, reader];
    const answer = await reader.client.get('/api/pulse/surveys', etag === '' ? {} : { 'if-none-match': etag });
    if (answer.status === 304) unchanged += 1;
    const shown = answer.status === 304 ? known : Number((answer.body as { description: string }[])[0]?.description);
    assert.ok(shown >= before, `${answer.status} with edit ${shown} after edit ${before}`);
    Object.assign(reader, { etag: answer.headers.get('etag'), known: shown });
  };
  for (let number = 1; number <= 60; number++) {
    const edit = editSurvey(world, { id: survey.id, description: String(number) }).then(() => {
      edited = number;
    });
    await Promise.all([edit, ...[0, 1, 2, 3, 4].map(read)]);
  }
  await read(0);
  const before = unchanged;
  await read(0);
  assert.is(unchanged, before + 1, 'a caller with the latest list gets 304');
});

races.run();
