import * as assert from 'uvu/assert';
import { type FilledProject, fillProject } from '../../contract/filled-project.js';
import { inEachOrder, type ListQuestion, plainLists } from '../../harness/list-questions.js';
import { buildMember, type World } from '../../support/factories/factories.js';
import { buildSurvey } from '../../support/factories/survey-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { SMALL_MAP, uploadSymbols } from '../../support/symbols/symbol-client.js';

const edges = worldSuite<{ filled: FilledProject }>('edges between modules', {
  worker: true,
  settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
});

edges.before(async (context) => {
  context.filled = await fillProject(context.test, context.world);
});

edges('a release leads to its own symbols and crashes', async ({ world }) => {
  const { client } = world.owner;
  const release = async (version: string, environment: string): Promise<object> => {
    const answer = await client.graphql<{ createRelease: object }>(
      `mutation($i: CreateReleaseInput!) { createRelease(input: $i) {
        symbols { totalCount nodes { release environment } } crashEvents { totalCount nodes { release issue { title } } } } }`,
      { i: { projectId: world.projectId, environment, version } },
    );
    return answer.createRelease;
  };
  const map = { name: 'app.js.map', bytes: SMALL_MAP };
  const { status } = await uploadSymbols(client, map, {
    project_id: world.projectId,
    kind: 'js_sourcemap',
    release: '2.0',
  });
  assert.is(status, 201);
  assert.equal(await release('2.0', 'live'), {
    symbols: { totalCount: 1, nodes: [{ release: '2.0', environment: 'live' }] },
    crashEvents: { totalCount: 1, nodes: [{ release: '2.0', issue: { title: 'a.c: nothing to buy' } }] },
  });
  const none = { totalCount: 0, nodes: [] };
  assert.equal(await release('2.0', 'test'), { symbols: none, crashEvents: none });
});

edges('a list that the caller may not see is null and leaves the rest of its object alone', async ({ test, world }) => {
  const viewer = await buildMember(test, world, 'viewer');
  const body = {
    query: `query($p: ID!) { project(id: $p) {
      name apiKeys { nodes { id } } deployTokens { nodes { id } } auditLog { nodes { id } } configItems { nodes { key } } } }`,
    variables: { p: world.projectId },
  };
  const answer = (await viewer.client.post('/graphql', body)).body as {
    data: { project: Record<string, { nodes: unknown[] } | null> };
    errors: { path: string[]; extensions: { code: string } }[];
  };
  const { configItems, name, ...hidden } = answer.data.project;
  assert.ok(name && configItems?.nodes);
  assert.equal(hidden, { apiKeys: null, deployTokens: null, auditLog: null });
  assert.equal(
    answer.errors.map(({ path, extensions }) => [path.at(-1), extensions.code]).sort(),
    Object.keys(hidden)
      .map((list) => [list, 'PERMISSION_DENIED'])
      .sort(),
  );
});

edges('an invalid cursor of one list does not fail a list of another root', async ({ world }) => {
  const body = {
    query: `query($p: ID!) {
      flags(projectId: $p, after: "nonsense") { nodes { id } } configItems(projectId: $p) { totalCount nodes { key } } }`,
    variables: { p: world.projectId },
  };
  const answer = (await world.owner.client.post('/graphql', body)).body as {
    data: { flags: null; configItems: { totalCount: number } | null };
    errors: { path: string[]; extensions: { code: string } }[];
  };
  assert.equal(
    answer.errors.map(({ path, extensions }) => [...path, extensions.code]),
    [['flags', 'INVALID_CURSOR']],
  );
  assert.ok((answer.data.configItems?.totalCount ?? 0) > 0);
});

/** The most aliases that one operation may have. */
const MOST_ALIASES = 40;

edges(
  'no list accepts a cursor of another list, another order or the other direction',
  async ({ test, world, filled }) => {
    const { client } = world.owner;
    const asked = plainLists(test.app.schema, filled, 1)
      .flatMap(inEachOrder)
      .flatMap((question) => (['asc', 'desc'] as const).map((direction) => askedFor(question, direction)));
    const answers = await Promise.all(
      asked.map(({ field }) =>
        client.graphql<{ list: { pageInfo: { endCursor: string | null } } }>(`{ list: ${field('')} }`),
      ),
    );
    const cursors = asked.flatMap(({ label }, at) => {
      const cursor = answers[at]?.list.pageInfo.endCursor;
      return cursor ? [{ label, cursor }] : [];
    });
    assert.ok(cursors.length > 80, `${cursors.length} cursors`);
    for (const { label, field } of asked)
      for (let from = 0; from < cursors.length; from += MOST_ALIASES) {
        const some = cursors.slice(from, from + MOST_ALIASES);
        const query = `{ ${some.map(({ cursor }, at) => `c${at}: ${field(`after: "${cursor}"`)}`).join(' ')} }`;
        const { errors = [] } = (await client.post('/graphql', { query })).body as {
          errors?: { path: string[]; extensions: { code: string } }[];
        };
        const refused = errors.map(({ path, extensions }) => `${path.join()} ${extensions.code}`);
        const foreign = some.flatMap((cursor, at) => (cursor.label === label ? [] : [`c${at} INVALID_CURSOR`]));
        assert.equal(refused.sort(), foreign.sort(), label);
      }
  },
);

/** A list in one order as a query field, without the cursors that `more` may add. */
function askedFor({ list, variables }: ListQuestion, direction: 'asc' | 'desc') {
  const { orderBy, first, ...owner } = variables as { orderBy: { field: string }; first: number };
  const own = Object.entries(owner).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const order = `orderBy: { field: ${orderBy.field}, direction: ${direction} }`;
  return {
    label: `${list} ${orderBy.field} ${direction}`,
    field: (more: string) =>
      `${list}(${[...own, `first: ${first}`, order, more].join(' ')}) { pageInfo { endCursor } }`,
  };
}

edges('a survey leads to the same results as its own query', async ({ world, filled }) => {
  await buildSurvey(world, { name: 'Without answers' });
  const fields = `environment responses averageScore nps { score } overTime { day responses }
    questions { prompt answered average distribution { value count } question { id } }`;
  const { surveys, surveyResults } = await world.owner.client.graphql<{
    surveys: { nodes: { id: string; results: { responses: number } }[] };
    surveyResults: object;
  }>(
    `query($p: ID!, $s: ID!) { surveys(projectId: $p) { nodes { id results { ${fields} } } } surveyResults(surveyId: $s) { ${fields} } }`,
    { p: world.projectId, s: filled.surveyId?.[0] },
  );
  const byId = new Map(surveys.nodes.map(({ id, results }) => [id, results]));
  assert.equal(byId.get(String(filled.surveyId?.[0])), surveyResults);
  assert.equal(
    [...byId.values()].map(({ responses }) => responses).sort(),
    surveys.nodes.map(({ id }) => (id === filled.surveyId?.[0] ? 1 : 0)).sort(),
  );
});

edges('a response leads to the person that its ids name, if there is one', async ({ world, filled }) => {
  const read = async () =>
    (
      await world.owner.client.graphql<{ surveyResponse: { person: { properties: object } | null } }>(
        'query($id: ID!) { surveyResponse(id: $id) { person { properties distinctIds } } }',
        { id: filled['surveyResponse id']?.[0] },
      )
    ).surveyResponse.person;
  assert.is(await read(), null);
  const { status } = await world.live.post('/api/v1/people', { distinct_id: 'u1', properties: { plan: 'pro' } });
  assert.is(status, 200);
  assert.equal(await read(), { properties: { plan: 'pro' }, distinctIds: ['u1'] });
});

edges('a delivery leads to its event', async ({ world, filled }) => {
  const { webhookDelivery, deadLetter, auditLog } = await world.owner.client.graphql<{
    webhookDelivery: { eventId: string; kind: string; event: object };
    deadLetter: { event: object };
    auditLog: { nodes: { __typename: string; id: string }[] };
  }>(
    `query($id: ID!, $p: ID) { webhookDelivery(id: $id) { eventId kind event { id kind project { id } } }
      deadLetter(id: $id) { event { id } }
      auditLog(projectId: $p) { nodes { ... on Node { __typename id } } } }`,
    { id: filled['deadLetter id']?.[0], p: world.projectId },
  );
  const { eventId, kind } = webhookDelivery;
  assert.equal(webhookDelivery.event, { id: eventId, kind, project: { id: world.projectId } });
  assert.equal(deadLetter.event, { id: eventId });
  assert.ok(auditLog.nodes.some(({ __typename, id }) => __typename === 'AuditEntry' && id === eventId));
});

edges('API tokens say who may revoke them', async ({ test, world }) => {
  const minted = async ({ owner: { client } }: Pick<World, 'owner'>, role: string): Promise<string> => {
    const { createApiToken } = await client.graphql<{ createApiToken: { apiToken: { id: string } } }>(
      'mutation($i: CreateApiTokenInput!) { createApiToken(input: $i) { apiToken { id } } }',
      { i: { name: role, role, expiresInDays: 1 } },
    );
    return createApiToken.apiToken.id;
  };
  // Both call with tokens of their own role, and such a token cannot revoke one of wider scope.
  const admin = await buildMember(test, world, 'admin');
  const ids = [await minted(world, 'owner'), await minted({ owner: admin }, 'admin')];
  const seen = async ({ client }: World['owner']): Promise<unknown[]> => {
    const { apiTokens } = await client.graphql<{ apiTokens: { nodes: { id: string; viewerCan: string[] }[] } }>(
      '{ apiTokens(first: 100) { nodes { id viewerCan } } }',
    );
    return ids.map((id) => apiTokens.nodes.find((token) => token.id === id)?.viewerCan);
  };
  assert.equal(await seen(world.owner), [['api_token_revoke'], ['api_token_revoke']]);
  assert.equal(await seen(admin), [[], ['api_token_revoke']]);
});

edges.run();
