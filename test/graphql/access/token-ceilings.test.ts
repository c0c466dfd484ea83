import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import type { Role } from '../../../src/kernel/actor.js';
import { type Client, refusalOf } from '../../support/client.js';
import { buildMember } from '../../support/factories/factories.js';
import { worldSuite } from '../../support/factories/world-suite.js';

const ceilings = worldSuite<{ admin: Client }>('limits of API tokens');

const ADD = 'mutation($input: AddMemberInput!) { addMember(input: $input) { member { role } } }';
const CHANGE = 'mutation($input: ChangeMemberRoleInput!) { changeMemberRole(input: $input) { role } }';
const REMOVE = 'mutation($userId: ID!) { removeMember(input: { userId: $userId }) { id } }';

/** A client with a new API token of the user, limited to one project if given. */
async function withToken(user: { client: Client }, role: Role, projectId?: string): Promise<Client> {
  const { createApiToken } = await user.client.graphql<{ createApiToken: { token: string } }>(
    'mutation($input: CreateApiTokenInput!) { createApiToken(input: $input) { token } }',
    { input: { name: role, role, projectId, expiresInDays: 1 } },
  );
  return user.client.withToken(createApiToken.token);
}

const codeOf = async (operation: Promise<unknown>) => (await refusalOf(operation)).code;

ceilings.before(async (context) => {
  context.admin = await withToken(context.world.owner, 'admin');
});

ceilings("an owner's token with the admin role cannot create an owner", async ({ test, world, admin }) => {
  const email = `${randomUUID()}@example.com`;
  assert.is(await codeOf(admin.graphql(ADD, { input: { email, role: 'owner' } })), 'ROLE_ABOVE_OWN');
  const viewer = await buildMember(test, world, 'viewer');
  const change = (projectId?: string) =>
    admin.graphql(CHANGE, { input: { userId: viewer.id, role: 'owner', projectId } });
  assert.is(await codeOf(change()), 'ROLE_ABOVE_OWN');
  assert.is(await codeOf(change(world.projectId)), 'ROLE_ABOVE_OWN');
});

ceilings("an owner's token with the admin role cannot change or remove an owner", async ({ test, world, admin }) => {
  const other = await buildMember(test, world, 'owner');
  const demote = (userId: string, projectId?: string) =>
    admin.graphql(CHANGE, { input: { userId, role: 'viewer', projectId } });
  assert.is(await codeOf(demote(other.id)), 'ROLE_ABOVE_OWN');
  assert.is(await codeOf(admin.graphql(REMOVE, { userId: other.id })), 'ROLE_ABOVE_OWN');
  const viewer = await buildMember(test, world, 'viewer');
  const input = { userId: viewer.id, role: 'owner', projectId: world.projectId };
  await world.owner.client.graphql(CHANGE, { input });
  assert.is(await codeOf(demote(viewer.id, world.projectId)), 'ROLE_ABOVE_OWN', 'an owner in this project');
});

ceilings('the role in a project limits the tokens minted for it', async ({ test, world }) => {
  const editor = await buildMember(test, world, 'editor');
  await world.owner.client.graphql(CHANGE, {
    input: { userId: editor.id, role: 'viewer', projectId: world.projectId },
  });
  assert.is(await codeOf(withToken(editor, 'editor', world.projectId)), 'ROLE_ABOVE_OWN');
  assert.ok(await withToken(editor, 'viewer', world.projectId));
});

ceilings.run();
