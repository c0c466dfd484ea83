import * as assert from 'uvu/assert';
import type { Client } from '../../support/client.js';
import { buildMember, buildWorld } from '../../support/factories/factories.js';
import { appSuite } from '../../support/factories/world-suite.js';

const callers = appSuite('concurrent callers');

const WHO = '{ viewer { user { id } role } }';

interface Who {
  data: { viewer: { user: { id: string }; role: string } | null };
  errors?: { extensions: { code: string } }[];
}

/** Whom the server identifies: the user's id and role, or the code of the refusal. */
async function takenFor(client: Client): Promise<string> {
  const { data, errors } = (await client.post('/graphql', { query: WHO })).body as Who;
  return data.viewer ? `${data.viewer.user.id} ${data.viewer.role}` : String(errors?.[0]?.extensions.code);
}

/** A new API token with the role editor. */
async function mint(client: Client): Promise<{ id: string; text: string }> {
  const { createApiToken } = await client.graphql<{ createApiToken: { apiToken: { id: string }; token: string } }>(
    'mutation($input: CreateApiTokenInput!) { createApiToken(input: $input) { token apiToken { id } } }',
    { input: { name: 'editor', role: 'editor', expiresInDays: 1 } },
  );
  return { id: createApiToken.apiToken.id, text: createApiToken.token };
}

callers('are each identified correctly, and revoked callers are refused', async ({ test }) => {
  const [world, elsewhere] = [await buildWorld(test), await buildWorld(test)];
  const viewer = await buildMember(test, world, 'viewer');
  const [token, revoked] = [await mint(world.owner.client), await mint(world.owner.client)];
  await world.owner.client.graphql('mutation($id: ID!) { revokeApiToken(input: { id: $id }) { id } }', {
    id: revoked.id,
  });
  const removed = await buildMember(test, world, 'editor');
  await world.owner.client.graphql('mutation($id: ID!) { removeMember(input: { userId: $id }) { id } }', {
    id: removed.id,
  });
  const expected: [Client, string][] = [
    [world.owner.client, `${world.owner.id} owner`],
    [world.owner.client.withToken(token.text), `${world.owner.id} editor`],
    [world.owner.client.withToken(revoked.text), 'UNAUTHENTICATED'],
    [viewer.client, `${viewer.id} viewer`],
    [elsewhere.owner.client, `${elsewhere.owner.id} owner`],
    [removed.client, 'UNAUTHENTICATED'],
    [world.owner.client.withToken('no token'), 'UNAUTHENTICATED'],
  ];
  const all = Array.from({ length: 8 }, () => expected).flat();
  const found = await Promise.all(all.map(([client]) => takenFor(client)));
  assert.equal(
    found,
    all.map(([, who]) => who),
  );
});

callers.run();
