import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { embeddedUrl, takeLease } from '../../../src/storage/embedded/postgres-lease.js';
import { DiskObjects } from '../../../src/storage/objects/disk-objects.js';
import { ObjectStoreUnavailable } from '../../../src/storage/objects/object-store.js';
import { mayMountDisks } from '../../runner/machine.js';
import { until } from '../../support/until.js';
import { callUntil, newKey, type RunningServer, startRunningServer, track } from '../running-server.js';

const x = suite('a server whose database or disk fails');
const mounts: string[] = [];
const hasDisk = mayMountDisks();
let disk: string | undefined;
let server: RunningServer;

x.before(async () => {
  disk = hasDisk ? await smallDisk(400 * 1024 * 1024) : undefined;
  server = await startRunningServer({}, disk);
});
x.after(async () => {
  await server.process.stop();
  for (const mount of mounts) {
    execFileSync('umount', [mount]);
    await rm(mount, { recursive: true });
  }
});

/** A folder on a disk of its own. */
async function smallDisk(bytes: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'small-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=0755`, 'tmpfs', folder], { stdio: 'ignore' });
  mounts.push(folder);
  return folder;
}

async function fill(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'filler');
  const { bsize, bavail } = await statfs(folder);
  await writeFile(path, Buffer.alloc(bsize * bavail)).catch(() => {});
  return () => rm(path);
}

/** Resolves when the embedded database accepts connections, checked without the server. */
async function databaseIsBack(server: RunningServer): Promise<void> {
  const settings = await readFile(join(server.process.dataDir, 'postgres', 'launcher.json'), 'utf8');
  const { password, port } = JSON.parse(settings) as { password: string; port: number };
  const lease = await until('the database', () => takeLease(embeddedUrl(port, password)));
  await lease.end();
}

x('answers 503 while its database is down, and serves again without a restart when it returns', async () => {
  const live = server.live.withKey((await newKey(server)).secret);
  for (let round = 0; round < 2; round += 1) {
    const pidFile = await readFile(join(server.process.dataDir, 'postgres', 'postmaster.pid'), 'utf8');
    assert.is((await track(live, 0)).status, 200);
    process.kill(Number(pidFile.split('\n')[0]), 'SIGKILL');
    let isBack = false;
    void databaseIsBack(server).then(() => {
      isBack = true;
    });
    let last = 0;
    const givenUpAt = Date.now() + 120_000;
    const series = await callUntil(
      async (n) => {
        const { status } = await server.owner.post('/graphql', { query: '{ me { id } }' });
        assert.ok([200, 503].includes(status), `GraphQL answered ${status}`);
        const answer = await track(live, n);
        last = answer.status;
        if (answer.status !== 200) await sleep(50);
        return answer;
      },
      () => (isBack && last === 200) || Date.now() > givenUpAt,
    );
    assert.is(last, 200, JSON.stringify(series.statuses));
    assert.equal(
      Object.keys(series.statuses).filter((status) => !['200', '503'].includes(status)),
      [],
    );
  }
  assert.ok((await server.owner.graphql<{ me: unknown }>('{ me { id } }')).me);
});

if (hasDisk) {
  x('answers 503 while the disk is full, stays alive, and serves again when there is room', async () => {
    assert.ok(disk);
    const live = server.live.withKey((await newKey(server)).secret);
    assert.is((await track(live, 0)).status, 200);
    const makeRoom = await fill(disk);
    const large = {
      type: 'track',
      payload: { event_name: 'large', distinct_id: 'p', properties: { text: 'x'.repeat(900_000) } },
    };
    const batch = { operations: Array.from({ length: 20 }, () => large) };
    let isRefused = false;
    const full = await callUntil(
      async (n) => {
        const answer = await (n % 2 ? live.post('/api/v1/batch', batch) : track(live, n));
        isRefused ||= answer.status === 503;
        return answer;
      },
      (n) => n === 12 || (n >= 4 && isRefused),
    );
    assert.ok((full.statuses[503] ?? 0) > 0, JSON.stringify(full.statuses));
    assert.equal(
      Object.keys(full.statuses).filter((status) => !['200', '503'].includes(status)),
      [],
    );
    assert.is((await fetch(`${server.process.url}/healthz`)).status, 200);
    await makeRoom();
    await until('a write', async () => (await track(live, 1)).status === 200);
  });

  x('keeps no part of an object that does not fit on the disk', async () => {
    const disk = await smallDisk(4 * 1024 * 1024);
    const store = new DiskObjects({ folder: join(disk, 'objects'), linkBase: '', linkSecret: '' });
    await store.put('small', Readable.from([Buffer.alloc(1024)]));
    const error = await store
      .put('large', Readable.from([Buffer.alloc(9 * 1024 * 1024)]))
      .catch((reason: unknown) => reason);
    assert.instance(error, ObjectStoreUnavailable);
    assert.equal(await readdir(join(disk, 'objects')), ['.uploads', 'small']);
    assert.equal(await readdir(join(disk, 'objects', '.uploads')), []);
    await store.put('medium', Readable.from([Buffer.alloc(2 * 1024 * 1024)]));
  });
}

x.run();
