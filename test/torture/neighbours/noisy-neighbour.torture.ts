import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { TortureContext, TortureRow } from '../torture.js';
import { writeTarget } from '../torture-project.js';
import { type AttackCount, type AttackRequest, startAttack } from './attack.js';
import { buildAttacker } from './attacker.js';
import { ATTACKS, bomb } from './attacks.js';
import { type NeighbourSeen, watchNeighbour } from './neighbour.js';

export const name = 'noisy-neighbour';
/** Seconds per attack. */
export const usualCount = 15;

const P99_MS = 250;
const MEMORY_MIB = 600;
/** How long an attack runs before the neighbour is measured. */
const RUN_UP_MS = 2_000;
/** Stalled requests are disconnected after 15 s; the next attack starts without them. */
const REST_MS = 3_000;
const CONTROL_SECONDS = 5;

const naiveProcess = fileURLToPath(new URL('./naive-neighbour-process.js', import.meta.url));

/** One tenant attacks, in one way at a time, while another sends halts and handshakes. */
export async function run(torture: TortureContext): Promise<TortureRow[]> {
  const databaseUrl = await torture.createDatabase();
  const server = await torture.startServer({ env: { DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' } });
  const target = await writeTarget(server);
  const attacker = await buildAttacker(server, databaseUrl);
  const watched = { target, pid: server.pid };
  const rows: TortureRow[] = [];
  const quiet = await watchNeighbour(watched, torture.count);
  rows.push(rowOf('nothing', quiet, null));
  torture.log(rows[0]?.seen ?? '');
  for (const attack of ATTACKS) {
    const stop = startAttack(server.url, attack.order(attacker));
    await sleep(RUN_UP_MS);
    const seen = await watchNeighbour(watched, torture.count);
    const count = await stop();
    rows.push(rowOf(attack.name, seen, count));
    torture.log(`${attack.name}: ${rows.at(-1)?.seen}`);
    await sleep(REST_MS);
  }
  rows.push(await control('a pattern that runs in the event loop', '/pattern', { body: `${'a'.repeat(25)}!` }));
  rows.push(await control('bodies that are inflated whole', '/gzip', { blob: 0 }));
  return rows;
}

/** The same measurement on a server that does it the wrong way. */
async function control(
  fault: string,
  path: string,
  content: Pick<AttackRequest, 'body' | 'blob'>,
): Promise<TortureRow> {
  const naive = fork(naiveProcess, { execPath: process.execPath });
  const port = await new Promise<number>((resolve, reject) => {
    naive.once('message', (message) => resolve(Number(message)));
    naive.once('exit', (code) => reject(new Error(`the naive server ended with ${code}`)));
  });
  const url = `http://127.0.0.1:${port}`;
  const target = { url, token: 'x', projectId: 'x', surveyId: 'x', keys: ['x'] };
  const request = { method: 'POST', path, headers: {}, ...content };
  const stop = startAttack(url, { requests: [request], blobs: [bomb(300)], perSecond: 2, mostUnderWay: 2 });
  try {
    const seen = await watchNeighbour({ target, pid: naive.pid ?? 0 }, CONTROL_SECONDS);
    await stop();
    return {
      promise: `the measure notices ${fault}`,
      seen: told(seen),
      held: !isWell(seen),
    };
  } finally {
    naive.kill('SIGKILL');
  }
}

function rowOf(attack: string, seen: NeighbourSeen, count: AttackCount | null): TortureRow {
  return {
    promise: `a neighbour's halts and handshakes are answered while another tenant sends ${attack}`,
    seen: `${told(seen)}${count ? `; ${count.sent} attacks, answered ${statusesOf(count)}, by ${count.cores.toFixed(2)} of a core` : ''}`,
    held: isWell(seen),
  };
}

function isWell({ handshakes, halts, failed, peakMib }: NeighbourSeen): boolean {
  return failed === 0 && handshakes.p99Ms < P99_MS && halts.p99Ms < P99_MS && peakMib < MEMORY_MIB;
}

function told({ handshakes, halts, failed, peakMib }: NeighbourSeen): string {
  return `p99 of ${handshakes.count} handshakes ${handshakes.p99Ms.toFixed(0)} ms (longest ${handshakes.longestMs.toFixed(0)}), of ${halts.count} halts ${halts.p99Ms.toFixed(0)} ms, ${failed} failed, at most ${peakMib.toFixed(0)} MiB`;
}

function statusesOf({ statuses }: AttackCount): string {
  return Object.entries(statuses)
    .map(([status, count]) => `${status} ${count}×`)
    .join(', ');
}
