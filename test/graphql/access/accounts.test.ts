import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { type Client, refusalOf } from '../../support/client.js';
import { buildConfigItem } from '../../support/factories/config-factory.js';
import { buildMember, buildWorld, type World } from '../../support/factories/factories.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { changePassword, signIn } from '../../support/sign-in.js';
import { openTestApp } from '../../support/test-app.js';

const accounts = worldSuite<{ path: string }>('accounts belong to an organization');

const ADD = `mutation($input: AddMemberInput!) {
  addMember(input: $input) { temporaryPassword member { user { id } } }
}`;
const REMOVE = 'mutation($userId: ID!) { removeMember(input: { userId: $userId }) { id } }';
const RESET = `mutation($userId: ID!, $password: String) {
  resetMemberPassword(input: { userId: $userId, password: $password }) { temporaryPassword remainingApiTokens }
}`;
const CREATE = 'mutation { createOrganization(input: { name: "Another" }) { id } }';
const OWN = 'a password of their own';

accounts.before(async (context) => {
  context.path = `/api/v1/config/items/${(await buildConfigItem(context.world, {})).id}/versions`;
});

const codeOf = async (operation: Promise<unknown>) => (await refusalOf(operation)).code;

interface Added {
  userId: string;
  temporaryPassword: string;
}

async function addMember({ owner }: World, email: string, password?: string, role = 'viewer'): Promise<Added> {
  const { addMember } = await owner.client.graphql<{
    addMember: { temporaryPassword: string; member: { user: { id: string } } };
  }>(ADD, { input: { email, password, role } });
  return { userId: addMember.member.user.id, temporaryPassword: addMember.temporaryPassword };
}

interface Reset {
  resetMemberPassword: { temporaryPassword: string | null; remainingApiTokens: number };
}

async function organizationsOf(client: Client): Promise<string[]> {
  const { organizations } = await client.graphql<{ organizations: { nodes: { id: string }[] } }>(
    '{ organizations { nodes { id } } }',
  );
  return organizations.nodes.map(({ id }) => id);
}

accounts('an account created for someone else’s email opens no other organization', async ({ test, world }) => {
  const theirs = await buildWorld(test);
  const email = `${randomUUID()}@example.com`;
  await addMember(world, email, 'known to the attacker');
  const { temporaryPassword } = await addMember(theirs, email);
  assert.ok(temporaryPassword, 'the person gets a password for this organization, too');

  const { organizationId } = theirs;
  const known = { email, password: 'known to the attacker' };
  assert.is(await codeOf(signIn(test.baseUrl, { ...known, organizationId })), 'WRONG_CREDENTIALS');
  const attacker = await signIn(test.baseUrl, known);
  await changePassword(attacker.client, known.password, OWN);
  assert.equal(await organizationsOf(attacker.client), [world.organizationId]);
  assert.is(await codeOf(signIn(test.baseUrl, { email, password: OWN, organizationId })), 'WRONG_CREDENTIALS');

  const person = await signIn(test.baseUrl, { email: email.toUpperCase(), password: temporaryPassword });
  await changePassword(person.client, temporaryPassword, 'known to the person alone');
  assert.equal(await organizationsOf(person.client), [organizationId]);
});

accounts('a password set by someone else can only be used to choose another', async ({ test, world, path }) => {
  const email = `${randomUUID()}@example.com`;
  const given = 'chosen by the admin';
  await addMember(world, email, given, 'owner');
  const { client, passwordChangeRequired } = await signIn(test.baseUrl, { email, password: given });
  assert.is(passwordChangeRequired, true);
  for (const operation of ['{ me { id } }', '{ projects { nodes { id } } }', '{ eventKinds { kind } }', CREATE]) {
    assert.is(await codeOf(client.graphql(operation)), 'PASSWORD_CHANGE_REQUIRED', operation);
  }
  const { status, text } = await client.get(path);
  assert.equal({ status, text }, { status: 401, text: '{"error":"Invalid token"}' });
  assert.is(await codeOf(changePassword(client, given, given)), 'SAME_PASSWORD');

  await changePassword(client, given, OWN);
  assert.is((await client.get(path)).status, 200, 'the session continues, as a full one');
  assert.is((await signIn(test.baseUrl, { email, password: OWN })).passwordChangeRequired, false);
});

accounts('removal permanently ends sessions and tokens, even within a second', async ({ test, world, path }) => {
  test.clock.set(test.clock.now());
  const member = await buildMember(test, world, 'viewer');
  const session = (await signIn(test.baseUrl, member)).client;
  for (const client of [session, member.client]) assert.is((await client.get(path)).status, 200);
  await world.owner.client.graphql(REMOVE, { userId: member.id });
  await addMember(world, member.email, member.password);
  for (const client of [session, member.client])
    assert.is(await codeOf(client.graphql('{ me { id } }')), 'UNAUTHENTICATED');
});

accounts('a token being minted while its member is removed is also revoked', async ({ test, world, path }) => {
  const { app } = test;
  const member = await buildMember(test, world, 'viewer');
  const [stored, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const caller = { actor: member.actor, requestId: randomUUID(), address: null };
  const minting = app.tx.write(caller, async (ctx) => {
    const { token } = await app.services.apiTokens.create(ctx, { name: 'late', role: 'viewer', expiresInDays: 1 });
    await ctx.em.flush();
    stored.resolve();
    await mayCommit.promise;
    return token;
  });
  await stored.promise;
  const removing = world.owner.client.graphql(REMOVE, { userId: member.id });
  let removed = false;
  void removing.finally(() => {
    removed = true;
  });
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while (!removed && (await app.pool.query(waiting)).rowCount === 0);
  mayCommit.resolve();
  const client = member.client.withToken(await minting);
  await removing;
  await addMember(world, member.email, member.password);
  assert.is((await client.get(path)).status, 401);
});

accounts('changing the password ends all other sessions', async ({ test, world, path }) => {
  const member = await buildMember(test, world, 'viewer');
  test.clock.set(test.clock.now());
  const [changing, other] = [await signIn(test.baseUrl, member), await signIn(test.baseUrl, member)];
  assert.is(await changePassword(changing.client, member.password, OWN), 1, 'one API token remains');
  assert.is((await other.client.get(path)).status, 401);
  assert.is((await changing.client.get(path)).status, 200);
  assert.is((await member.client.get(path)).status, 200, 'the API token');

  const later = await signIn(test.baseUrl, { email: member.email, password: OWN });
  await changePassword(later.client, OWN, member.password);
  assert.is((await changing.client.get(path)).status, 401, 'it is kept once');
  assert.is((await later.client.get(path)).status, 200);
});

accounts('an admin sets a temporary password for a member who forgot theirs', async ({ test, world, path }) => {
  test.clock.set(test.clock.now());
  const admin = await buildMember(test, world, 'admin');
  const member = await buildMember(test, world, 'editor');
  const session = (await signIn(test.baseUrl, member)).client;
  const elsewhere = await buildWorld(test);
  await addMember(elsewhere, member.email, 'of the other organization');

  const { resetMemberPassword: reset } = await admin.client.graphql<Reset>(RESET, { userId: member.id });
  const temporaryPassword = reset.temporaryPassword ?? '';
  assert.is(reset.remainingApiTokens, 1);
  assert.is(await codeOf(session.graphql('{ me { id } }')), 'UNAUTHENTICATED', 'a session of the old password');
  assert.is((await member.client.get(path)).status, 200, 'the API token');
  assert.is(await codeOf(signIn(test.baseUrl, member)), 'WRONG_CREDENTIALS');
  const { organizationId } = elsewhere;
  const theirs = { email: member.email, password: 'of the other organization', organizationId };
  assert.ok(await signIn(test.baseUrl, theirs), 'the account elsewhere is unchanged');
  assert.is(
    await codeOf(signIn(test.baseUrl, { ...theirs, password: temporaryPassword })),
    'WRONG_CREDENTIALS',
    'nor does the new one open it',
  );

  const again = await signIn(test.baseUrl, { email: member.email, password: temporaryPassword });
  assert.is(again.passwordChangeRequired, true);
  assert.is(await codeOf(again.client.graphql('{ me { id } }')), 'PASSWORD_CHANGE_REQUIRED');
  await changePassword(again.client, temporaryPassword, OWN);
  assert.is((await again.client.get(path)).status, 200);

  const given = { userId: member.id, password: 'given by the admin' };
  assert.is(
    (await admin.client.graphql<Reset>(RESET, given)).resetMemberPassword.temporaryPassword,
    null,
    'a chosen password is not returned',
  );
  assert.is(
    (await signIn(test.baseUrl, { email: member.email, password: given.password })).passwordChangeRequired,
    true,
  );
  const { auditLog } = await world.owner.client.graphql<{ auditLog: { nodes: Record<string, unknown>[] } }>(
    'query($id: String) { auditLog(objectId: $id, kind: "access.member.password_reset") { nodes { actorId data before after } } }',
    { id: member.id },
  );
  const entry = { actorId: admin.id, data: { user_id: member.id }, before: null, after: null };
  assert.equal(auditLog.nodes, [entry, entry]);
});

accounts('nobody can reset their own password or that of a member with a higher role', async ({ test, world }) => {
  const admin = await buildMember(test, world, 'admin');
  const colleague = await buildMember(test, world, 'admin');
  const viewer = await buildMember(test, world, 'viewer');
  const stranger = await buildMember(test, await buildWorld(test), 'viewer');
  const reset = (client: Client, userId: string, password?: string) =>
    codeOf(client.graphql(RESET, { userId, password }));
  assert.is(await reset(admin.client, world.owner.id), 'ROLE_ABOVE_OWN');
  assert.is(await reset(admin.client, admin.id), 'OWN_PASSWORD');
  assert.is(await reset(viewer.client, colleague.id), 'PERMISSION_DENIED');
  assert.is(await reset(admin.client, stranger.id), 'MEMBER_NOT_FOUND');
  assert.is(await reset(admin.client, 'no id'), 'MEMBER_NOT_FOUND');
  assert.is(await reset(admin.client, viewer.id, 'too short'), 'WEAK_PASSWORD');
  await world.owner.client.graphql(
    'mutation($u: ID!, $p: ID!) { changeMemberRole(input: { userId: $u, projectId: $p, role: owner }) { id } }',
    { u: viewer.id, p: world.projectId },
  );
  assert.is(await reset(admin.client, viewer.id), 'ROLE_ABOVE_OWN', 'an owner of the project only');
  await admin.client.graphql(RESET, { userId: colleague.id });
});

accounts('a new organization opens with its creator’s password', async ({ test, world }) => {
  const { owner } = world;
  const session = (await signIn(test.baseUrl, owner)).client;
  const { createOrganization } = await session.graphql<{ createOrganization: { id: string } }>(CREATE);
  assert.equal(await organizationsOf(session), [world.organizationId, createOrganization.id]);
  assert.equal(await organizationsOf(owner.client), [world.organizationId], 'an API token belongs to one organization');
  const inIt = await signIn(test.baseUrl, { ...owner, organizationId: createOrganization.id });
  assert.is(inIt.passwordChangeRequired, false);
  await changePassword(inIt.client, owner.password, OWN);
  assert.equal(await organizationsOf(inIt.client), [createOrganization.id]);
  assert.ok(await signIn(test.baseUrl, { ...owner, organizationId: world.organizationId }), 'the other is unchanged');
});

accounts('only owners create organizations, and never with a token limited to one project', async ({ test, world }) => {
  const admin = await buildMember(test, world, 'admin');
  assert.is(await codeOf(admin.client.graphql(CREATE)), 'PERMISSION_DENIED');
  const { createApiToken } = await world.owner.client.graphql<{ createApiToken: { token: string } }>(
    'mutation($p: ID!) { createApiToken(input: { name: "one", role: owner, projectId: $p, expiresInDays: 1 }) { token } }',
    { p: world.projectId },
  );
  assert.is(await codeOf(admin.client.withToken(createApiToken.token).graphql(CREATE)), 'PERMISSION_DENIED');
});

accounts('OPEN_ORGANIZATIONS=off: nobody creates organizations', async () => {
  const closed = await openTestApp({ settings: { OPEN_ORGANIZATIONS: 'off' } });
  try {
    const { owner } = await buildWorld(closed);
    assert.is(await codeOf(owner.client.graphql(CREATE)), 'ORGANIZATIONS_CLOSED');
  } finally {
    await closed.close();
  }
});

accounts('sign-ins are in the audit log, including failed ones', async ({ test, world }) => {
  const { id, email, password } = await buildMember(test, world, 'viewer');
  await signIn(test.baseUrl, { email, password });
  await refusalOf(signIn(test.baseUrl, { email, password: 'wrong' }));
  await refusalOf(signIn(test.baseUrl, { email: `${randomUUID()}@example.com`, password: 'of nobody' }));
  const { auditLog } = await world.owner.client.graphql<{ auditLog: { nodes: Record<string, unknown>[] } }>(
    'query($id: String) { auditLog(objectId: $id) { nodes { kind actorId actorEmail address requestId data } } }',
    { id },
  );
  const [failed, succeeded, ...rest] = auditLog.nodes;
  assert.equal(rest, []);
  for (const entry of [failed, succeeded]) {
    assert.match(String(entry?.requestId), /^\S{8,}$/);
    assert.is(entry?.address, '127.0.0.1');
    assert.equal(entry?.data, { user_id: id });
  }
  assert.equal([failed?.kind, failed?.actorId], ['access.user.sign_in_failed', 'anonymous']);
  assert.equal([succeeded?.kind, succeeded?.actorId, succeeded?.actorEmail], ['access.user.signed_in', id, email]);
});

accounts.run();
