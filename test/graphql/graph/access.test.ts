import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { systemCaller } from '../../../src/kernel/context.js';
import { openAccount, personNamed } from '../../../src/modules/access/people/accounts.js';
import { refusalOf } from '../../support/client.js';
import {
  buildKey,
  buildMember,
  buildProject,
  buildWorld,
  type TestUser,
  type World,
} from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { signIn } from '../../support/sign-in.js';
import { takeAsManyReads } from '../../support/statements.js';
import type { TestApp } from '../../support/test-app.js';

const access = worldSuite('access in the graph');

const PROJECTS = 20;

access.before(async (context) => {
  for (let index = 0; index < PROJECTS; index += 1) {
    const project = await buildProject(context.world);
    const id = await joined(context.test, project);
    await buildFlag(project);
    for (const [field, input] of [
      ['createDeployToken', { projectId: project.projectId, name: `token ${index}` }],
      ['createApiToken', { projectId: project.projectId, name: `token ${index}`, role: 'viewer' }],
      ['changeMemberRole', { projectId: project.projectId, userId: id, role: 'editor' }],
    ] as const)
      await mutate(context.world, field, input, '__typename');
  }
});
/** A member who cannot sign in yet, because hashing passwords takes time. */
function joined({ app }: TestApp, { organizationId }: World): Promise<string> {
  return app.tx.write(systemCaller('test'), async (ctx) => {
    const user = await personNamed(ctx, `${randomUUID()}@example.com`);
    await openAccount(ctx, user, { organizationId, role: 'viewer', passwordHash: null, mustChangePassword: false });
    return user.id;
  });
}

function mutate<T>({ owner }: World, field: string, input: object, selection: string): Promise<Record<string, T>> {
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
  return owner.client.graphql(`mutation($input: ${type}!) { ${field}(input: $input) { ${selection} } }`, { input });
}

const PAGES: Record<string, string> = {
  projects: `projects(first: $first, orderBy: { field: createdAt, direction: desc }) { nodes { organization { name } switchedOffModules
    usage { plan meters { meter current } project { name } }
    apiKeys(first: 2) { totalCount nodes { grantedScopes viewerCan project { name } } }
    deployTokens(first: 2) { totalCount nodes { name project { name } } }
    apiTokens(first: 2) { totalCount nodes { name user { email } project { name } organization { name } parent { name } } }
    roles(first: 2) { totalCount nodes { role user { email } project { name } } }
    auditLog(first: 2) { totalCount nodes { kind inEnvironment actor { email } project { name } } } } }`,
  members: `members(first: $first, orderBy: { field: createdAt, direction: desc }) { nodes { user { email } organization { name }
    projectRoles(first: 2) { totalCount nodes { role project { name } user { email } } } } }`,
};

access('costs the same number of statements for one row as for twenty, on every edge', async ({ world }) => {
  for (const [name, page] of Object.entries(PAGES)) {
    const query = `query($first: Int!) { ${page} }`;
    await world.owner.client.graphql(query, { first: 1 });
    const many = await takeAsManyReads(
      () => world.owner.client.graphql(query, { first: 1 }),
      () => world.owner.client.graphql<Record<string, { nodes: object[] }>>(query, { first: 100 }),
      name,
    );
    assert.ok((many[name]?.nodes.length ?? 0) > PROJECTS, name);
  }
});

access('tells the viewer who they are, where, and what they may do there', async ({ test, world }) => {
  const query = `query($p: ID) { viewer { user { email } organization { name viewerCan members { totalCount } } role project { name }
    permissions(projectId: $p) } }`;
  const ask = async (client = world.owner.client, p: string | null = null) =>
    (
      await client.graphql<{
        viewer: { user: { email: string }; role: string; permissions: string[]; project: object | null };
      }>(query, { p })
    ).viewer;
  const owner = await ask();
  assert.equal([owner.user.email, owner.role, owner.project], [world.owner.email, 'owner', null]);
  assert.ok(owner.permissions.includes('organization_create'));
  const editor = await buildMember(test, world, 'editor');
  await mutate(
    world,
    'changeMemberRole',
    { userId: editor.id, projectId: world.projectId, role: 'viewer' },
    '__typename',
  );
  assert.ok((await ask(editor.client)).permissions.includes('switch_flag_halt'));
  const roleIn = async ({ client }: TestUser) => {
    const { projects } = await client.graphql<{ projects: { nodes: { viewerRole: string }[] } }>(
      '{ projects(first: 1) { nodes { viewerRole } } }',
    );
    return projects.nodes[0]?.viewerRole;
  };
  assert.equal([await roleIn(editor), await roleIn(world.owner)], ['viewer', 'owner']);
  const inProject = (await ask(editor.client, world.projectId)).permissions;
  assert.ok(inProject.includes('switch_flag_view'));
  assert.not.ok(inProject.includes('switch_flag_halt'));
  assert.not.ok(inProject.includes('member_view'));
  const other = await buildWorld(test);
  assert.equal((await ask(other.owner.client, world.projectId)).permissions, []);
  await mutate(world, 'removeProjectRole', { userId: editor.id, projectId: world.projectId }, '__typename');
  assert.ok((await ask(editor.client, world.projectId)).permissions.includes('switch_flag_halt'));
  assert.is(await roleIn(editor), 'editor');
});

access('shows an organization only to tokens that belong to it', async ({ test, world }) => {
  const { createOrganization } = await mutate<{ id: string; members: null; projects: null }>(
    world,
    'createOrganization',
    { name: 'Another' },
    'id members { totalCount } projects { totalCount } apiTokens { totalCount } auditLog { totalCount } viewerCan',
  );
  assert.equal(
    { ...createOrganization, id: '' },
    { id: '', members: null, projects: null, apiTokens: null, auditLog: null, viewerCan: [] },
  );
  const other = await buildWorld(test);
  const { code } = await refusalOf(
    other.owner.client.graphql(`{ organization(id: "${world.organizationId}") { id } }`),
  );
  assert.is(code, 'ORGANIZATION_NOT_FOUND');
});

access('checks permissions on the edges to keys and to the audit log', async ({ test, world }) => {
  const viewer = await buildMember(test, world, 'viewer');
  for (const edge of ['apiKeys', 'deployTokens', 'auditLog']) {
    const query = `{ project(id: "${world.projectId}") { ${edge} { totalCount } } }`;
    assert.is((await refusalOf(viewer.client.graphql(query))).code, 'PERMISSION_DENIED', edge);
  }
});

interface Entries {
  auditLog: { totalCount: number; nodes: { id: string; kind: string; actor: { email: string } | null }[] };
}

access('filters the audit log, and returns its entries by id', async ({ world }) => {
  const { projectId, owner } = await buildProject(world);
  const flag = await buildFlag({ ...world, projectId });
  const log = (args: string) =>
    owner.client.graphql<Entries>(
      `{ auditLog(projectId: "${projectId}" ${args}) { totalCount nodes { id kind actor { email } } } }`,
    );
  const cases: [string, number][] = [
    ['', 4],
    ['filter: { kind: { in: ["access.key.created", "access.key.revoked"] } }', 2],
    [`filter: { objectId: { eq: "${flag.id}" } }`, 1],
    [`filter: { actorId: { eq: "${owner.id}" } kind: { in: ["switch.flag.created", "access.project.created"] } }`, 2],
    [`actorId: "${owner.id}" kind: "switch.flag.created"`, 1],
    [`filter: { objectId: { in: ["${projectId.toUpperCase()}"] } actorId: { eq: "${owner.id.toUpperCase()}" } }`, 1],
    [`objectId: "${projectId.toUpperCase()}" actorId: "${owner.id.toUpperCase()}"`, 1],
    ['filter: { createdAt: { to: "2001-01-01T00:00:00Z" } }', 0],
    ['filter: { environment: { eq: test } }', 1],
  ];
  for (const [args, count] of cases) assert.is((await log(args)).auditLog.totalCount, count, args);
  const [newest] = (await log('first: 1')).auditLog.nodes;
  assert.equal([newest?.kind, newest?.actor?.email], ['switch.flag.created', owner.email]);
  const found = await owner.client.graphql<{ auditEntry: { kind: string } }>(
    `{ auditEntry(id: "${newest?.id}") { kind } }`,
  );
  assert.is(found.auditEntry.kind, newest?.kind);
});

access('names in the audit log the API token that made a change, even after it is gone', async ({ test, world }) => {
  const { owner } = world;
  const { projectId } = await buildProject(world);
  const minted = await owner.client.graphql<{ createApiToken: { token: string; apiToken: { id: string } } }>(
    'mutation($p: ID!) { createApiToken(input: { name: "CI", role: editor, projectId: $p }) { token apiToken { id } } }',
    { p: projectId },
  );
  const { token, apiToken } = minted.createApiToken;
  await buildFlag({ ...world, owner: { ...owner, client: owner.client.withToken(token) }, projectId });
  const session = (await signIn(test.baseUrl, owner)).client;
  await buildFlag({ ...world, owner: { ...owner, client: session }, projectId });
  const entries = async (and = '') => {
    const query = `{ auditLog(projectId: "${projectId}", filter: { kind: { eq: "switch.flag.created" } ${and} }) { nodes {
      actorTokenId actorTokenName actorToken { id } } } }`;
    return (await owner.client.graphql<{ auditLog: { nodes: object[] } }>(query)).auditLog.nodes;
  };
  const bySession = { actorTokenId: null, actorTokenName: null, actorToken: null };
  const byToken = { actorTokenId: apiToken.id, actorTokenName: 'CI', actorToken: apiToken };
  assert.equal(await entries(), [bySession, byToken]);
  await test.app.pool.query('delete from api_token where id = $1', [apiToken.id]);
  assert.equal(await entries(), [bySession, { ...byToken, actorToken: null }]);
  const withToken = `actorTokenId: { eq: "${apiToken.id}" }`;
  assert.equal(await entries(withToken), [{ ...byToken, actorToken: null }]);
});

access('filters members, keys and tokens', async ({ test, world }) => {
  const { client } = world.owner;
  const member = await buildMember(test, world, 'admin', 'someone.special@example.com');
  const counts = await client.graphql<Record<string, { totalCount: number }>>(`{
    a: members(search: "SPECIAL@") { totalCount } b: members(filter: { user: { eq: "${member.id}" } }) { totalCount }
    c: members(filter: { role: { eq: admin } }) { totalCount }
    d: apiKeys(projectId: "${world.projectId}", filter: { environment: { eq: test } }) { totalCount }
    e: apiKeys(projectId: "${world.projectId}", isRevoked: true) { totalCount }
    f: apiTokens(filter: { userId: { eq: "${member.id}" } }) { totalCount }
    g: deployTokens(projectId: "${world.projectId}", search: "token") { totalCount } }`);
  assert.equal(
    Object.values(counts).map(({ totalCount }) => totalCount),
    [1, 1, 1, 1, 0, 1, 0],
  );
});

access('revokes several keys at once, with a result for each', async ({ test, world }) => {
  const { projectId, owner } = await buildProject(world);
  await buildKey(owner, projectId, 'live');
  const keysOf = async () =>
    (
      await owner.client.graphql<{ apiKeys: { nodes: { id: string; revokedAt: string | null }[] } }>(
        `{ apiKeys(projectId: "${projectId}") { nodes { id revokedAt } } }`,
      )
    ).apiKeys.nodes;
  const [first, second, third] = await keysOf();
  const foreign = await buildWorld(test);
  const revoke = (client = owner.client) =>
    client.graphql<{ revokeApiKeys: { id: string; error: { code: string } | null; object: object | null }[] }>(
      'mutation($ids: [ID!]!) { revokeApiKeys(input: { ids: $ids }) { id error { code } object { id } } }',
      { ids: [first?.id, 'nothing', second?.id] },
    );
  assert.ok((await revoke(foreign.owner.client)).revokeApiKeys.every(({ error }) => error?.code === 'KEY_NOT_FOUND'));
  const { revokeApiKeys } = await revoke();
  assert.equal(
    revokeApiKeys.map(({ error }) => error?.code ?? null),
    [null, 'KEY_NOT_FOUND', null],
  );
  const open = (await keysOf()).filter(({ revokedAt }) => revokedAt === null);
  assert.equal(
    open.map(({ id }) => id),
    [third?.id],
  );
});

access.run();
