import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DiskProbe } from '../../../src/storage/objects/disk-probe.js';
import { startServerProcess } from '../../harness/server-process.js';
import { createTestDatabase } from '../../support/database.js';
import { openTestApp } from '../../support/test-app.js';
import { until } from '../../support/until.js';

const x = suite('a disk that refuses writes');

async function readiness(url: string): Promise<{ status: number; degraded: string[] }> {
  const answer = await fetch(`${url}/readyz`);
  const { degraded } = (await answer.json()) as { degraded: string[] };
  return { status: answer.status, degraded };
}

/** Waits until it is degraded as expected; the server probes the disk once a second. */
const isDegraded = (url: string, expected: string): Promise<unknown> =>
  until(`degraded: ${expected}`, async () => (await readiness(url)).degraded.join() === expected);

x('is reported by /readyz, and so is its recovery', async () => {
  const test = await openTestApp();
  try {
    assert.equal(await readiness(test.baseUrl), { status: 200, degraded: [] });
    // A file in place of the folder rejects everyone, even the superuser.
    await rename(test.dataDir, `${test.dataDir}.away`);
    await writeFile(test.dataDir, '');
    await isDegraded(test.baseUrl, 'objects,disk');
    assert.is((await readiness(test.baseUrl)).status, 200, 'it is ready for requests that need no disk');
    await rm(test.dataDir);
    await rename(`${test.dataDir}.away`, test.dataDir);
    await isDegraded(test.baseUrl, '');
    await rm(join(test.dataDir, 'objects'), { recursive: true });
    await writeFile(join(test.dataDir, 'objects'), '');
    await isDegraded(test.baseUrl, 'objects');
  } finally {
    await test.close();
  }
});

x('is reported even if its folders are writable but no file can hold a single byte', async () => {
  const database = await createTestDatabase();
  const server = await startServerProcess({
    // With the limit's signal ignored, the write itself fails, as on a full disk.
    command: ['sh', '-c', 'trap "" XFSZ; ulimit -f 0; exec "$@"', 'sh'],
    env: { DATABASE_URL: database.url, JWT_SECRET: 'a secret of the tests, long enough for HS256', FIRST_RUN: 'off' },
  });
  try {
    await isDegraded(server.url, 'objects,disk');
  } finally {
    await server.stop();
    await database.drop();
  }
});

x('is probed at most once a second, whoever asks, and the probe leaves nothing behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-probe-'));
  try {
    let now = 0;
    const probe = new DiskProbe(folder, () => now);
    await Promise.all(Array.from({ length: 50 }, () => probe.check()));
    const written = async () => (await stat(folder, { bigint: true })).mtimeNs;
    const first = await written();
    for (let n = 0; n < 200; n++) await probe.check();
    assert.is(await written(), first);
    now += 1_001;
    await probe.check();
    assert.ok((await written()) > first);
    assert.equal(await readdir(folder), []);
    await rm(folder, { recursive: true });
    await mkdir(folder);
    await probe.check();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

x.run();
