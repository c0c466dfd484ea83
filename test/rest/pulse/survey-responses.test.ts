import * as assert from 'uvu/assert';
import { Client, type RestAnswer } from '../../support/client.js';
import { buildKey, buildWorld, setPlan, type World } from '../../support/factories/factories.js';
import {
  type BuiltSurvey,
  buildSurvey,
  editSurvey,
  moveSurvey,
  QUESTIONS,
} from '../../support/factories/survey-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import type { TestApp } from '../../support/test-app.js';

const responses = worldSuite<{ survey: BuiltSurvey }>('POST /api/pulse/responses');
responses.before.each(async (context) => {
  context.survey = await buildSurvey(context.world);
});

const PATH = '/api/pulse/responses';
const GOOD = {
  nps: 9,
  stars: 4,
  mood: 5,
  agree: 7,
  why: 'It works',
  colour: 'red',
  tags: ['red', 'blue'],
  again: true,
  when: '2026-02-28',
};

interface Stored {
  response: Record<string, unknown>;
  answers: Record<string, unknown>;
}

async function stored(test: TestApp, id: unknown): Promise<Stored> {
  const { rows } = await test.app.pool.query('select * from survey_response where id = $1', [id]);
  const answers = await test.app.pool.query('select question_id, value from survey_answer where response_id = $1', [
    id,
  ]);
  return { response: rows[0], answers: Object.fromEntries(answers.rows.map((row) => [row.question_id, row.value])) };
}

async function count(test: TestApp, table: string): Promise<number> {
  const { rows } = await test.app.pool.query(`select count(*)::int as count from ${table}`);
  return rows[0].count;
}

const idOf = (answer: RestAnswer): string => (answer.body as { id: string }).id;

responses('stores the response, a row per answer and the event in one transaction', async ({ test, world, survey }) => {
  const answer = await world.live.post(PATH, {
    survey_id: survey.slug,
    answers: GOOD,
    respondent: { user_id: 'u1', external_id: 'e1', email: 'ada@example.com' },
    context: { release_version: '1.2', device_model: 'Pixel', os_version: '15', extra: { deep: [1] } },
    submitted_at: '2026-01-02T03:04:05+02:00',
  });
  assert.is(answer.status, 201);
  const id = idOf(answer);
  assert.match(id, /^resp_/);
  assert.equal(answer.body, { id, score: 9, env: 'live', survey: survey.id });
  const { response, answers } = await stored(test, id);
  assert.equal(answers, GOOD);
  assert.is(response.survey_version, 1);
  assert.is(response.email, 'ada@example.com');
  assert.is((response.submitted_at as Date).toISOString(), '2026-01-02T01:04:05.000Z');
  assert.equal(response.context, {
    release_version: '1.2',
    device_model: 'Pixel',
    os_version: '15',
    extra: { deep: [1] },
  });
  const { rows } = await test.app.pool.query('select * from event_log where object_id = $1', [id]);
  assert.is(rows.length, 1);
  assert.is(rows[0].kind, 'pulse.response.submitted');
  assert.equal(rows[0].data, { response_id: id, survey_id: survey.id, score: 9 });
  assert.not.match(JSON.stringify(rows[0]), /ada@example|"e1"|"u1"/);
});

responses('an anonymous one needs only the required answers; null is no answer', async ({ test, world, survey }) => {
  const answers = { nps: 0, stars: null, why: '', tags: [] };
  const answer = await world.test.post('/api/v1/pulse/responses', {
    survey_id: survey.id,
    answers,
    respondent: null,
    context: null,
  });
  assert.is(answer.status, 201);
  assert.equal(answer.body, { id: idOf(answer), score: 0, env: 'test', survey: survey.id });
  assert.equal((await stored(test, idOf(answer))).answers, { nps: 0 });
});

responses('an insert_id that is no text counts as none, and a text of any length as one', async ({ world, survey }) => {
  const send = async (given: unknown) => {
    const body = { survey_id: survey.id, answers: { nps: 9 }, insert_id: given };
    const answer = await world.live.post('/api/pulse/responses', body);
    assert.is(answer.status, 201, answer.text);
    return idOf(answer);
  };
  for (const given of [7, 0, true, {}, [], '', null]) assert.is.not(await send(given), await send(given));
  const long = 'x'.repeat(2_000);
  assert.is(await send(long), await send(long));
  assert.is.not(await send(long), await send(`${long}y`));
});

responses('the score is the first answered question with a scale', async ({ world }) => {
  const optional = QUESTIONS.map((asked) => ({ ...asked, required: false }));
  const survey = await buildSurvey(world, { questions: [...optional].reverse() });
  const scoreOf = async (answers: object) =>
    ((await world.live.post(PATH, { survey_id: survey.id, answers })).body as { score: number | null }).score;
  assert.is(await scoreOf({ nps: 9, stars: 4, mood: 3 }), 3);
  assert.is(await scoreOf({ nps: 9, stars: 4 }), 4);
  assert.is(await scoreOf({ why: 'x' }), null);
  assert.is(await scoreOf({}), null);
});

responses('both lists of the validation body are in question order', async ({ test, world, survey }) => {
  const answer = await world.live.post(PATH, {
    survey_id: survey.id,
    answers: { stars: 9, why: 'x'.repeat(501), colour: 'green', tags: ['red', 'green'], again: 1, when: '2026-02-30' },
  });
  assert.is(answer.status, 400);
  const { error, message, invalid, missing, ...rest } = answer.body as Record<string, unknown>;
  assert.is(error, 'validation');
  assert.type(message, 'string');
  assert.equal(rest, {});
  assert.equal(missing, [{ question_id: 'nps', prompt: 'How likely?' }]);
  assert.equal(invalid, [
    { question_id: 'stars', prompt: 'How many stars?', reason: 'value_out_of_range' },
    { question_id: 'why', prompt: 'Why?', reason: 'length_too_long' },
    { question_id: 'colour', prompt: 'Which colour?', reason: 'option_not_allowed' },
    { question_id: 'tags', prompt: 'Which ones?', reason: 'option_not_allowed' },
    { question_id: 'again', prompt: 'Again?', reason: 'wrong_type' },
    { question_id: 'when', prompt: 'When?', reason: 'wrong_type' },
  ]);
  assert.is(await count(test, `survey_response where survey_id = '${survey.id}'`), 0);
});

responses(
  'a client with an old bundle keeps working, and its response records the version',
  async ({ test, world, survey }) => {
    const version = await editSurvey(world, {
      id: survey.id,
      questions: [
        { id: 'nps', kind: 'nps', prompt: 'How likely now?', required: true },
        { kind: 'text', prompt: 'New' },
      ],
    });
    assert.is(version, 2);
    const answer = await world.live.post(PATH, { survey_id: survey.id, answers: GOOD });
    assert.is(answer.status, 201);
    const { response, answers } = await stored(test, idOf(answer));
    assert.equal(answers, { nps: 9 });
    assert.is(response.survey_version, 2);
  },
);

responses('is refused row by row of its error table, in the order of checks', async ({ test, world: other }) => {
  const world = await buildWorld(test);
  const survey = await buildSurvey(world);
  const foreign = await buildSurvey(other);
  const draft = await buildSurvey(world, {}, 'draft');
  const closed = await buildSurvey(world, {}, 'closed');
  const archived = await buildSurvey(world, {}, 'archived');
  const bare = await buildSurvey(world);
  await test.app.pool.query('update survey_question set removed_at = now() where survey_id = $1', [bare.id]);
  await test.app.pool.query('update survey set revision = revision + 1 where id = $1', [bare.id]);
  await test.app.pool.query('update survey_catalogue set revision = revision + 1');
  await setPlan(world, { responses: 0 });
  const anonymous = new Client(test.baseUrl);
  const body = (change: object) => ({ survey_id: survey.id, answers: { nps: 9 }, ...change });
  const cases: [string, Promise<RestAnswer>, number, string][] = [
    ['no key', anonymous.post(PATH, '{'), 401, 'missing_api_key'],
    ['bad key', anonymous.withKey(`sk_test_${'x'.repeat(40)}`).post(PATH, '{'), 401, 'invalid_api_key'],
    ['no JSON', world.live.post(PATH, '{'), 400, 'invalid_body'],
    ['a list', world.live.post(PATH, '[]'), 400, 'invalid_body'],
    ['no survey_id', world.live.post(PATH, { answers: [] }), 400, 'invalid_body'],
    ['survey_id is a number', world.live.post(PATH, body({ survey_id: 1 })), 400, 'invalid_body'],
    ['submitted_at', world.live.post(PATH, body({ submitted_at: 'soon', answers: [] })), 400, 'invalid_body'],
    ['submitted_at', world.live.post(PATH, body({ submitted_at: '2026-02-30T00:00:00Z' })), 400, 'invalid_body'],
    ['submitted_at', world.live.post(PATH, body({ submitted_at: '9999-12-31T23:59:59-01:00' })), 400, 'invalid_body'],
    ['respondent', world.live.post(PATH, body({ respondent: 'x', answers: 1 })), 400, 'invalid_body'],
    ['e-mail', world.live.post(PATH, body({ respondent: { email: { $ne: 1 } } })), 400, 'invalid_body'],
    ['long id', world.live.post(PATH, body({ respondent: { user_id: 'x'.repeat(100_000) } })), 400, 'invalid_body'],
    ['context', world.live.post(PATH, body({ context: [] })), 400, 'invalid_body'],
    ['no answers', world.live.post(PATH, { survey_id: 'nope' }), 400, 'invalid_answers'],
    ['answers list', world.live.post(PATH, body({ survey_id: 'nope', answers: [] })), 400, 'invalid_answers'],
    ['answers text', world.live.post(PATH, body({ answers: 'x' })), 400, 'invalid_answers'],
    ['unknown', world.live.post(PATH, body({ survey_id: 'nope' })), 404, 'not_found'],
    ['NUL', world.live.post(PATH, body({ survey_id: `${survey.id}\u0000` })), 404, 'not_found'],
    ['foreign', world.live.post(PATH, body({ survey_id: foreign.id })), 404, 'not_found'],
    ['draft', world.live.post(PATH, body({ survey_id: draft.id })), 422, 'not_accepting_responses'],
    ['closed', world.live.post(PATH, body({ survey_id: closed.slug })), 422, 'not_accepting_responses'],
    ['archived', world.live.post(PATH, body({ survey_id: archived.id })), 422, 'not_accepting_responses'],
    ['no questions', world.live.post(PATH, body({ survey_id: bare.id })), 422, 'no_questions'],
    ['validation', world.live.post(PATH, body({ answers: { nps: 99 } })), 400, 'validation'],
    ['quota', world.live.post(PATH, body({})), 402, 'quota_exceeded'],
  ];
  for (const [name, sent, status, error] of cases) {
    const answer = await sent;
    assert.is(answer.status, status, name);
    assert.is((answer.body as { error: string }).error, error, name);
  }
  assert.is(await count(test, `survey_response where project_id = '${world.projectId}'`), 0);
});

responses('402 says how much is used; only live counts, and refused responses count nothing', async ({ test }) => {
  const world = await buildWorld(test);
  const survey = await buildSurvey(world);
  await setPlan(world, { responses: 2 });
  const send = (client: Client) => client.post(PATH, { survey_id: survey.id, answers: { nps: 9 } });
  assert.equal(
    [(await send(world.live)).status, (await send(world.test)).status, (await send(world.live)).status],
    [201, 201, 201],
  );
  const refused = await send(world.live);
  assert.is(refused.status, 402);
  const { message, ...body } = refused.body as Record<string, unknown>;
  assert.match(String(message), /2 of 2/);
  assert.equal(body, { error: 'quota_exceeded', current: 2, limit: 2 });
  assert.is((await send(world.test)).status, 201);
  await setPlan(world, { responses: 3 });
  assert.is((await send(world.live)).status, 201);
  assert.is((await send(world.live)).status, 402);
  test.clock.set(new Date(Date.now() + 32 * 24 * 3600 * 1000));
  assert.is((await send(world.live)).status, 201);
  test.clock.set(new Date());
});

responses('quota thresholds are each announced once', async ({ test }) => {
  const world = await buildWorld(test);
  const survey = await buildSurvey(world);
  await setPlan(world, { responses: 5 });
  await Promise.all(
    Array.from({ length: 8 }, () => world.live.post(PATH, { survey_id: survey.id, answers: { nps: 9 } })),
  );
  const { rows } = await test.app.pool.query(
    `select data->>'percent' as percent from event_log where project_id = $1 and kind = 'quotas.threshold.reached' order by 1`,
    [world.projectId],
  );
  assert.equal(
    rows.map(({ percent }) => percent),
    ['80', '95'],
  );
});

responses('a response whose quota threshold cannot be stored is not stored either', async ({ test }) => {
  const { pool } = test.app;
  const world = await buildWorld(test);
  const survey = await buildSurvey(world);
  await setPlan(world, { responses: 5 });
  const send = () => world.live.post(PATH, { survey_id: survey.id, answers: { nps: 9 } });
  const percents = async () => {
    const { rows } = await pool.query(
      `select data from event_log where project_id = $1 and kind = 'quotas.threshold.reached' order by id`,
      [world.projectId],
    );
    return rows.map(({ data }) => [data.meter, data.percent, data.current, data.limit]);
  };
  for (let sent = 0; sent < 3; sent += 1) assert.is((await send()).status, 201);
  await pool.query(
    `alter table event_log add constraint no_threshold check (kind <> 'quotas.threshold.reached' or project_id <> '${world.projectId}')`,
  );
  assert.is((await send()).status, 500);
  await pool.query('alter table event_log drop constraint no_threshold');
  assert.equal(await percents(), []);
  assert.is((await send()).status, 201);
  assert.equal(await percents(), [['responses', 80, 4, 5]]);
});

responses('closing or editing a survey takes effect at once', async ({ world, survey }) => {
  const send = (answers: object) => world.live.post(PATH, { survey_id: survey.id, answers });
  assert.is((await send({ nps: 9 })).status, 201);
  await editSurvey(world, { id: survey.id, questions: [{ id: 'new', kind: 'csat', prompt: 'New', required: true }] });
  assert.equal(((await send({ nps: 9 })).body as { missing: unknown }).missing, [
    { question_id: 'new', prompt: 'New' },
  ]);
  assert.is((await send({ new: 3 })).status, 201);
  await moveSurvey(world, 'close', survey.id);
  assert.is((await send({ new: 3 })).status, 422);
  await moveSurvey(world, 'publish', survey.id);
  assert.is((await send({ new: 3 })).status, 201);
});

responses(
  'a distribution of the survey is attributed, any other is stored as text',
  async ({ test, world, survey }) => {
    const create = async (of: World, surveyId: string) =>
      (
        await of.owner.client.graphql<{ createDistribution: { id: string } }>(
          'mutation($i: CreateDistributionInput!) { createDistribution(input: $i) { id } }',
          { i: { surveyId, name: 'March mailing' } },
        )
      ).createDistribution.id;
    const other = await buildWorld(test);
    const own = await create(world, survey.id);
    const foreign = await create(other, (await buildSurvey(other)).id);
    assert.match(own, /^dst_/);
    for (const [given, attributed] of [
      [own, own],
      [foreign, null],
      ['nonsense', null],
      ['a\u0000', null],
    ] as const) {
      const answer = await world.live.post(PATH, {
        survey_id: survey.id,
        answers: { nps: 9 },
        context: { distribution_id: given },
      });
      const { response } = await stored(test, idOf(answer));
      assert.is(response.distribution_id, given.replace('\u0000', '\uFFFD'));
      assert.is(response.attributed_to, attributed);
    }
  },
);

responses('NUL, lone surrogates and prototype names are data', async ({ test, world, survey }) => {
  const text = `{"survey_id":"${survey.id}","answers":{"nps":9,"why":"a\\u0000\\ud800b","__proto__":{"stars":3},"toString":1},
    "context":{"__proto__":{"x":"\\u0000"}},"respondent":{"email":"\\u0000"}}`;
  const answer = await world.live.post(PATH, text);
  assert.is(answer.status, 201);
  const { response, answers } = await stored(test, idOf(answer));
  assert.equal(answers, { nps: 9, why: 'a\uFFFD\uFFFDb' });
  assert.is(JSON.stringify(response.context), '{"__proto__":{"x":"\uFFFD"}}');
  assert.is(response.email, '\uFFFD');
});

responses('a time far ahead is replaced by the time of receipt', async ({ test, world, survey }) => {
  const send = async (ahead: number) => {
    const submitted = new Date(Date.now() + ahead);
    const answer = await world.live.post(PATH, {
      survey_id: survey.id,
      answers: { nps: 9 },
      submitted_at: submitted.toISOString(),
    });
    const { response } = await stored(test, idOf(answer));
    return (response.submitted_at as Date).getTime() === submitted.getTime();
  };
  test.clock.set(new Date());
  assert.is(await send(9 * 60_000), true);
  assert.is(await send(11 * 60_000), false);
  assert.is(await send(-400 * 24 * 3600_000), true);
});

responses('times are parsed like those of events', async ({ test, world, survey }) => {
  const times = [
    ['2025-12-31T24:00:00Z', '2026-01-01T00:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2026-01-01 12:00:00,5 -2359', '2026-01-02T11:59:00.500Z'],
  ];
  for (const [sent, read] of times) {
    const answer = await world.live.post(PATH, { survey_id: survey.id, answers: { nps: 9 }, submitted_at: sent });
    const { response } = await stored(test, idOf(answer));
    assert.is((response.submitted_at as Date).toISOString(), read);
  }
});

responses('a key without the scope survey cannot answer', async ({ test, world, survey }) => {
  const halter = new Client(test.baseUrl).withKey(await buildKey(world.owner, world.projectId, 'live', ['halt']));
  assert.is((await halter.post(PATH, { survey_id: survey.id, answers: { nps: 9 } })).status, 403);
});

responses.run();
