import * as assert from 'uvu/assert';
import { Client, refusalOf } from '../../support/client.js';
import { buildConfigItem } from '../../support/factories/config-factory.js';
import { buildMember } from '../../support/factories/factories.js';
import { worldSuite } from '../../support/factories/world-suite.js';

const access = worldSuite('organizations, members and projects');

const CHANGE_ROLE = 'mutation($input: ChangeMemberRoleInput!) { changeMemberRole(input: $input) { role } }';

access('an organization keeps its last owner', async ({ world }) => {
  const { owner } = world;
  const demoted = await refusalOf(owner.client.graphql(CHANGE_ROLE, { input: { userId: owner.id, role: 'viewer' } }));
  assert.is(demoted.code, 'LAST_OWNER');
  const removed = await refusalOf(
    owner.client.graphql('mutation($id: ID!) { removeMember(input: { userId: $id }) { id } }', { id: owner.id }),
  );
  assert.is(removed.code, 'LAST_OWNER');
});

access(
  'key scopes and disabled modules are given as enums or in the form of 0.1.0, but not both',
  async ({ world }) => {
    const { owner, projectId } = world;
    const ask = (key: object, project: object) =>
      owner.client.graphql<{
        createApiKey: { key: { environment: string; grantedScopes: string[] } };
        updateProject: { switchedOffModules: string[] };
      }>(
        `mutation($key: CreateApiKeyInput!, $project: UpdateProjectInput!) {
        createApiKey(input: $key) { key { environment grantedScopes } }
        updateProject(input: $project) { switchedOffModules } }`,
        { key: { projectId, ...key }, project: { id: projectId, ...project } },
      );
    for (const [key, project] of [
      [{ grantedScopes: ['halt'] }, { switchedOffModules: ['pulse'] }],
      [
        { scopes: ['halt'], grantedScopes: null },
        { disabledModules: ['pulse'], switchedOffModules: null },
      ],
    ] as const) {
      const { createApiKey, updateProject } = await ask(key, project);
      assert.equal(createApiKey.key, { environment: 'live', grantedScopes: ['halt'] });
      assert.equal(updateProject.switchedOffModules, ['pulse']);
    }
    const both = ask(
      { scopes: ['halt'], grantedScopes: ['ingest'] },
      { disabledModules: [], switchedOffModules: ['pulse'] },
    );
    assert.equal(
      (await refusalOf(both)).errors.map(({ extensions: { code, fields } }) => [code, fields?.map(({ path }) => path)]),
      [
        ['INVALID_INPUT', ['scopes', 'grantedScopes']],
        ['INVALID_INPUT', ['disabledModules', 'switchedOffModules']],
      ],
    );
    const log = `auditLog(kind: "a", since: $at, filter: { kind: { eq: "b" } createdAt: { to: $at } }) { totalCount }`;
    const listed = await refusalOf(
      owner.client.graphql(`query($at: DateTimeISO) { ${log} }`, { at: '2026-01-01T00:00:00Z' }),
    );
    assert.is(listed.message.split('; ')[0], 'kind: give either filter.kind.eq or kind, which it replaces, not both');
  },
);

access('a scope that does not exist is refused with the names of all that do', async ({ world }) => {
  const refused = await refusalOf(
    world.owner.client.graphql('mutation($i: CreateApiKeyInput!) { createApiKey(input: $i) { secret } }', {
      i: { projectId: world.projectId, scopes: ['decide', 'read'] },
    }),
  );
  assert.is(refused.code, 'UNKNOWN_SCOPE');
  assert.is(refused.message, '"read" is not a scope. Use ingest, decide, survey, halt, definitions.');
});

access('an admin cannot grant a role above their own', async ({ test, world }) => {
  const admin = await buildMember(test, world, 'admin');
  const viewer = await buildMember(test, world, 'viewer');
  const refused = await refusalOf(admin.client.graphql(CHANGE_ROLE, { input: { userId: viewer.id, role: 'owner' } }));
  assert.is(refused.code, 'ROLE_ABOVE_OWN');
  const demoting = await refusalOf(
    admin.client.graphql(CHANGE_ROLE, { input: { userId: world.owner.id, role: 'viewer' } }),
  );
  assert.is(demoting.code, 'ROLE_ABOVE_OWN');
});

access("a project overrides a member's role, up and down", async ({ test, world }) => {
  const viewer = await buildMember(test, world, 'viewer');
  const item = await buildConfigItem(world, {});
  const change = () =>
    viewer.client.graphql('mutation($id: ID!) { updateConfigItem(input: { id: $id, value: "7" }) { id } }', {
      id: item.id,
    });
  const refused = await refusalOf(change());
  assert.is(refused.code, 'PERMISSION_DENIED');
  const because = 'of_the_role_of_the_token';
  assert.equal(refused.errors[0]?.extensions.details, { needs: 'editor', in: 'project', because });
  await world.owner.client.graphql(CHANGE_ROLE, {
    input: { userId: viewer.id, role: 'editor', projectId: world.projectId.toUpperCase() },
  });
  const { auditLog } = await world.owner.client.graphql<{ auditLog: { nodes: { data: object }[] } }>(
    'query($p: ID!) { auditLog(projectId: $p, filter: { kind: { eq: "access.member.role_changed" } }) { nodes { data } } }',
    { p: world.projectId },
  );
  assert.equal(auditLog.nodes[0]?.data, { user_id: viewer.id, role: 'editor', project_id: world.projectId });
  const minted = await refusalOf(change());
  assert.is(minted.code, 'PERMISSION_DENIED', 'a token minted as viewer stays one');
  assert.match(minted.message, /needs the role editor, which your API token does not have\. Use a token/);
  const { signIn } = await new Client(test.baseUrl).graphql<{ signIn: { token: string } }>(
    'mutation($input: SignInInput!) { signIn(input: $input) { token } }',
    { input: { email: viewer.email, password: viewer.password } },
  );
  const session = new Client(test.baseUrl).withToken(signIn.token);
  const overridden = await session.graphql<{ updateConfigItem: { id: string } }>(
    'mutation($id: ID!) { updateConfigItem(input: { id: $id, value: "7" }) { id } }',
    { id: item.id },
  );
  assert.is(overridden.updateConfigItem.id, item.id);
  const keys = 'query($p: ID!) { apiKeys(projectId: $p) { nodes { id } } }';
  for (const [query, advice] of [
    [
      '{ auditLog { nodes { id } } }',
      /the role editor in the organization\. Ask an admin of the organization for it\.$/,
    ],
    [keys, /the role admin in the project\. Ask an admin of the organization for it, then sign in again\.$/],
    ['mutation { createOrganization(input: { name: "x" }) { id } }', /in the organization\. Ask an owner of the/],
  ] as const)
    assert.match((await refusalOf(session.graphql(query, { p: world.projectId }))).message, advice);
});

access('an API token of one project sees no other and cannot act on the organization', async ({ world }) => {
  const { createProject } = await world.owner.client.graphql<{ createProject: { id: string } }>(
    'mutation { createProject(input: { name: "Second" }) { id } }',
  );
  const { createApiToken } = await world.owner.client.graphql<{
    createApiToken: { token: string; apiToken: { projectId: string } };
  }>(
    'mutation($p: ID!) { createApiToken(input: { name: "one", role: admin, projectId: $p, expiresInDays: 1 }) { token apiToken { projectId } } }',
    { p: world.projectId.toUpperCase() },
  );
  assert.is(createApiToken.apiToken.projectId, world.projectId);
  const restricted = world.owner.client.withToken(createApiToken.token);
  const { projects } = await restricted.graphql<{ projects: { nodes: { id: string }[] } }>(
    '{ projects { nodes { id } } }',
  );
  assert.equal(projects.nodes, [{ id: world.projectId }]);
  const other = await refusalOf(
    restricted.graphql('query($id: ID!) { project(id: $id) { id } }', { id: createProject.id }),
  );
  assert.is(other.code, 'PROJECT_NOT_FOUND');
  const made = await refusalOf(restricted.graphql('mutation { createProject(input: { name: "x" }) { id } }'));
  assert.is(made.code, 'PERMISSION_DENIED');
  assert.match(made.message, /limited to one project\. Use a token that is not limited\./);
});

access('a project change based on an outdated state is refused', async ({ world }) => {
  const { client } = world.owner;
  const { project } = await client.graphql<{ project: { updatedAt: string } }>(
    'query($id: ID!) { project(id: $id) { updatedAt } }',
    { id: world.projectId },
  );
  const rename = (name: string) =>
    client.graphql('mutation($input: UpdateProjectInput!) { updateProject(input: $input) { name } }', {
      input: { id: world.projectId, name, expectedUpdatedAt: project.updatedAt },
    });
  assert.equal(await rename('First'), { updateProject: { name: 'First' } });
  const refusal = await refusalOf(rename('Second'));
  assert.is(refusal.code, 'PROJECT_CHANGED_MEANWHILE');
});

access('every change leaves an audit entry with actor, before and after', async ({ world }) => {
  const { client, email } = world.owner;
  await client.graphql(
    'mutation($id: ID!) { updateProject(input: { id: $id, authorizedOrigins: ["https://a.example"] }) { id } }',
    {
      id: world.projectId,
    },
  );
  const { auditLog } = await client.graphql<{ auditLog: { nodes: Record<string, unknown>[] } }>(
    'query($p: ID!) { auditLog(projectId: $p, kind: "access.project.updated") { nodes { actorEmail before after address } } }',
    { p: world.projectId },
  );
  const [entry] = auditLog.nodes;
  assert.ok(entry);
  assert.is(entry.actorEmail, email);
  assert.equal((entry.before as { authorizedOrigins: string[] }).authorizedOrigins, []);
  assert.equal((entry.after as { authorizedOrigins: string[] }).authorizedOrigins, ['https://a.example']);
  assert.is(entry.address, '127.0.0.1');
});

access('histories are append-only in the database', async ({ test, world }) => {
  const item = await buildConfigItem(world, {});
  for (const statement of [
    `update config_version set note = 'x' where item_id = '${item.id}'`,
    `delete from config_version where item_id = '${item.id}'`,
    "update event_log set actor_email = 'x'",
    'delete from event_log',
  ]) {
    let refused = '';
    await test.app.pool.query(statement).catch((error: Error) => {
      refused = error.message;
    });
    assert.match(refused, /append-only/, statement);
  }
});

access.run();
