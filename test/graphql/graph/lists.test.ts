import * as assert from 'uvu/assert';
import { refusalOf } from '../../support/client.js';
import { buildMember, buildProject, type World } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { recordReads, takeAsManyReads } from '../../support/statements.js';

const lists = worldSuite('lists of the graph');

const KEYS = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'fox_trot', 'golf%', 'Hotel'].map((key) =>
  key.replace('%', '.x'),
);

lists.before(async (context) => {
  for (const [index, key] of KEYS.entries())
    await buildFlag(context.world, {
      key,
      environment: index % 2 ? 'test' : 'live',
      description: `The ${index}th 100% flag`,
    });
  const { id } = await buildFlag(context.world, { key: 'india' });
  await context.world.owner.client.graphql('mutation($id: ID!) { archiveFlag(input: { flagId: $id }) { id } }', { id });
});

interface FlagPage {
  nodes: { key: string }[];
  edges?: { cursor: string }[];
  totalCount: number;
  isEstimate: boolean;
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}

async function flags({ owner, projectId }: World, args: string, fields = ''): Promise<FlagPage> {
  const query = `{ flags(projectId: "${projectId}" ${args}) {
    nodes { key } totalCount isEstimate pageInfo { hasNextPage hasPreviousPage startCursor endCursor } ${fields} } }`;
  return (await owner.client.graphql<{ flags: FlagPage }>(query)).flags;
}

const keysOf = (page: FlagPage): string[] => page.nodes.map(({ key }) => key);

lists('can be read in every order, both ways, and by cursor from both ends', async ({ world }) => {
  const byKey = [...KEYS].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  const ascending = keysOf(await flags(world, 'orderBy: { field: key }'));
  assert.equal([...ascending].sort(), [...KEYS].sort());
  assert.equal(keysOf(await flags(world, 'orderBy: { field: key, direction: desc }')), [...ascending].reverse());
  assert.equal(byKey.length, ascending.length);
  assert.equal(keysOf(await flags(world, '')), KEYS);
  for (const order of ['', 'orderBy: { field: key, direction: desc }', 'orderBy: { field: updatedAt }']) {
    const whole = keysOf(await flags(world, order));
    const forwards: string[] = [];
    let page = await flags(world, `first: 3 ${order}`);
    assert.not(page.pageInfo.hasPreviousPage);
    forwards.push(...keysOf(page));
    while (page.pageInfo.hasNextPage) {
      page = await flags(world, `first: 3 after: "${page.pageInfo.endCursor}" ${order}`);
      assert.ok(page.pageInfo.hasPreviousPage);
      forwards.push(...keysOf(page));
    }
    assert.equal(forwards, whole);
    const backwards: string[] = [];
    page = await flags(world, `last: 3 ${order}`);
    assert.not(page.pageInfo.hasNextPage);
    backwards.unshift(...keysOf(page));
    while (page.pageInfo.hasPreviousPage) {
      page = await flags(world, `last: 3 before: "${page.pageInfo.startCursor}" ${order}`);
      assert.ok(page.pageInfo.hasNextPage);
      backwards.unshift(...keysOf(page));
    }
    assert.equal(backwards, whole);
  }
});

lists('refuse cursors of another order or list, and invalid page sizes', async ({ world }) => {
  const { pageInfo } = await flags(world, 'first: 2');
  for (const args of [
    `after: "${pageInfo.endCursor}" orderBy: { field: key }`,
    `after: "${pageInfo.endCursor}" orderBy: { field: createdAt, direction: desc }`,
    'after: "x"',
    ...['yesterday', '1', '2026', '2026-02-30T00:00:00.000Z', '2026-01-01T00:00:00.000+99:00'].map(
      (at) => `before: "${Buffer.from(`["Flag createdAt asc","${at}","x"]`).toString('base64url')}"`,
    ),
  ])
    assert.is((await refusalOf(flags(world, args))).code, 'INVALID_CURSOR', args);
  for (const args of ['last: 0', 'last: 101', 'first: 101'])
    assert.is((await refusalOf(flags(world, args))).code, 'INVALID_INPUT', args);
});

lists('are read from one end: first and last together are refused, and the error names both', async ({ world }) => {
  const query = `query($p: ID!, $first: Int = 25, $last: Int) { project(id: $p) { flags(first: $first, last: $last) { nodes { key } } } }`;
  const ask = (variables: object) =>
    world.owner.client.graphql<{ project: { flags: FlagPage } }>(query, { p: world.projectId, ...variables });
  for (const refused of [flags(world, 'first: 3 last: 2'), ask({ first: 3, last: 2 })]) {
    const { code, errors } = await refusalOf(refused);
    assert.is(code, 'INVALID_INPUT');
    const [error] = errors as unknown as { extensions: { fields: { path: string }[] } }[];
    assert.equal(
      error?.extensions.fields.map(({ path }) => path),
      ['first', 'last'],
    );
  }
  assert.equal(keysOf((await ask({ last: 2 })).project.flags), KEYS.slice(-2));
  assert.equal(keysOf((await ask({ first: 2, last: null })).project.flags), KEYS.slice(0, 2));
  for (const absent of [await flags(world, 'first: null last: 2'), (await ask({ first: null, last: 2 })).project.flags])
    assert.equal(keysOf(absent), KEYS.slice(-2));
  assert.equal(keysOf((await ask({ first: null, last: null })).project.flags), KEYS);
});

lists('contain what matches the filter and the search text', async ({ world }) => {
  const cases: [args: string, keys: string[]][] = [
    ['filter: { key: { eq: "bravo" } }', ['bravo']],
    ['filter: { key: { in: ["bravo", "echo", "none"] } }', ['bravo', 'echo']],
    ['filter: { key: { in: [] } }', []],
    ['filter: { key: { contains: "O" } environment: { eq: live } }', ['echo', 'golf.x']],
    ['filter: { key: { contains: "_" } }', ['fox_trot']],
    ['filter: { key: {} }', KEYS],
    ['filter: { environment: { in: [test] } } search: "hot"', ['Hotel']],
    ['search: "100% flag" first: 2', ['alpha', 'bravo']],
    ['filter: { createdAt: { from: "2999-01-01T00:00:00.000Z" } }', []],
    ['filter: { isArchived: { eq: true } }', ['india']],
    ['filter: { isArchived: { eq: null } }', KEYS],
    ['filter: { kind: { eq: variant } }', []],
    ['keyPrefix: "fox_"', ['fox_trot']],
    ['environment: test search: "alpha"', []],
    ['search: ""', KEYS],
    ['filter: { key: { contains: "" } }', KEYS],
  ];
  for (const [args, keys] of cases) assert.equal(keysOf(await flags(world, args)), keys, args);
});

lists('report their length whatever page is shown, and count only on request', async ({ world }) => {
  assert.is((await flags(world, 'first: 2')).totalCount, KEYS.length);
  const found = await flags(world, 'first: 1 search: "o" filter: { environment: { eq: live } }');
  assert.equal([found.totalCount, found.isEstimate], [2, false]);
  const query = (fields: string) => `{ flags(projectId: "${world.projectId}", first: 1) { ${fields} } }`;
  const count = () => world.owner.client.graphql(query('nodes { key } totalCount isEstimate'));
  const read = () => world.owner.client.graphql(query('nodes { key }'));
  await takeAsManyReads(read, count);
  const [counting, plain] = [await recordReads(count), await recordReads(read)];
  const counts = (text: string) => text.includes('count(*)');
  assert.ok(counting.statements.some(({ text }) => counts(text)));
  assert.not(plain.statements.some(({ text }) => counts(text)));
});

lists(
  'of many owners take as many statements as that of one, and check permission for each owner',
  async ({ test, world }) => {
    const projects = await Promise.all(Array.from({ length: 12 }, () => buildProject(world)));
    for (const project of projects) await buildFlag(project);
    const query = `query($first: Int!) { projects(first: $first) { nodes { id viewerCan
    flags(first: 2) { totalCount nodes { key viewerCan project { name } versions(first: 1) { totalCount nodes { versionNumber } } } }
    configItems { totalCount nodes { key } } } } }`;
    const many = await takeAsManyReads(
      () => world.owner.client.graphql(query, { first: 1 }),
      () => world.owner.client.graphql<{ projects: { nodes: { flags: FlagPage }[] } }>(query, { first: 100 }),
    );
    assert.is(many.projects.nodes.length, 13);
    for (const { flags: page } of many.projects.nodes.slice(1))
      assert.equal([page.nodes.length, page.totalCount], [1, 1]);
    const viewer = await buildMember(test, world, 'viewer');
    const seen = await viewer.client.graphql<{
      projects: { nodes: { viewerCan: string[]; flags: { nodes: { viewerCan: string[] }[] } }[] };
    }>(query, { first: 2 });
    for (const project of seen.projects.nodes) {
      assert.equal(project.viewerCan, ['api_token_mint', 'api_token_revoke']);
      for (const flag of project.flags.nodes) assert.equal(flag.viewerCan, []);
    }
  },
);

lists('return nothing for an invalid id, whatever else is requested', async ({ world }) => {
  const found = async (filter: string) => {
    const { projects } = await world.owner.client.graphql<{ projects: { nodes: { id: string }[] } }>(
      `{ projects(filter: { id: ${filter} }) { nodes { id } } }`,
    );
    return projects.nodes.map(({ id }) => id);
  };
  assert.equal(await found(`{ in: ["${world.projectId}"] }`), [world.projectId]);
  assert.equal(await found(`{ eq: "none", in: ["${world.projectId}"] }`), []);
});

lists(
  'of a project in which the caller has a weaker role than elsewhere are refused, whatever is requested',
  async ({ test, world }) => {
    const admin = await buildMember(test, world, 'admin');
    const keys = async (args: string) =>
      (await refusalOf(admin.client.graphql(`{ apiKeys(projectId: "${world.projectId}"${args}) { nodes { id } } }`)))
        .code;
    await admin.client.graphql(`{ apiKeys(projectId: "${world.projectId}") { nodes { id } } }`);
    assert.is(await keys(', after: "of another list"'), 'INVALID_CURSOR');
    await world.owner.client.graphql(
      'mutation($input: ChangeMemberRoleInput!) { changeMemberRole(input: $input) { role } }',
      {
        input: { userId: admin.id, role: 'viewer', projectId: world.projectId },
      },
    );
    assert.is(await keys(''), 'PERMISSION_DENIED');
    assert.is(await keys(', after: "of another list"'), 'PERMISSION_DENIED');
  },
);

lists('that fail do not affect sibling fields', async ({ world }) => {
  const answer = await world.owner.client.post('/graphql', {
    query: `mutation { a: createApiKey(input: { projectId: "${world.projectId}", environment: test }) { secret }
      b: createFlag(input: { projectId: "${world.projectId}", environment: live, key: "not a key" }) { id } }`,
  });
  const { data, errors } = answer.body as { data: { a: { secret: string }; b: null }; errors: { path: string[] }[] };
  assert.match(data.a.secret, /^\S{20,}/);
  assert.is(data.b, null);
  assert.equal(
    errors.map(({ path }) => path),
    [['b']],
  );
});

lists.run();
