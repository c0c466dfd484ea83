import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort } from '../harness/server-process.js';
import { createTestDatabase } from '../support/database.js';
import { until } from '../support/until.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const npmStart = suite('npm start');

const LONGEST_STOP_MS = 120_000;

const isUp = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );

function endGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-Number(pid), 'SIGKILL');
  } catch {
    // Nothing is left of it.
  }
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  npmStart(`${signal} sent to npm alone also ends the server`, async () => {
    const database = await createTestDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'quarterdeck-npm-start-'));
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}`;
    const npm = spawn('npm', ['start'], {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        HOST: '127.0.0.1',
        PORT: port,
        DATA_DIR: dataDir,
        DATABASE_URL: database.url,
        FIRST_RUN: 'off',
        LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    for (const stream of [npm.stdout, npm.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    const ended = once(npm, 'exit');
    // Both ends of the pipes close once every process started by npm is gone.
    const closed = once(npm, 'close');
    try {
      await until('the server is up', () => isUp(url));
      npm.kill(signal);
      await ended;
      const isClosed = await Promise.race([closed.then(() => true), sleep(LONGEST_STOP_MS, false, { ref: false })]);
      assert.ok(isClosed, `a process started by npm is still running: ${output}`);
      assert.is(await isUp(url), false, output);
    } finally {
      endGroup(npm);
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
}

npmStart.run();
