import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refusalOf } from '../../support/client.js';
import { buildMember, buildWorld, type World } from '../../support/factories/factories.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';

const profiles = suite<{ test: TestApp; world: World }>('profiles');

profiles.before(async (context) => {
  context.test = await openTestApp();
  context.world = await buildWorld(context.test);
});
profiles.after(({ test }) => test.close());

const LINK = 'query($id: ID!) { crashProfileDownloadUrl(id: $id) }';

async function sent(world: World, profile: object): Promise<string> {
  const { status, body, text } = await world.live.post('/api/catch/profiles', profile);
  assert.is(status, 202, text);
  return (body as { profile_id: string }).profile_id;
}

profiles('are listed newest first and come back byte for byte by a link', async ({ test, world }) => {
  const first = await sent(world, { samples: [1] });
  test.clock.advance(60_000);
  const second = await sent(world, { samples: [1, 2] });
  const { crashProfiles } = await world.owner.client.graphql<{ crashProfiles: { nodes: object[] } }>(
    'query($p: ID!) { crashProfiles(projectId: $p) { nodes { id environment sizeBytes } } }',
    { p: world.projectId },
  );
  assert.equal(crashProfiles.nodes, [
    { id: second, environment: 'live', sizeBytes: 17 },
    { id: first, environment: 'live', sizeBytes: 15 },
  ]);
  const { crashProfileDownloadUrl: link } = await world.owner.client.graphql<{ crashProfileDownloadUrl: string }>(
    LINK,
    {
      id: second,
    },
  );
  const { pathname, search } = new URL(link);
  assert.is(await (await fetch(test.baseUrl + pathname + search)).text(), '{"samples":[1,2]}');
  test.clock.advance(301_000);
  assert.is((await fetch(test.baseUrl + pathname + search)).status, 403, 'the link is over');
});

profiles('carry links of their own in a list, for those who may read them', async ({ test, world }) => {
  await sent(world, { samples: [3] });
  const newest = 'query($p: ID!) { crashProfiles(projectId: $p, first: 1) { nodes { downloadUrl } } }';
  const ask = async (client: typeof world.owner.client) =>
    (
      await client.graphql<{ crashProfiles: { nodes: { downloadUrl: string | null }[] } }>(newest, {
        p: world.projectId,
      })
    ).crashProfiles.nodes[0]?.downloadUrl;
  const { pathname, search } = new URL(String(await ask(world.owner.client)));
  assert.is(await (await fetch(test.baseUrl + pathname + search)).text(), '{"samples":[3]}');
  assert.is(await ask((await buildMember(test, world, 'viewer')).client), null);
});

profiles('are nothing to other organizations, and not for viewers to download', async ({ test, world }) => {
  const id = await sent(world, { samples: [] });
  const stranger = await buildWorld(test);
  assert.is((await refusalOf(stranger.owner.client.graphql(LINK, { id }))).code, 'PROFILE_NOT_FOUND');
  assert.is((await refusalOf(world.owner.client.graphql(LINK, { id: 'x' }))).code, 'PROFILE_NOT_FOUND');
  const viewer = await buildMember(test, world, 'viewer');
  assert.is((await refusalOf(viewer.client.graphql(LINK, { id }))).code, 'PERMISSION_DENIED');
});

profiles.run();
