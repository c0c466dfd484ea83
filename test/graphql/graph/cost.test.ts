import * as assert from 'uvu/assert';
import { circleThroughGraph } from '../../harness/list-questions.js';
import { buildMember, buildWorld } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { appSuite } from '../../support/factories/world-suite.js';
import { recordReads } from '../../support/statements.js';
import { openTestApp } from '../../support/test-app.js';

const cost = appSuite('cost of operations', { settings: { GRAPHQL_COST_PER_SECOND: '1000' } });

/** `pages` nested pages of flags, whose nodes come from fragments. */
const inFragments = (pages: number): string =>
  pages === 1 ? '... { nodes { id } }' : `... { nodes { project { flags { ${inFragments(pages - 1)} } } } }`;

interface Answer {
  data?: unknown;
  errors?: { extensions: { code: string; retryAfterMs?: number; details?: Record<string, unknown> } }[];
  extensions?: { cost?: { requested: number; actual: number; limit: number } };
}

cost('is reported to callers that request it with a header', async ({ test }) => {
  const world = await buildWorld(test);
  for (let n = 0; n < 3; n++) await buildFlag(world);
  const body = { query: `{ flags(projectId: "${world.projectId}", first: 10) { nodes { id key } totalCount } }` };
  const plain = await world.owner.client.post('/graphql', body);
  assert.is((plain.body as Answer).extensions, undefined);
  const { extensions } = (await world.owner.client.post('/graphql', body, { 'graphql-cost': '1' })).body as Answer;
  assert.equal(extensions?.cost, { requested: 41, actual: 9, limit: 50_000 });
});

cost('counts pages from the end as well', async ({ test }) => {
  const { owner, projectId } = await buildWorld(test);
  const body = { query: `{ flags(projectId: "${projectId}", last: 50) { nodes { id } } }` };
  const { extensions } = (await owner.client.post('/graphql', body, { 'graphql-cost': '1' })).body as Answer;
  assert.is(extensions?.cost?.requested, 101);
});

cost('depends on the page size of each request, even if the document is repeated', async ({ test }) => {
  const { owner, projectId } = await buildWorld(test);
  const query =
    'query($id: ID!, $size: Int = 3) { flags(projectId: $id, first: $size) { nodes { id project { flags(first: 100) { nodes { id } } } } } }';
  const requested = async (size?: number) => {
    const body = { query, variables: { id: projectId, ...(size === undefined ? {} : { size }) } };
    const { extensions } = (await owner.client.post('/graphql', body, { 'graphql-cost': '1' })).body as Answer;
    return extensions?.cost?.requested;
  };
  for (const [size, expected] of [[2], [2], [5], [undefined, 3], [undefined, 3], [2, 2]] as const)
    assert.is(await requested(size), 1 + (expected ?? size ?? 0) * 204);
});

cost('is the same however the fields are written', async ({ test }) => {
  const { owner, projectId } = await buildWorld(test);
  const requested = async (query: string) => {
    const { extensions } = (await owner.client.post('/graphql', { query }, { 'graphql-cost': '1' })).body as Answer;
    return extensions?.cost?.requested;
  };
  const plain = `{ flags(projectId: "${projectId}") { nodes { id project { items: configItems { edges { node { key } } } } } } }`;
  const fragments = `{ flags(projectId: "${projectId}") { ... { ...Page } } }
    fragment Page on FlagConnection { nodes { id ... on Flag { project { ...Items } } } }
    fragment Items on Project { items: configItems { ... on ConfigItemConnection { edges { ... { node { key } } } } } }`;
  assert.is(await requested(plain), 1 + 25 * (3 + 1 + 25 * 3));
  assert.is(await requested(fragments), await requested(plain));
});

cost('of bulk operations grows with the number of ids', async ({ test }) => {
  const { owner } = await buildWorld(test);
  const query =
    'mutation($i: IdsInput!) { archiveFlags(input: $i) { id error { code } object { project { flags { nodes { id } } } } } }';
  const costOf = async (count: number) => {
    const ids = Array.from({ length: count }, (_, n) => `flg_${n}`);
    const answer = await owner.client.post('/graphql', { query, variables: { i: { ids } } }, { 'graphql-cost': '1' });
    return (answer.body as Answer).extensions?.cost;
  };
  const [one, many] = [await costOf(1), await costOf(100)];
  assert.ok(one && many);
  assert.is(many.requested - 1, 100 * (one.requested - 1));
  assert.ok(many.actual <= many.requested);
});

cost('of cycles through the graph leads to a refusal before anything is read', async ({ test }) => {
  const { owner, projectId } = await buildWorld(test);
  // The baseline of any request: looking up the caller.
  const { statements: least } = await recordReads(() => owner.client.graphql('{ __typename }'));
  for (const query of [
    circleThroughGraph(projectId, 3),
    circleThroughGraph(projectId, 12),
    `{ flags(projectId: "${projectId}") { ${inFragments(4)} } }`,
    `{ project(id: "${projectId}") { ...P } } fragment P on Project { flags(first: 100) { nodes { project { flags(first: 100) { nodes { project { flags(last: 100) { nodes { id } } } } } } } } }`,
  ]) {
    // A repeated query would be planned.
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const { result, statements } = await recordReads(() => owner.client.post('/graphql', { query }));
      const { errors, ...rest } = result.body as Answer;
      assert.equal([result.status, errors?.length, rest], [400, 1, {}]);
      assert.is(errors?.[0]?.extensions.code, 'QUERY_TOO_LARGE');
      assert.is(statements.length, least.length);
    }
  }
});

cost('spends the budget of one token, which refills, and of no other', async () => {
  // Enough for one of the queries below, and refilled so slowly that no machine is in time for another.
  const test = await openTestApp({ settings: { GRAPHQL_COST_PER_SECOND: '26' } });
  const world = await buildWorld(test);
  const body = {
    query: `{ flags(projectId: "${world.projectId}", first: 100) { nodes { id key description defaultValue } } }`,
  };
  const [member, other] = [await buildMember(test, world, 'viewer'), await buildMember(test, world, 'viewer')];
  const both = await Promise.all([1, 2].map(() => member.client.post('/graphql', body)));
  // Either may come first.
  const [answered, refused] = both.toSorted((a, b) => a.status - b.status);
  assert.is(answered?.status, 200, answered?.text);
  assert.ok(refused);
  assert.is(refused.status, 429);
  const [error] = (refused.body as Answer).errors ?? [];
  assert.is(error?.extensions.code, 'THROTTLED');
  assert.ok((error?.extensions.retryAfterMs ?? 0) > 0 && (error?.extensions.retryAfterMs ?? 0) <= 20_000);
  assert.is(refused.headers.get('retry-after'), String(Math.ceil((error?.extensions.retryAfterMs ?? 0) / 1_000)));
  assert.is((await other.client.post('/graphql', body)).status, 200);
  await test.close();
});

cost.run();
