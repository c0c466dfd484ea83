import * as assert from 'uvu/assert';
import { Client, refusalOf } from '../../support/client.js';
import { buildMember, buildWorld, type TestUser, type World } from '../../support/factories/factories.js';
import { type BuiltSurvey, buildSurvey, editSurvey } from '../../support/factories/survey-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';

const reading = worldSuite<{ viewer: TestUser; editor: TestUser; survey: BuiltSurvey }>('reading survey responses');

const EMAIL = 'Ada.Lovelace@example.com';

reading.before(async (context) => {
  context.viewer = await buildMember(context.test, context.world, 'viewer');
  context.editor = await buildMember(context.test, context.world, 'editor');
});
reading.before.each(async (context) => {
  context.survey = await buildSurvey(context.world);
});

interface Node {
  id: string;
  score: number | null;
  respondent: { userId: string | null; externalId: string | null; email: string | null };
  context: Record<string, unknown>;
  distributionId: string | null;
  answers: { questionId: string; value: unknown }[];
}

const FIELDS = `id score environment surveyVersion submittedAt context distributionId
  respondent { userId externalId email } answers { questionId value }`;
const RESPONSES = `query($surveyId: ID!, $filter: SurveyResponseFilter, $first: Int! = 25, $after: String) {
  surveyResponses(surveyId: $surveyId, filter: $filter, first: $first, after: $after) {
    nodes { ${FIELDS} } pageInfo { hasNextPage endCursor } } }`;

interface Page {
  nodes: Node[];
  pageInfo: { hasNextPage: boolean; endCursor: string };
}

async function list(client: Client, surveyId: string, variables: Record<string, unknown> = {}): Promise<Page> {
  return (await client.graphql<{ surveyResponses: Page }>(RESPONSES, { surveyId, ...variables })).surveyResponses;
}

async function submit(
  world: World,
  survey: BuiltSurvey,
  change: Record<string, unknown> = {},
  client = world.live,
): Promise<string> {
  const answer = await client.post('/api/pulse/responses', { survey_id: survey.id, answers: { nps: 9 }, ...change });
  assert.is(answer.status, 201, answer.text);
  return (answer.body as { id: string }).id;
}

const LEAKY = {
  answers: { nps: 2, why: `Write to ${EMAIL} please` },
  respondent: { user_id: EMAIL, external_id: `mailto:${EMAIL}`, email: EMAIL },
  context: { distribution_id: EMAIL, email: EMAIL, nested: [{ [EMAIL]: EMAIL }] },
};

reading('newest first, page by page, each with its answers', async ({ world, editor, survey }) => {
  const ids: string[] = [];
  for (let score = 0; score < 5; score++)
    ids.unshift(await submit(world, survey, { answers: { nps: score, why: `${score}` } }));
  const first = await list(editor.client, survey.id, { first: 3 });
  assert.equal(
    first.nodes.map(({ id }) => id),
    ids.slice(0, 3),
  );
  assert.equal(first.nodes[0]?.answers, [
    { questionId: 'nps', value: 4 },
    { questionId: 'why', value: '4' },
  ]);
  const second = await list(editor.client, survey.id, { first: 3, after: first.pageInfo.endCursor });
  assert.equal(
    second.nodes.map(({ id }) => id),
    ids.slice(3),
  );
  assert.not(second.pageInfo.hasNextPage);
});

reading('filters can be combined', async ({ world, editor, survey }) => {
  const old = await submit(world, survey, { submitted_at: '2025-01-01T00:00:00Z', answers: { nps: 1 } });
  const named = await submit(world, survey, { respondent: { user_id: 'u1', external_id: 'e1', email: EMAIL } });
  const mailed = await submit(world, survey, { context: { distribution_id: 'dst_x' }, answers: { nps: 7 } });
  const tested = await submit(world, survey, {}, world.test);
  const found = async (filter: Record<string, unknown>) =>
    (await list(editor.client, survey.id, { filter })).nodes.map(({ id }) => id).sort();
  assert.equal(await found({ environment: 'test' }), [tested]);
  assert.equal(await found({ scoreMax: 6 }), [old]);
  assert.equal(await found({ scoreMin: 7, scoreMax: 8 }), [mailed]);
  assert.equal(await found({ submittedTo: '2025-01-01T00:00:00Z' }), [old]);
  assert.equal(await found({ submittedFrom: '2025-01-01T00:00:01Z', environment: 'live' }), [named, mailed].sort());
  assert.equal(await found({ userId: 'u1' }), [named]);
  assert.equal(await found({ externalId: 'e1', email: EMAIL.toLowerCase() }), [named]);
  assert.equal(await found({ email: 'ada_lovelace@example.com' }), []);
  assert.equal(await found({ distributionId: 'dst_x' }), [mailed]);
  assert.equal(await found({ surveyVersion: 2 }), []);
  assert.equal(await found({ inEnvironment: { in: ['test'] } }), [tested]);
  assert.equal(await found({ score: { to: 6 } }), [old]);
  assert.equal(await found({ score: { from: 7, to: 8 } }), [mailed]);
  assert.equal(await found({ score: { eq: 9 }, scoreMax: 8 }), []);
  assert.equal(await found({ submittedAt: { to: '2025-01-01T00:00:00Z' } }), [old]);
  assert.equal(await found({ version: { eq: 1 }, inEnvironment: { eq: 'test' } }), [tested]);
  assert.equal(await found({ version: { from: 2 } }), []);
  assert.equal(await found({ sentDistributionId: { in: ['dst_x', 'dst_y'] } }), [mailed]);
  assert.equal(await found({ attributedTo: { eq: 'dst_x' } }), []);
  assert.equal(await found({ respondent: { userId: { eq: 'u1' }, externalId: { in: ['e1', 'e2'] } } }), [named]);
  assert.equal(await found({ respondent: { email: { in: [EMAIL.toUpperCase()] } } }), [named]);
  assert.equal(await found({ respondent: { userId: { in: [] } } }), []);
});

reading(
  'below Editor an email address is visible in no field, filter, export, event, audit or error',
  async ({ test, world, viewer, editor, survey }) => {
    await submit(world, survey, LEAKY);
    const seenByEditor = await list(editor.client, survey.id);
    assert.is(seenByEditor.nodes[0]?.respondent.email, EMAIL);
    assert.is(seenByEditor.nodes[0]?.context.email, EMAIL);
    const secret = /lovelace/i;
    const [node] = (await list(viewer.client, survey.id)).nodes as [Node];
    assert.not.match(JSON.stringify(node), secret);
    assert.equal(node.respondent, { userId: '[redacted]', externalId: 'mailto:[redacted]', email: '[redacted]' });
    assert.is(node.answers.find(({ questionId }) => questionId === 'why')?.value, 'Write to [redacted] please');
    const nested = await viewer.client.graphql(
      `query($id: ID!) { a: survey(id: $id) { b: responses { edges { node { ...F } } } } } fragment F on SurveyResponse { ${FIELDS} }`,
      { id: survey.id },
    );
    assert.not.match(JSON.stringify(nested), secret);
    for (const filter of [
      { email: EMAIL },
      { email: 'x' },
      { userId: EMAIL },
      { externalId: `mailto:${EMAIL}` },
      { distributionId: EMAIL },
      { sentDistributionId: { in: ['x', EMAIL] } },
      { respondent: { userId: { eq: EMAIL } } },
      { respondent: { externalId: { in: [EMAIL] } } },
      { respondent: { email: { in: ['x'] } } },
    ]) {
      const refused = await refusalOf(list(viewer.client, survey.id, { filter }));
      assert.is(refused.code, 'PERMISSION_DENIED');
      assert.not.match(JSON.stringify(refused.errors), secret);
    }
    for (const format of ['csv', 'ndjson']) {
      const path = `/api/v1/pulse/surveys/${survey.id}/responses.${format}`;
      assert.match((await editor.client.get(path)).text, secret);
      const redacted = await viewer.client.get(path);
      assert.match(redacted.text, /\[redacted\]/);
      assert.not.match(redacted.text, secret);
    }
    const events = await test.app.pool.query('select * from event_log where project_id = $1', [world.projectId]);
    assert.not.match(JSON.stringify(events.rows), secret);
  },
);

reading(
  'results: NPS, averages, distributions and days, by environment and time',
  async ({ world, viewer, survey }) => {
    for (const [nps, stars, day] of [
      [10, 5, '2026-01-01'],
      [9, 4, '2026-01-01'],
      [7, 3, '2026-01-02'],
      [0, 1, '2026-01-03'],
    ] as const) {
      await submit(world, survey, {
        answers: { nps, stars, tags: ['red', 'blue'].slice(0, 1 + (nps % 2)) },
        submitted_at: `${day}T12:00:00Z`,
      });
    }
    await submit(world, survey, { answers: { nps: 0 } }, world.test);
    const query = `query($id: ID!, $environment: Environment! = live, $from: DateTimeISO, $to: DateTimeISO) {
    surveyResults(surveyId: $id, environment: $environment, from: $from, to: $to) { responses averageScore
      nps { score promoters passives detractors }
      questions { questionId removed answered average nps { score } distribution { value count share } }
      overTime { day date responses averageScore nps { score } } } }`;
    interface Results {
      responses: number;
      averageScore: number;
      nps: Record<string, number>;
      questions: {
        questionId: string;
        removed: boolean;
        answered: number;
        average: number | null;
        distribution: { value: string; count: number }[];
      }[];
      overTime: { day: string; date: string; responses: number; averageScore: number; nps: { score: number } }[];
    }
    const results = async (variables: object) =>
      (await viewer.client.graphql<{ surveyResults: Results }>(query, { id: survey.id, ...variables })).surveyResults;
    const live = await results({});
    assert.is(live.responses, 4);
    assert.is(live.averageScore, 6.5);
    assert.equal(live.nps, { score: 25, promoters: 2, passives: 1, detractors: 1 });
    assert.equal(live.overTime, [
      { day: '2026-01-01', date: '2026-01-01', responses: 2, averageScore: 9.5, nps: { score: 100 } },
      { day: '2026-01-02', date: '2026-01-02', responses: 1, averageScore: 7, nps: { score: 0 } },
      { day: '2026-01-03', date: '2026-01-03', responses: 1, averageScore: 0, nps: { score: -100 } },
    ]);
    const tags = live.questions.find(({ questionId }) => questionId === 'tags');
    assert.is(tags?.answered, 4);
    assert.equal(
      tags?.distribution.map(({ value, count }) => [value, count]),
      [
        ['red', 4],
        ['blue', 2],
      ],
    );
    assert.is(live.questions.find(({ questionId }) => questionId === 'stars')?.average, 3.25);
    assert.is((await results({ environment: 'test' })).nps.score, -100);
    assert.is((await results({ from: '2026-01-02T00:00:00Z', to: '2026-01-02T23:59:59Z' })).responses, 1);
    await editSurvey(world, { id: survey.id, questions: [{ id: 'nps', kind: 'nps', prompt: 'x' }] });
    const kept = (await results({})).questions.map(({ questionId, removed }) => [questionId, removed]);
    assert.equal(kept, [
      ['nps', false],
      ['stars', true],
      ['tags', true],
    ]);
  },
);

reading(
  'exports hold every response of one environment, with removed questions, beyond one batch',
  async ({ test, world, editor, survey }) => {
    await submit(world, survey, { answers: { nps: 3, why: '=1+1', tags: ['red', 'blue'] } });
    await submit(world, survey, {}, world.test);
    await editSurvey(world, { id: survey.id, questions: [{ id: 'nps', kind: 'nps', prompt: 'NPS' }] });
    await test.app.pool.query(
      `insert into survey_response select 'resp_' || n, $1, $2, 1, 'live', null, null, null, null, null, null, '{}', now(), now()
       from generate_series(1, 1200) n`,
      [world.projectId, survey.id],
    );
    const csv = await editor.client.get(`/api/v1/pulse/surveys/${survey.id}/responses.csv`);
    assert.is(csv.status, 200);
    assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/);
    assert.match(csv.headers.get('content-disposition') ?? '', /^attachment; filename="responses.csv"$/);
    const records = csv.text.trimEnd().split('\r\n');
    assert.is(records.length, 1 + 1201);
    assert.match(records[0] ?? '', /,NPS \[nps\],.*Why\? \[why\]/);
    assert.ok(records.some((record) => record.includes(",'=1+1,") && record.includes('red; blue')));
    const ndjson = await editor.client.get(`/api/v1/pulse/surveys/${survey.id}/responses.ndjson?environment=test`);
    assert.is(ndjson.text.trimEnd().split('\n').length, 1);
  },
);

reading(
  "an export link works without a token, with the requester's permissions, until it expires",
  async ({ test, world, editor, viewer, survey }) => {
    await submit(world, survey, { answers: { nps: 9, why: 'ask ada@example.com' } });
    const query = `query($id: ID!) { survey(id: $id) { csv: responsesDownloadUrl ndjson: responsesDownloadUrl(format: ndjson, environment: test) } }`;
    type Links = { survey: { csv: string; ndjson: string } };
    const linked = async (client: Client, format: keyof Links['survey'] = 'csv') => {
      const { survey: links } = await client.graphql<Links>(query, { id: survey.id });
      const { pathname, search } = new URL(links[format]);
      return `${pathname}${search}`;
    };
    const anybody = new Client(test.baseUrl);
    const [whole, redacted] = [await linked(editor.client), await linked(viewer.client)];
    const path = `/api/v1/pulse/surveys/${survey.id}/responses`;
    const followed = await anybody.get(whole);
    assert.is(followed.text, (await editor.client.get(`${path}.csv`)).text);
    assert.match(followed.headers.get('content-disposition') ?? '', /responses.csv/);
    assert.is((await anybody.get(redacted)).text, (await viewer.client.get(`${path}.csv`)).text);
    assert.match(followed.text, /ada@example.com/);
    assert.not.match((await anybody.get(redacted)).text, /ada@example.com/);
    const lines = await anybody.get(await linked(editor.client, 'ndjson'));
    assert.is(lines.text, (await editor.client.get(`${path}.ndjson?environment=test`)).text);
    const [wholePath = '', redactedPath = ''] = [whole, redacted].map((link) => link.split('?')[0]);
    for (const changed of [
      whole.replace(/expires=\d/, 'expires=9'),
      redacted.replace(redactedPath, wholePath),
      `${wholePath}?expires=1`,
    ])
      assert.is((await anybody.get(changed)).status, 403, changed);
    test.clock.advance(301_000);
    assert.is((await anybody.get(whole)).status, 403);
  },
);

reading('an export is refused like other JWT routes', async ({ test, world, editor, survey }) => {
  const path = `/api/v1/pulse/surveys/${survey.id}/responses.csv`;
  const stranger = await buildWorld(test);
  assert.is((await world.live.get(path)).status, 401);
  assert.is((await world.live.withToken('a.b.c').get(path)).status, 401);
  assert.is((await stranger.owner.client.get(path)).status, 404);
  assert.is((await editor.client.get(path.replace('psv_', 'psw_'))).status, 404);
  assert.is((await editor.client.get(`${path}?environment=prod`)).status, 400);
});

reading(
  'erasing a respondent removes their answers everywhere in the project, and nobody else’s',
  async ({ test, world, viewer, editor, survey }) => {
    const other = await buildSurvey(world);
    const foreignWorld = await buildWorld(test);
    const foreign = await buildSurvey(foreignWorld);
    const who = { user_id: 'gone', external_id: 'gone-e', email: 'gone@example.com' };
    const erased = [
      await submit(world, survey, { respondent: who }),
      await submit(world, other, { respondent: { email: 'GONE@example.com' } }, world.test),
    ];
    const kept = [
      await submit(world, survey, { respondent: { user_id: 'stays' } }),
      await submit(foreignWorld, foreign, { respondent: who }),
    ];
    await world.live.post('/api/pulse/partial', {
      survey_id: other.id,
      respondent: { external_id: 'gone-e' },
      answers: { nps: 1 },
    });
    const erase = (user: TestUser, input: object) =>
      user.client.graphql<{ deleteRespondent: unknown }>(
        'mutation($i: DeleteRespondentInput!) { deleteRespondent(input: $i) { responses partials } }',
        { i: { projectId: world.projectId, ...input } },
      );
    assert.is((await refusalOf(erase(viewer, { email: who.email }))).code, 'PERMISSION_DENIED');
    assert.is((await refusalOf(erase(editor, {}))).code, 'RESPONDENT_REQUIRED');
    const { deleteRespondent } = await erase(editor, { userId: 'gone', email: 'gone@example.com' });
    assert.equal(deleteRespondent, { responses: 2, partials: 1 });
    const left = await test.app.pool.query('select id from survey_response where id = any($1)', [[...erased, ...kept]]);
    assert.equal(left.rows.map(({ id }) => id).sort(), [...kept].sort());
    const answers = await test.app.pool.query('select 1 from survey_answer where response_id = any($1)', [erased]);
    assert.is(answers.rowCount, 0);
    const { rows } = await test.app.pool.query("select * from event_log where kind = 'pulse.respondent.deleted'");
    assert.equal(
      rows.map(({ data }) => data),
      [{ responses: 2 }],
    );
    assert.not.match(JSON.stringify(rows), /gone/);
  },
);

reading('a list of surveys with responses and answers takes few statements', async ({ test, world, editor }) => {
  for (let index = 0; index < 3; index++) {
    const survey = await buildSurvey(world);
    await submit(world, survey);
    await submit(world, survey);
  }
  const statements: unknown[] = [];
  const config = test.app.orm.config.getLogger();
  const original = config.logQuery.bind(config);
  config.logQuery = (context) => {
    statements.push(context.query);
    original(context);
  };
  try {
    await editor.client.graphql(
      `query($p: ID!) { surveys(projectId: $p, first: 100) { nodes { questions { id } distributions { id }
        responses { nodes { respondent { email } answers { value } } } } } }`,
      { p: world.projectId },
    );
  } finally {
    config.logQuery = original;
  }
  assert.ok(statements.length <= 12, `${statements.length} statements`);
});

reading.run();
