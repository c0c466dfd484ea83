import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DiskProbe } from '../../../src/storage/objects/disk-probe.js';
import { startServerProcess } from '../../harness/server-process.js';
import { createTestDatabase } from '../../support/database.js';
import { openTestApp } from '../../support/test-app.js';

const x = suite('a disk that refuses writes');

async function readiness(url: string): Promise<{ status: number; degraded: string[] }> {
  const answer = await fetch(`${url}/readyz`);
  const { degraded } = (await answer.json()) as { degraded: string[] };
  return { status: answer.status, degraded };
}

/** What is degraded, once it is what it should be: the disk is tried once a second. */
async function degradedUntil(url: string, expected: string): Promise<string> {
  for (let wait = 0; wait < 100; wait++) {
    const { degraded } = await readiness(url);
    if (degraded.join() === expected) break;
    await sleep(50);
  }
  return (await readiness(url)).degraded.join();
}

x('is told by /readyz, and so is its recovery', async () => {
  const test = await openTestApp();
  try {
    assert.equal(await readiness(test.baseUrl), { status: 200, degraded: [] });
    // A file where the folder should be refuses everybody, the superuser, too.
    await rename(test.dataDir, `${test.dataDir}.away`);
    await writeFile(test.dataDir, '');
    assert.is(await degradedUntil(test.baseUrl, 'objects,disk'), 'objects,disk');
    assert.is((await readiness(test.baseUrl)).status, 200, 'it is ready for what needs no disk');
    await rm(test.dataDir);
    await rename(`${test.dataDir}.away`, test.dataDir);
    assert.is(await degradedUntil(test.baseUrl, ''), '');
    await rm(join(test.dataDir, 'objects'), { recursive: true });
    await writeFile(join(test.dataDir, 'objects'), '');
    assert.is(await degradedUntil(test.baseUrl, 'objects'), 'objects');
  } finally {
    await test.close();
  }
});

x('is told though its folders may be written: no file may have a single byte', async () => {
  const database = await createTestDatabase();
  const server = await startServerProcess({
    // Ignored, the signal of the limit leaves the write to fail, as on a full disk.
    command: ['sh', '-c', 'trap "" XFSZ; ulimit -f 0; exec "$@"', 'sh'],
    env: { DATABASE_URL: database.url, JWT_SECRET: 'a secret of the tests, long enough for HS256', FIRST_RUN: 'off' },
  });
  try {
    assert.is((await readiness(server.url)).degraded.join(), 'objects,disk');
  } finally {
    await server.stop();
    await database.drop();
  }
});

x('is tried once a second at most, whoever asks, and nothing is left of it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-probe-'));
  try {
    const probe = new DiskProbe(folder);
    const begun = performance.now();
    await Promise.all(Array.from({ length: 50 }, () => probe.check()));
    const written = async () => (await stat(folder, { bigint: true })).mtimeNs;
    const first = await written();
    for (let n = 0; n < 200; n++) await probe.check();
    if (performance.now() - begun < 1_000) assert.is(await written(), first);
    assert.ok(first > 0n);
    assert.equal(await readdir(folder), []);
    await rm(folder, { recursive: true });
    await mkdir(folder);
    await probe.check();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

x.run();
