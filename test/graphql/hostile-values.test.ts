import * as assert from 'uvu/assert';
import { type GraphqlRefusal, refusalOf } from '../support/client.js';
import { buildProject } from '../support/factories/factories.js';
import { worldSuite } from '../support/factories/world-suite.js';

const DEEP_LIST = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
const DEEP_OBJECT = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;

const values = worldSuite('hostile values in GraphQL');
const { here } = values;
values.before.each(async () => {
  here.world = await buildProject(here.world);
});

const mutate = <T = Record<string, unknown>>(name: string, type: string, input: object, fields: string) =>
  here.world.owner.client
    .graphql<Record<string, T>>(`mutation($input: ${type}!) { ${name}(input: $input) { ${fields} } }`, { input })
    .then((answer) => answer[name] as T);
const ask = <T = Record<string, { nodes: unknown[] }>>(query: string, variables: object = {}) =>
  here.world.owner.client.graphql<T>(query, { p: here.world.projectId, ...variables });

/** The error codes in the answer to a raw body. */
async function codesOf(body: string): Promise<string[]> {
  const { body: answer, text } = await here.world.owner.client.post('/graphql', body);
  const { errors } = answer as { errors?: { extensions: { code: string } }[] };
  assert.ok(errors, text.slice(0, 300));
  return errors.map(({ extensions }) => extensions.code);
}

values('U+0000 and lone surrogates become U+FFFD, in variables and documents, in JSON at any depth', async () => {
  const flag = await mutate(
    'createFlag',
    'CreateFlagInput',
    {
      projectId: here.world.projectId,
      environment: 'live',
      key: 'json',
      kind: 'variant',
      description: 'a\u0000b\ud800c',
      variants: [{ key: 'one', value: { 'k\u0000': [{ '\udfff': 'v\u0000' }] } }],
    },
    'description variants { value }',
  );
  assert.equal(flag, {
    description: 'a\ufffdb\ufffdc',
    variants: [{ value: { 'k\ufffd': [{ '\ufffd': 'v\ufffd' }] } }],
  });
  const literal = `mutation($p: ID!) { createFlag(input: { projectId: $p, environment: live, key: "literal", kind: variant,
    description: "a\\u0000b", variants: [{ key: "one", value: { k: ["v\\u0000"] } }] }) { description variants { value } } }`;
  const { createFlag } = await ask<Record<string, unknown>>(literal);
  assert.equal(createFlag, { description: 'a\ufffdb', variants: [{ value: { k: ['v\ufffd'] } }] });
});

values('an id or a name containing them names nothing', async () => {
  for (const hostile of [`${here.world.projectId.slice(0, -1)}\u0000`, '\u0000', '\ud800', 'a\udfffb']) {
    assert.is(
      (await refusalOf(ask('query($id: ID!) { project(id: $id) { id } }', { id: hostile }))).code,
      'PROJECT_NOT_FOUND',
    );
    assert.is(
      (await refusalOf(ask('query($id: ID!) { survey(id: $id) { id } }', { id: hostile }))).code,
      'SURVEY_NOT_FOUND',
    );
    const { person } = await ask<{ person: unknown }>(
      'query($p: ID!, $d: String!) { person(projectId: $p, distinctId: $d) { id } }',
      { d: hostile },
    );
    assert.is(person, null);
    const { auditLog } = await ask(
      'query($k: String) { auditLog(kind: $k, actorId: $k, objectId: $k) { nodes { id } } }',
      {
        k: hostile,
      },
    );
    assert.equal(auditLog?.nodes, []);
  }
  const member = { email: 'a\ud800@example.com', role: 'viewer' };
  assert.is(
    (await refusalOf(mutate('addMember', 'AddMemberInput', member, 'member { user { id } }'))).code,
    'INVALID_INPUT',
  );
});

values('texts in lists come back unchanged', async () => {
  const distinctIds = ['null', 'NULL', '', ' ', ' a ', 'a\nb', 'a\\b', '{}', '"', 'a,b', '\t'];
  const cohort = await mutate(
    'createCohort',
    'CreateCohortInput',
    { projectId: here.world.projectId, name: 'odd', distinctIds },
    'distinctIds',
  );
  assert.equal(cohort, { distinctIds });
  const { cohorts } = await ask('query($p: ID!) { cohorts(projectId: $p) { nodes { distinctIds } } }');
  assert.equal(cohorts?.nodes, [{ distinctIds }]);
});

values('limits of a plan must be safe integers', async () => {
  for (const events of [0.5, 1e308, 2 ** 53, -1, -1e308]) {
    const setting = here.world.operator.graphql(
      'mutation($input: SetProjectPlanInput!) { setProjectPlan(input: $input) { plan } }',
      { input: { projectId: here.world.projectId, plan: 'hobby', overrides: { events } } },
    );
    assert.is((await refusalOf(setting)).code, events < 0 ? 'NEGATIVE_LIMIT' : 'INVALID_INPUT', String(events));
  }
});

values('instants from 1700 to 9999 are exact; others are refused', async () => {
  const track = { event_name: 'opened', distinct_id: 'u1' };
  assert.is((await here.world.live.post('/api/v1/track', track)).status, 200);
  const events = `query($p: ID!, $from: DateTimeISO, $to: DateTimeISO) {
    events(projectId: $p, receivedFrom: $from, receivedBefore: $to) { nodes { id } } }`;
  const found = async (variables: object) => (await ask(events, variables)).events?.nodes.length;
  for (const instant of [
    '1700-01-01T00:00:00Z',
    '1800-06-01T00:00:00Z',
    '1969-12-31T23:59:59.999Z',
    '1970-01-01T00:00:00Z',
  ]) {
    assert.is(await found({ to: instant }), 0, instant);
    assert.is(await found({ from: instant }), 1, instant);
    const audit =
      'query($i: DateTimeISO) { before: auditLog(until: $i) { nodes { id } } after: auditLog(since: $i, first: 1) { nodes { id } } }';
    const { before, after } = await ask(audit, { i: instant });
    assert.equal([before?.nodes.length, after?.nodes.length], [0, 1], instant);
  }
  assert.is(await found({ to: '9999-12-31T23:59:59.999Z' }), 1);
  assert.is(await found({ from: '9999-12-31T23:59:59.999Z' }), 0);
  for (const instant of [
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '1000-01-01T00:00:00Z',
    '1699-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59.999-01:00',
  ]) {
    const refusal = await refusalOf(ask(events, { to: instant }));
    assert.is(refusal.code, 'BAD_USER_INPUT', instant);
    assert.match(refusal.message, 'between 1700-01-01');
    const query = `{ events(projectId: "${here.world.projectId}", receivedBefore: "${instant}") { nodes { id } } }`;
    assert.equal(await codesOf(JSON.stringify({ query })), ['GRAPHQL_VALIDATION_FAILED']);
  }
});

values('JSON with five thousand levels is refused everywhere', async () => {
  const flag =
    'mutation($p: ID!, $v: JSON) { createFlag(input: { projectId: $p, environment: live, key: "deep", kind: variant, variants: [{ key: "one", value: $v }] }) { id } }';
  const people = 'query($p: ID!, $v: JSONObject) { people(projectId: $p, properties: $v) { nodes { id } } }';
  const survey =
    'mutation($p: ID!, $v: JSONObject) { createSurvey(input: { projectId: $p, name: "deep", translations: $v }) { id } }';
  for (const [query, deep] of [
    [flag, DEEP_LIST],
    [flag, DEEP_OBJECT],
    [people, DEEP_OBJECT],
    [survey, DEEP_OBJECT],
  ] as const) {
    const body = `{"query":${JSON.stringify(query)},"variables":{"p":"${here.world.projectId}","v":${deep}}}`;
    assert.equal(await codesOf(body), ['QUERY_TOO_LARGE']);
    const literal = query
      .replace(/, \$v: JSON(Object)?/, '')
      .replace('$v', deep === DEEP_LIST ? '['.repeat(1_000) : '{a:'.repeat(1_000));
    assert.equal(await codesOf(JSON.stringify({ query: literal, variables: { p: here.world.projectId } })), [
      'QUERY_TOO_LARGE',
    ]);
  }
  const fine = 'query($p: ID!, $v: JSONObject) { people(projectId: $p, properties: $v) { nodes { id } } }';
  const nested = Array.from({ length: 200 }).reduce<unknown>((inner) => ({ a: inner }), 1);
  assert.equal((await ask(fine, { v: nested })).people?.nodes, []);
});

values('subscriptions are refused with a clear message', async () => {
  assert.equal(await codesOf(JSON.stringify({ query: 'subscription { flagChanged(projectId: "x") { kind } }' })), [
    'BAD_REQUEST',
  ]);
});

values('a null for a required argument is refused with a clear message', async () => {
  const query = 'query($p: ID!, $e: Environment) { crashSettings(projectId: $p, environment: $e) { projectId } }';
  const body = JSON.stringify({ query, variables: { p: here.world.projectId, e: null } });
  assert.equal(await codesOf(body), ['BAD_USER_INPUT']);
});

values('lists have a maximum length, which the refusal states', async () => {
  const question = (at: number) => ({ id: `q${at}`, kind: 'text', prompt: 'Why?' });
  const questions = Array.from({ length: 3_000 }, (_, at) => question(at));
  const survey = { projectId: here.world.projectId, name: 'long', questions };
  const refusal = await refusalOf(mutate('createSurvey', 'CreateSurveyInput', survey, 'id'));
  assert.is(refusal.code, 'INVALID_INPUT');
  assert.match(refusal.message, 'input.questions: has 3000 entries; the maximum is 1000');
  const values = Array.from({ length: 10_001 }, (_, at) => `v${at}`);
  const flag = {
    projectId: here.world.projectId,
    environment: 'live',
    key: 'long',
    rules: [{ variant: 'on', conditions: [{ attribute: 'cohort', values }] }],
  };
  const ofRule = await refusalOf(mutate('createFlag', 'CreateFlagInput', flag, 'id'));
  assert.match(ofRule.message, 'input.rules.0.conditions.0.values: has 10001 entries; the maximum is 10000');
});

values('a key has a rate of at least one and at least one scope', async () => {
  const create = (fields: object) =>
    refusalOf(
      mutate(
        'createApiKey',
        'CreateApiKeyInput',
        { projectId: here.world.projectId, environment: 'live', ...fields },
        'secret',
      ),
    );
  for (const fields of [{ rateLimit: 0 }, { rateLimit: -1 }, { scopes: [] }])
    assert.is((await create(fields)).code, 'INVALID_INPUT', JSON.stringify(fields));
});

values('an empty id names nothing, and never means all', async () => {
  const empties: [string, RegExp][] = [
    ['{ auditLog(projectId: "") { nodes { id } } }', /_NOT_FOUND/],
    ['{ tickets(boardId: "") { nodes { id } } }', /_NOT_FOUND/],
    ['{ tickets(projectId: "") { nodes { id } } }', /_NOT_FOUND/],
    ['{ symbolArtifacts(projectId: "") { nodes { id } } }', /_NOT_FOUND/],
    ['query($p: ID!) { events(projectId: $p, personId: "") { nodes { id } } }', /^NOTHING$/],
    ['query($p: ID!) { crashEvents(projectId: $p, issueId: "") { nodes { id } } }', /^NOTHING$/],
    ['query($p: ID!) { webhookDeliveries(projectId: $p, subscriptionId: "") { nodes { id } } }', /^NOTHING$/],
    ['query($p: ID!) { deadLetters(projectId: $p, subscriptionId: "") { nodes { id } } }', /^NOTHING$/],
  ];
  await here.world.live.post('/api/v1/track', { event_name: 'opened', distinct_id: 'u1' });
  for (const [query, wanted] of empties) {
    const code = await ask(query).then(
      (answer) => (Object.values(answer)[0]?.nodes.length === 0 ? 'NOTHING' : 'SOMETHING'),
      (error: GraphqlRefusal) => error.code ?? '',
    );
    assert.match(code, wanted, query);
  }
  const { id } = here.world.owner;
  const role = { userId: id, role: 'owner', projectId: '' };
  assert.match(
    (await refusalOf(mutate('changeMemberRole', 'ChangeMemberRoleInput', role, 'role'))).code ?? '',
    /_NOT_FOUND$/,
  );
});

values('lengths count characters, whatever their number of UTF-16 units', async () => {
  const { projectId } = here.world;
  const { id: surveyId } = await mutate<{ id: string }>(
    'createSurvey',
    'CreateSurveyInput',
    { projectId, name: 'x' },
    'id',
  );
  const { id: boardId } = await mutate<{ id: string }>(
    'createBoard',
    'CreateBoardInput',
    { projectId, name: 'x' },
    'id',
  );
  const survey = { projectId, name: 'x' };
  const question = { kind: 'select', prompt: 'x', options: ['a', 'b'] };
  const limits: [name: string, most: number, input: (text: string) => object][] = [
    ['Board', 200, (name) => ({ projectId, name })],
    ['Ticket', 200, (title) => ({ boardId, title })],
    ['Cohort', 200, (name) => ({ projectId, name, distinctIds: ['u'] })],
    ['Release', 200, (version) => ({ projectId, version })],
    ['Distribution', 200, (name) => ({ surveyId, name })],
    ['Survey', 200, (name) => ({ projectId, name })],
    ['Survey', 2_000, (prompt) => ({ ...survey, questions: [{ ...question, prompt }] })],
    ['Survey', 500, (option) => ({ ...survey, questions: [{ ...question, options: ['a', option] }] })],
    ['Survey', 5_000, (text) => ({ ...survey, translations: { de: { 'survey.name': text } } })],
  ];
  for (const [object, most, input] of limits) {
    const create = (text: string) => mutate(`create${object}`, `Create${object}Input`, input(text), '__typename');
    await create('😀'.repeat(most));
    assert.ok((await refusalOf(create('x'.repeat(most + 1)))).code, `${object} ${most}`);
    assert.ok((await refusalOf(create('😀'.repeat(most + 1)))).code, `${object} ${most}`);
  }
});

values('a cursor whose content cannot be stored is invalid', async () => {
  const cursor = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  for (const list of ['releases', 'people', 'crashIssues', 'crashEvents', 'events', 'surveys', 'flags']) {
    for (const after of [cursor('2026-01-01', '\u0000'), cursor('\ud800', 'x'), cursor({}), cursor(null)]) {
      const query = `query($p: ID!, $a: String) { ${list}(projectId: $p, after: $a) { nodes { id } } }`;
      const code = await ask(query, { a: after }).then(
        () => 'none',
        (error: GraphqlRefusal) => error.code,
      );
      assert.is(code, 'INVALID_CURSOR', `${list} after ${after}`);
    }
  }
});

values.run();
