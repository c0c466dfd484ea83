import * as assert from 'uvu/assert';
import { refusalOf } from '../support/client.js';
import type { World } from '../support/factories/factories.js';
import { worldPerTestSuite } from '../support/factories/world-suite.js';
import type { TestApp } from '../support/test-app.js';

const releases = worldPerTestSuite('releases');

releases('are created once per version, listed newest first, and at most one is current', async ({ test, world }) => {
  const [one, two] = [await create(world, '1.0.0'), await create(world, '2.0.0')];
  assert.is((await refusalOf(create(world, '1.0.0'))).code, 'VERSION_TAKEN');
  for (const bad of ['', ' 1', 'v'.repeat(201)]) assert.is((await refusalOf(create(world, bad))).code, 'BAD_VERSION');
  await create(world, '1.0.0', 'test');
  assert.equal(await listed(world), [
    ['2.0.0', false],
    ['1.0.0', false],
  ]);
  await promote(world, one);
  await promote(world, two);
  await promote(world, two);
  assert.equal(await listed(world), [
    ['2.0.0', true],
    ['1.0.0', false],
  ]);
  assert.equal(await kindsOf(test, world), ['created', 'created', 'created', 'promoted', 'promoted']);
  await mutate(world, 'deleteRelease', two);
  const { rows } = await test.app.pool.query(
    'select kind, data, before, after from event_log where object_id = $1 order by sequence',
    [two],
  );
  const data = { release_id: two, version: '2.0.0' };
  const details = { notes: '', commitSha: null };
  assert.equal(rows, [
    { kind: 'deploy.release.created', data, before: null, after: details },
    { kind: 'deploy.release.promoted', data, before: { current: '1.0.0' }, after: { current: '2.0.0' } },
    { kind: 'deploy.release.deleted', data, before: details, after: null },
  ]);
});

releases('the promoted one is what the handshake reports to clients', async ({ test, world }) => {
  const id = await create(world, '3.1.4');
  const before = (await world.live.get('/api/v1/deploy/decision')).body as { release: unknown };
  assert.is(before.release, null);
  await promote(world, id);
  test.clock.advance(6_000);
  const { release } = (await world.live.get('/api/v1/deploy/decision')).body as { release: Record<string, string> };
  assert.equal(Object.keys(release).sort(), ['id', 'promoted_at', 'version']);
  assert.is(release.version, '3.1.4');
  await mutate(world, 'deleteRelease', id);
  test.clock.advance(6_000);
  assert.is(((await world.live.get('/api/v1/deploy/decision')).body as { release: unknown }).release, null);
});

releases('concurrent promotions leave exactly one current', async ({ test, world }) => {
  const ids: string[] = [];
  for (let made = 0; made < 6; made++) ids.push(await create(world, `1.${made}`));
  await Promise.all(ids.map((id) => promote(world, id)));
  const { rows } = await test.app.pool.query('select from deploy_release where project_id = $1 and is_current', [
    world.projectId,
  ]);
  assert.is(rows.length, 1);
});

releases.run();

async function create(world: World, version: string, environment = 'live'): Promise<string> {
  const { createRelease } = await world.owner.client.graphql<{ createRelease: { id: string } }>(
    'mutation($input: CreateReleaseInput!) { createRelease(input: $input) { id } }',
    { input: { projectId: world.projectId, environment, version } },
  );
  return createRelease.id;
}

const promote = (world: World, id: string): Promise<unknown> => mutate(world, 'promoteRelease', id);

async function mutate({ owner }: World, name: string, id: string): Promise<unknown> {
  return owner.client.graphql(`mutation($id: ID!) { ${name}(input: {id: $id}) { id } }`, { id });
}

async function listed(world: World): Promise<[string, boolean][]> {
  const { releases: page } = await world.owner.client.graphql<{
    releases: { nodes: { version: string; current: boolean }[] };
  }>('query($id: ID!) { releases(projectId: $id) { nodes { version current } } }', { id: world.projectId });
  return page.nodes.map(({ version, current }) => [version, current]);
}

async function kindsOf(test: TestApp, world: World): Promise<string[]> {
  const { rows } = await test.app.pool.query<{ kind: string }>(
    "select kind from event_log where project_id = $1 and kind like 'deploy.%' order by sequence",
    [world.projectId],
  );
  return rows.map(({ kind }) => kind.split('.').at(-1) ?? '');
}
