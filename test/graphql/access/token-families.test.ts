import * as assert from 'uvu/assert';
import { type Client, refusalOf } from '../../support/client.js';
import { buildMember, buildProject, type World } from '../../support/factories/factories.js';
import { worldSuite } from '../../support/factories/world-suite.js';

const families = worldSuite('API tokens that mint and revoke others');

interface Minted {
  id: string;
  parentId: string | null;
  expiresAt: string;
  client: Client;
}

async function mint(by: Client, input: object): Promise<Minted> {
  const { createApiToken } = await by.graphql<{ createApiToken: { token: string; apiToken: Omit<Minted, 'client'> } }>(
    'mutation($input: CreateApiTokenInput!) { createApiToken(input: $input) { token apiToken { id parentId expiresAt } } }',
    { input: { name: 'bot', ...input } },
  );
  return { ...createApiToken.apiToken, client: by.withToken(createApiToken.token) };
}

const revoke = (by: Client, id: string) =>
  by.graphql<{ revokeApiToken: { revokedAt: string | null } }>(
    'mutation($id: ID!) { revokeApiToken(input: { id: $id }) { revokedAt } }',
    { id },
  );
const works = async (client: Client): Promise<boolean> =>
  client.graphql('{ me { id } }').then(
    () => true,
    () => false,
  );
const codeOf = async (operation: Promise<unknown>) => (await refusalOf(operation)).code;

/** Minted as if by a session: the factory's users call with a token of their own. */
const rootOf = (world: World, role: string, projectId?: string) =>
  mint(world.owner.client, { role, projectId, expiresInDays: 30 });

families('a child expires with its parent at the latest, and names it', async ({ world }) => {
  const parent = await rootOf(world, 'editor');
  const child = await mint(parent.client, { role: 'viewer', expiresInDays: 365 });
  assert.is(child.expiresAt, parent.expiresAt);
  assert.is(child.parentId, parent.id);
  const brief = await mint(parent.client, { role: 'viewer', expiresInDays: 1 });
  assert.ok(brief.expiresAt < parent.expiresAt);
});

families('revoking a token revokes all tokens it minted, at any depth, and no others', async ({ world }) => {
  const root = await rootOf(world, 'editor');
  const line = [root];
  for (let depth = 0; depth < 3; depth++) line.push(await mint((line.at(-1) as Minted).client, { role: 'viewer' }));
  const sibling = await mint(root.client, { role: 'viewer' });
  const stranger = await rootOf(world, 'viewer');
  await revoke(world.owner.client, (line[1] as Minted).id);
  const states = await Promise.all([...line, sibling, stranger].map(({ client }) => works(client)));
  assert.equal(states, [true, false, false, false, true, true]);
});

families('a child minted while its ancestor is being revoked does not outlive it', async ({ world }) => {
  for (let round = 0; round < 12; round++) {
    const root = await rootOf(world, 'viewer');
    const parent = await mint(root.client, { role: 'viewer' });
    const [, ...minted] = await Promise.all([
      revoke(world.owner.client, root.id),
      ...Array.from({ length: 4 }, () => mint(parent.client, { role: 'viewer' }).catch(() => null)),
    ]);
    for (const child of minted) if (child) assert.is(await works(child.client), false, `round ${round}`);
  }
});

families('a token can revoke only itself and tokens of no wider scope', async ({ test, world }) => {
  const { projectId } = world;
  const other = await buildProject(world);
  const editor = await rootOf(world, 'editor');
  const admin = await rootOf(world, 'admin');
  assert.is(await codeOf(revoke(editor.client, admin.id)), 'ROLE_ABOVE_OWN');
  assert.is(await codeOf(revoke(admin.client, (await rootOf(world, 'owner')).id)), 'ROLE_ABOVE_OWN');
  const restricted = await rootOf(world, 'admin', projectId);
  const elsewhere = await rootOf(world, 'viewer', other.projectId);
  for (const wider of [await rootOf(world, 'viewer'), elsewhere])
    assert.is(await codeOf(revoke(restricted.client, wider.id)), 'TOKEN_NOT_FOUND');
  const inProject = await rootOf(world, 'editor', projectId);
  assert.ok((await revoke(restricted.client, inProject.id)).revokeApiToken.revokedAt);
  assert.ok((await revoke(restricted.client, restricted.id)).revokeApiToken.revokedAt);
  assert.is(await works(editor.client), true);
  const member = await buildMember(test, world, 'viewer');
  const theirs = await mint(member.client, { role: 'viewer' });
  assert.is(await codeOf(revoke(editor.client, theirs.id)), 'TOKEN_NOT_FOUND');
  assert.ok((await revoke(admin.client, theirs.id)).revokeApiToken.revokedAt);
});

families("a token limited to one project sees only that project's tokens, and no members", async ({ world }) => {
  const restricted = await rootOf(world, 'admin', world.projectId);
  assert.is(await codeOf(restricted.client.graphql('{ members { nodes { id } } }')), 'PERMISSION_DENIED');
  const { apiTokens } = await restricted.client.graphql<{ apiTokens: { nodes: { projectId: string | null }[] } }>(
    '{ apiTokens(first: 100) { nodes { projectId } } }',
  );
  assert.ok(apiTokens.nodes.length > 0);
  assert.ok(apiTokens.nodes.every(({ projectId }) => projectId === world.projectId));
  assert.is(await codeOf(mint(restricted.client, { role: 'viewer', projectId: '' })), 'PROJECT_NOT_FOUND');
});

families.run();
