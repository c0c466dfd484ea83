import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { buildMember, buildProject, buildWorld, type World } from '../../support/factories/factories.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';
import { until } from '../../support/until.js';

const profiles = worldSuite('profiles');

const LINK = 'query($id: ID!) { crashProfileDownloadUrl(id: $id) }';

async function sent(world: World, profile: object): Promise<string> {
  const { status, body, text } = await world.live.post('/api/catch/profiles', profile);
  assert.is(status, 202, text);
  return (body as { profile_id: string }).profile_id;
}

profiles('are listed newest first and download byte for byte through a link', async ({ test, world }) => {
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
  assert.is((await fetch(test.baseUrl + pathname + search)).status, 403, 'the link has expired');
});

profiles('have their own links in a list, for callers who may read them', async ({ test, world }) => {
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

/** Gives an environment profiles that appear to be older than all others. */
const filled = (test: TestApp, projectId: string, count: number, bytes: number) =>
  test.app.pool.query(
    `insert into crash_profile (id, project_id, environment, size_bytes, storage_path, received_at)
     select gen_random_uuid(), $1, 'live', $3, 'profiles/none/' || n, $4::timestamptz - n * interval '1 second'
       from generate_series(1, $2::int) n`,
    [projectId, count, bytes, test.clock.now()],
  );

async function statusOf(test: TestApp, link: string): Promise<number> {
  const { pathname, search } = new URL(link);
  return (await fetch(test.baseUrl + pathname + search)).status;
}

profiles('are counted from an index when one is sent, not one by one', async ({ test, world: first }) => {
  const world = await buildProject(first);
  const read = async () => {
    const { rows } = await test.app.pool.query<{ stored: string; fetched: string }>(
      `select n_tup_ins as stored, idx_tup_fetch + seq_tup_read as fetched from pg_stat_user_tables where relname = 'crash_profile'`,
    );
    return { stored: Number(rows[0]?.stored), fetched: Number(rows[0]?.fetched) };
  };
  const { stored } = await read();
  await filled(test, world.projectId, 9_000, 1);
  await filled(test, randomUUID(), 40_000, 1);
  // Rows that some transaction cannot see yet are read one by one.
  await until('all transactions see them', async () => {
    await test.app.pool.query('vacuum analyze crash_profile');
    const { rows } = await test.app.pool.query(
      `select from pg_class where relname = 'crash_profile' and relpages > 0 and relallvisible = relpages`,
    );
    return rows.length > 0;
  });
  await until('the statistics include the inserts', async () => (await read()).stored >= stored + 49_000);
  const before = await read();
  await sent(world, { samples: [] });
  await until('the statistics include the one', async () => (await read()).stored > before.stored);
  const fetched = (await read()).fetched - before.fetched;
  assert.ok(fetched < 1_000, `${fetched} rows were fetched`);
});

profiles('are replaced by newer ones beyond 1 GiB or 10,000, per environment', async ({ test, world: first }) => {
  const world = await buildProject(first);
  const size = '{"samples":[]}'.length;
  const oldest = await sent(world, { samples: [] });
  const inTest = await world.test.post('/api/catch/profiles', { samples: [] });
  assert.is(inTest.status, 202, inTest.text);
  const { crashProfileDownloadUrl: link } = await world.owner.client.graphql<{ crashProfileDownloadUrl: string }>(
    LINK,
    {
      id: oldest,
    },
  );
  const ids = async (): Promise<string[]> => {
    const { rows } = await test.app.pool.query<{ id: string }>(
      "select id from crash_profile where project_id = $1 and environment = 'live' order by received_at desc, id desc",
      [world.projectId],
    );
    return rows.map(({ id }) => id);
  };
  test.clock.advance(10_000);
  await filled(test, world.projectId, 1, 1024 ** 3 - 2 * size);
  test.clock.advance(10_000);
  const second = await sent(world, { samples: [] });
  assert.is((await ids()).length, 3, 'all of these fit');
  assert.is(await statusOf(test, link), 200);
  const third = await sent(world, { samples: [] });
  assert.equal((await ids()).length, 3, 'the oldest one is gone');
  assert.not((await ids()).includes(oldest));
  await until('its object is gone, too', async () => (await statusOf(test, link)) !== 200);
  const fourth = await sent(world, { samples: [] });
  assert.equal((await ids()).sort(), [second, third, fourth].sort());
  await filled(test, world.projectId, 9_997, 1);
  assert.is((await ids()).length, 10_000);
  const last = await sent(world, { samples: [] });
  const left = await ids();
  assert.is(left.length, 10_000);
  for (const id of [second, third, fourth, last]) assert.ok(left.includes(id));
  const { rows } = await test.app.pool.query(
    "select id from crash_profile where project_id = $1 and environment = 'test'",
    [world.projectId],
  );
  assert.is(rows.length, 1, 'the other environment keeps its own');
});

profiles('are accepted without waiting while the oldest ones are deleted', async ({ test, world: first }) => {
  const world = await buildProject(first);
  await filled(test, world.projectId, 10_000, 1);
  const count = async (): Promise<number> => {
    const { rows } = await test.app.pool.query<{ profiles: number }>(
      'select count(*)::int as profiles from crash_profile where project_id = $1',
      [world.projectId],
    );
    return rows[0]?.profiles ?? 0;
  };
  const other = await test.app.pool.connect();
  try {
    await other.query('begin');
    await other.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`profiles ${world.projectId} live`]);
    await Promise.all(Array.from({ length: 20 }, () => sent(world, { samples: [] })));
    assert.is(await count(), 10_020);
  } finally {
    await other.query('rollback');
    other.release();
  }
  await sent(world, { samples: [] });
  assert.is(await count(), 10_016, 'a sender waits for only a few');
});

profiles('beyond the limit, for instance after an update, are deleted by a job', async () => {
  const test = await openTestApp({ worker: true });
  try {
    const world = await buildWorld(test);
    await filled(test, world.projectId, 10_250, 1);
    await sent(world, { samples: [] });
    await until('only the kept ones are left', async () => {
      const { rows } = await test.app.pool.query('select from crash_profile where project_id = $1', [world.projectId]);
      return rows.length === 10_000;
    });
  } finally {
    await test.close();
  }
});

profiles.run();
