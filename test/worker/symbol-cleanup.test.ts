import { randomUUID } from 'node:crypto';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { JOB_KINDS } from '../../src/jobs/catalog.js';
import { startBucketServer } from '../support/bucket-server.js';
import { refuseRows, whileLocked } from '../support/database.js';
import { buildWorld, setPlan, type World } from '../support/factories/factories.js';
import { appSuite } from '../support/factories/world-suite.js';
import { artifactOf, SMALL_MAP, uploadSymbols } from '../support/symbols/symbol-client.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const cleanup = appSuite('cleaning up symbols', { worker: true });

const map = { name: 'app.js.map', bytes: SMALL_MAP };

async function releasesOf(world: World): Promise<string[]> {
  const { body } = await world.owner.client.get('/api/v1/catch/symbols');
  return (body as { artifacts: { release: string }[] }).artifacts.map(({ release }) => release);
}

cleanup('the sweep removes old objects without a row, and nothing else', async ({ test }) => {
  const world = await buildWorld(test);
  const kept = artifactOf(await uploadSymbols(world.owner.client, map, { kind: 'js_sourcemap' }));
  const objects = join(test.dataDir, 'objects');
  const orphan = join(objects, 'symbols', 'sym_lost', 'file');
  const fresh = join(objects, 'symbols', 'sym_under_way', 'file');
  const broken = join(objects, '.uploads', 'half');
  for (const path of [orphan, fresh, broken]) {
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, 'x');
  }
  const longAgo = new Date(Date.now() - 24 * 3_600_000);
  for (const path of [orphan, broken, join(objects, kept.storage_path)]) await utimes(path, longAgo, longAgo);
  assert.is(await test.app.services.symbolCleanup.sweepObjects(new Date()), 2);
  const left: string[] = [];
  for await (const { key } of test.app.parts.objects.list('symbols/')) left.push(key);
  assert.ok(left.includes(kept.storage_path));
  assert.ok(left.includes('symbols/sym_under_way/file'));
  assert.not(left.includes('symbols/sym_lost/file'));
});

cleanup(
  'deleting a release purges its symbols, but not those of the same version in the other environment',
  async ({ test }) => {
    const world = await buildWorld(test);
    const { client } = world.owner;
    for (const release of ['1.0', '2.0']) await uploadSymbols(client, map, { kind: 'js_sourcemap', release });
    await uploadSymbols(client, map, { kind: 'js_sourcemap' });
    await uploadSymbols(client, map, { kind: 'js_sourcemap', release: '1.0', environment: 'test' });
    const { createRelease } = await client.graphql<{ createRelease: { id: string } }>(
      'mutation($i: CreateReleaseInput!) { createRelease(input: $i) { id } }',
      { i: { projectId: world.projectId, environment: 'live', version: '1.0' } },
    );
    await client.graphql('mutation($i: IdInput!) { deleteRelease(input: $i) { id } }', { i: { id: createRelease.id } });
    await until('the symbols of a release are purged', async () => (await releasesOf(world)).length < 4);
    assert.equal((await releasesOf(world)).sort(), ['', '1.0', '2.0']);
  },
);

cleanup('symbols that are uploaded after their release was deleted are kept', async ({ test }) => {
  const world = await buildWorld(test);
  const { client } = world.owner;
  const hour = 3_600_000;
  const files = [map, { ...map, bytes: `${map.bytes} ` }] as const;
  const { createRelease } = await client.graphql<{ createRelease: { id: string } }>(
    'mutation($i: CreateReleaseInput!) { createRelease(input: $i) { id } }',
    { i: { projectId: world.projectId, environment: 'live', version: '1.0' } },
  );
  await uploadSymbols(client, files[0], { kind: 'js_sourcemap', release: '1.0' });
  test.clock.advance(hour);
  await uploadSymbols(client, files[1], { kind: 'js_sourcemap', release: '1.0' });
  test.clock.advance(-hour);
  await client.graphql('mutation($i: IdInput!) { deleteRelease(input: $i) { id } }', { i: { id: createRelease.id } });
  const done = `select from pgboss.job where name = 'catch.purge_release' and data->>'projectId' = $1 and state = 'completed'`;
  await until('the purge ends', async () => (await test.app.pool.query(done, [world.projectId])).rowCount === 1);
  assert.equal(await releasesOf(world), ['1.0']);
});

cleanup('a file whose conversion was given up is read on re-upload, or by the nightly sweep', async ({ test }) => {
  const { owner } = await buildWorld(test);
  const { pool, services } = test.app;
  const upload = async () => artifactOf(await uploadSymbols(owner.client, map, { kind: 'js_sourcemap' })).id;
  const id = await upload();
  const isRead = async () => {
    const { rows } = await pool.query('select indexed_at from symbol_artifact where id = $1', [id]);
    return rows[0].indexed_at !== null;
  };
  await until('the file is read', isRead);
  const giveUp = `update symbol_artifact set indexed_at = null, uploaded_at = now() - interval '13 hours' where id = $1`;
  await pool.query(giveUp, [id]);
  assert.is(await upload(), id);
  await until('the file is read again', isRead);
  await pool.query(giveUp, [id]);
  await services.symbolConversion.convertForgotten(new Date());
  await until('the sweep has had the file read', isRead);
  const { retries, delay } = JOB_KINDS['catch.convert_symbols'].policy;
  assert.ok(delay * (2 ** retries - 1) > 4 * 3_600, 'it is tried for hours');
});

cleanup('if more files are forgotten than the sweep queues at once, each gets its turn', async ({ test }) => {
  const { owner } = await buildWorld(test);
  const { pool, services } = test.app;
  const ids: string[] = [];
  for (const release of ['1', '2', '3'])
    ids.push(artifactOf(await uploadSymbols(owner.client, map, { kind: 'js_sourcemap', release })).id);
  const unread = `select id from symbol_artifact where id = any($1) and indexed_at is null`;
  await until('all are read', async () => (await pool.query(unread, [ids])).rowCount === 0);
  const queued = `select count(*)::int as jobs from pgboss.job where name = 'catch.convert_symbols' and data->>'artifactId' = $1`;
  const waiting = `select from pgboss.job where name = 'catch.convert_symbols' and state < 'completed'`;
  const jobsOf = async (id: string): Promise<number> => (await pool.query(queued, [id])).rows[0].jobs;
  for (const day of [0, 1, 2]) {
    // Each night finds all of them unread, like files that fail on every attempt.
    await pool.query(
      `update symbol_artifact set indexed_at = null, uploaded_at = now() - interval '13 hours' where id = any($1)`,
      [ids],
    );
    await services.symbolConversion.convertForgotten(new Date(Date.now() + day * 24 * 3_600_000), 1);
    await until('what was queued is done', async () => (await pool.query(waiting)).rowCount === 0);
  }
  for (const id of ids) assert.is(await jobsOf(id), 2, 'the upload and one night');
});

/** Stores a crash and a profile through the ingestion API, then dates them back this many days. */
async function crashedBefore(test: TestApp, world: World, days: number): Promise<void> {
  const eventId = randomUUID();
  await world.live.post('/api/catch/events', {
    event_id: eventId,
    message: days > 90 ? 'an early crash' : 'a late crash',
  });
  await world.live.post('/api/catch/profiles', { frames: [] });
  await symbolicated(test, eventId);
  for (const table of ['crash_event', 'crash_event_seen', 'crash_profile']) {
    await test.app.pool.query(
      `update ${table} set received_at = now() - make_interval(days => $1)
        where project_id = $2 and received_at > now() - interval '1 hour'`,
      [days, world.projectId],
    );
  }
  await test.app.pool.query(
    `update crash_issue set last_seen_at = now() - make_interval(days => $1)
      where project_id = $2 and last_seen_at > now() - interval '1 hour'`,
    [days, world.projectId],
  );
}

async function symbolicated(test: TestApp, eventId: string): Promise<void> {
  await until('the crash is symbolicated', async () => {
    const { rows } = await test.app.pool.query('select status from crash_event where event_id = $1', [eventId]);
    return rows[0]?.status !== 'pending';
  });
}

cleanup('crashes live as long as the plan says, with their profiles and issues', async ({ test }) => {
  const built = [await buildWorld(test), await buildWorld(test), await buildWorld(test)];
  const [stuck, hobby, pro] = built.sort((a, b) => (a.projectId < b.projectId ? -1 : 1)) as [World, World, World];
  const worlds = { hobby, pro };
  await setPlan(pro, {}, 'pro');
  const left = async (world: World) => {
    const counts: number[] = [];
    for (const table of ['crash_event', 'crash_event_seen', 'crash_profile', 'crash_issue']) {
      const { rows } = await test.app.pool.query(`select count(*)::int as n from ${table} where project_id = $1`, [
        world.projectId,
      ]);
      counts.push(rows[0].n);
    }
    for await (const { key } of test.app.parts.objects.list(`profiles/${world.projectId}/`)) counts.push(key.length);
    return counts.map((count) => Math.min(count, 9));
  };
  for (const world of Object.values(worlds)) {
    for (const days of [91, 89]) await crashedBefore(test, world, days);
  }
  await crashedBefore(test, stuck, 91);
  const allow = await refuseRows(test.app.pool, 'crash_event', `old.project_id = '${stuck.projectId}'`, 'delete');
  const failure = await test.app.services.crashRetention.deleteExpired(new Date()).catch((error: unknown) => error);
  await allow();
  assert.match(String(failure), 'refused');
  assert.equal(await left(stuck), [1, 1, 1, 1, 9]);
  assert.equal(await left(hobby), [1, 1, 1, 1, 9]);
  assert.equal(await left(pro), [2, 2, 2, 2, 9, 9]);
});

cleanup('issues also expire if their whole month of crashes was dropped before', async ({ test }) => {
  const world = await buildWorld(test);
  await setPlan(world, {}, 'enterprise');
  await crashedBefore(test, world, 1_826);
  const shown = async () => {
    const { crashIssues } = await world.owner.client.graphql<{ crashIssues: { nodes: { title: string }[] } }>(
      'query($p: ID!) { crashIssues(projectId: $p) { nodes { title } } }',
      { p: world.projectId },
    );
    return crashIssues.nodes.map(({ title }) => title);
  };
  assert.equal(await shown(), ['an early crash']);
  // As at night, one after the other.
  await test.app.services.symbolCleanup.keepPartitions(new Date());
  await test.app.services.crashRetention.deleteExpired(new Date());
  assert.equal(await shown(), []);
});

cleanup('partitions for the next months are created', async ({ test }) => {
  await test.app.services.symbolCleanup.keepPartitions(new Date('2031-05-20T00:00:00Z'));
  const { rows } = await test.app.pool.query(`select relname from pg_class where relname ~ '^crash_event_2031_0[56]$'`);
  assert.is(rows.length, 2);
});

cleanup(
  'months are created during a transaction on the crashes, and give way if it also holds their rows',
  async ({ test }) => {
    const keep = (day: string) => test.app.services.symbolCleanup.keepPartitions(new Date(day));
    const made = async () => {
      const { rows } = await test.app.pool.query(
        `select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'crash_event'::regclass and c.relname ~ '^crash_event_2031_(0[78]|1.)' order by 1`,
      );
      return rows.map(({ relname }) => relname as string);
    };
    await whileLocked(test.app.parts.databaseUrl, 'lock table only crash_event in access share mode', () =>
      keep('2031-07-20T00:00:00Z'),
    );
    assert.equal(await made(), ['crash_event_2031_07', 'crash_event_2031_08']);
    await whileLocked(test.app.parts.databaseUrl, 'lock table crash_event in access share mode', async () => {
      assert.match(String(await keep('2031-10-20T00:00:00Z').catch(String)), 'lock timeout');
    });
    assert.equal(await made(), ['crash_event_2031_07', 'crash_event_2031_08']);
  },
);

cleanup('months past every retention are dropped, unless a transaction holds them', async ({ test }) => {
  const { pool, services } = test.app;
  const isThere = async () => (await pool.query(`select to_regclass('crash_event_2020_01') as it`)).rows[0].it !== null;
  await pool.query(`select crash_event_partition('2020-01-01')`);
  await whileLocked(test.app.parts.databaseUrl, 'lock table only crash_event in access share mode', async () => {
    assert.match(String(await services.symbolCleanup.keepPartitions(new Date()).catch(String)), 'lock timeout');
  });
  assert.ok(await isThere());
  await services.symbolCleanup.keepPartitions(new Date());
  assert.not(await isThere());
});

cleanup.run();

interface Bucket {
  test: TestApp;
  close(): Promise<void>;
}

async function openOnBucket(): Promise<Bucket> {
  const server = await startBucketServer();
  const test = await openTestApp({ worker: true, settings: server.settings });
  return {
    test,
    async close() {
      await test.close();
      await server.close();
    },
  };
}

const bucket = suite<{ bucket: Bucket }>('symbols in a bucket');

bucket.before(async (context) => {
  context.bucket = await openOnBucket();
});
bucket.after((context) => context.bucket.close());

bucket('are stored, converted, served by a presigned link, and deleted', async ({ bucket: { test } }) => {
  const world = await buildWorld(test);
  const { client } = world.owner;
  const artifact = artifactOf(await uploadSymbols(client, map, { kind: 'js_sourcemap' }));
  const indexed = async () => {
    const { rows } = await test.app.pool.query('select indexed_at from symbol_artifact where id = $1', [artifact.id]);
    return rows[0]?.indexed_at !== null;
  };
  await until('the symbols are read', indexed);
  const { symbolDownloadUrl } = await client.graphql<{ symbolDownloadUrl: string }>(
    'query($id: ID!) { symbolDownloadUrl(id: $id) }',
    { id: artifact.id },
  );
  assert.match(symbolDownloadUrl, /X-Amz-Expires=300/);
  assert.is(await (await fetch(symbolDownloadUrl)).text(), SMALL_MAP);
  await client.delete(`/api/v1/catch/symbols/${artifact.id}`);
  await until('the object is gone', async () => !(await test.app.parts.objects.stat(artifact.storage_path)));
});

bucket.run();
