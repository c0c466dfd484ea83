import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { memoryMib } from '../harness/cpu.js';
import { type ServerProcess, startServerProcess } from '../harness/server-process.js';
import { type BenchContext, type BenchRow, row } from './bench.js';

export const name = 'start';

const startFile = join(dirname(fileURLToPath(import.meta.url)), '../../../.ci/start.mjs');
/** How long a server is left idle before its memory is read. */
const IDLE_MS = 10_000;

interface Started {
  seconds: number;
  idleMib: number;
}

/**
 * `npm start` after install and build, with an empty data folder and again with the same one; then the memory of the
 * idle server.
 */
export async function run(bench: BenchContext): Promise<BenchRow[]> {
  const firsts: Started[] = [];
  const seconds: Started[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    const dataDir = await mkdtemp(join(tmpdir(), 'quarterdeck-start-'));
    try {
      firsts.push(await started(dataDir, 0));
      seconds.push(await started(dataDir, IDLE_MS));
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
    bench.log(`first ${firsts.at(-1)?.seconds.toFixed(1)} s, second ${seconds.at(-1)?.seconds.toFixed(1)} s`);
  }
  return [
    row({
      path: 'start with an empty data folder: to ready, the database made',
      unit: 's',
      values: firsts.map((start) => start.seconds),
      goal: { atMost: 5 },
    }),
    row({
      path: 'start again: to ready',
      unit: 's',
      values: seconds.map((start) => start.seconds),
      goal: { atMost: 2 },
    }),
    row({
      path: 'idle: RSS of the server, all roles, without its database',
      unit: 'MiB',
      values: seconds.map(({ idleMib }) => idleMib),
      goal: { atMost: 180 },
    }),
  ];
}

async function started(dataDir: string, idleMs: number): Promise<Started> {
  let server: ServerProcess | undefined;
  try {
    server = await startServerProcess({ dataDir, entryFile: startFile, env: { NODE_ENV: 'production' } });
    await sleep(idleMs);
    return { seconds: server.readyMs / 1000, idleMib: memoryMib(server.pid).now };
  } finally {
    await server?.stop();
  }
}
