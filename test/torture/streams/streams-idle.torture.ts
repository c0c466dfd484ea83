import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { cpuMicrosOfTree, memoryMib } from '../../harness/cpu.js';
import type { ServerProcess } from '../../harness/server-process.js';
import { Client } from '../../support/client.js';
import type { TortureContext, TortureRow } from '../torture.js';
import { writeTarget } from '../torture-project.js';
import type { WriteTarget } from '../write-kinds.js';
import { IdleListener } from './idle-listeners.js';
import { steadyHandshakes } from './steady-handshakes.js';

export const name = 'streams-idle';
export const usualCount = 10_000;

const MOST_MIB = 300;
const MOST_CPU_PERCENT = 2;
const HALT_TOLD_MS = 500;
/** CPU time is counted in steps of 10 ms, so a few streams show nothing. */
const LEAST_COUNT_MEASURED = 1_000;
/** Handshakes per second from other clients, and a p99 for them that is always good enough. */
const OTHERS = 40;
const GOOD_P99_MS = 20;
/** Notices of a change may take ten seconds, and the answers a moment longer. */
const WATCHED_SECONDS = 12;
const CONNECTIONS = 64;

/** Opens many streams with one key, leaves them idle for a while, and then makes a change for all of them. */
export async function run({ count, startServer, createDatabase, log }: TortureContext): Promise<TortureRow[]> {
  const isMeasured = count >= LEAST_COUNT_MEASURED;
  const server = await startServer({
    env: { DATABASE_URL: await createDatabase(), ROLE: 'api', STREAMS_PER_KEY: String(count + 10) },
  });
  const target = await writeTarget(server, server.url);
  const watch = { ...target, perSecond: OTHERS, seconds: isMeasured ? WATCHED_SECONDS : 1 };
  await steadyHandshakes({ ...watch, seconds: 2 });
  const idle = isMeasured ? await cpuPercent(server, 20) : 0;
  const before = memoryMib(server.pid).now;
  const listeners = await IdleListener.open(server.url, target.keys[0] as string, count);
  await sleep(1_000);
  const mib = memoryMib(server.pid).now - before;
  const percent = await cpuPercent(server, isMeasured ? 45 : 1);
  const cost = `${count} streams, ${mib.toFixed(0)} MiB, ${percent.toFixed(2)} % of a core, ${idle.toFixed(2)} % without them`;
  log(cost);
  const alone = await steadyHandshakes(watch);
  const [others, changed] = await Promise.all([
    steadyHandshakes(watch),
    sleep(500).then(() => askUpon(listeners, target, () => changeConfig(target))),
  ]);
  const halted = await askUpon(listeners, target, () => halt(server, target));
  for (const listener of listeners) listener.close();
  return [
    {
      promise: `idle streams take at most ${MOST_MIB} MiB and ${MOST_CPU_PERCENT} % of a core for 10,000`,
      seen: cost,
      held: !isMeasured || (mib <= MOST_MIB && percent < MOST_CPU_PERCENT),
    },
    {
      promise:
        'one change reaches every stream of a process, no client that asks upon it is refused, and others wait at most twice as long',
      seen: `${count} streams, the last told after ${changed.lastMs.toFixed(0)} ms, ${changed.refused}; p99 of others ${alone.p99Ms.toFixed(0)} → ${others.p99Ms.toFixed(0)} ms`,
      held:
        changed.refused === NONE_REFUSED &&
        others.failed === 0 &&
        (!isMeasured || others.p99Ms <= Math.max(GOOD_P99_MS, 2 * alone.p99Ms)),
    },
    {
      promise: `a halt is told to every stream of a process within ${HALT_TOLD_MS} ms, and no client that asks upon it is refused`,
      seen: `${count} streams, the last told after ${halted.lastMs.toFixed(0)} ms, ${halted.refused}`,
      held: halted.refused === NONE_REFUSED && (!isMeasured || halted.lastMs <= HALT_TOLD_MS),
    },
  ];
}

async function cpuPercent({ pid }: ServerProcess, seconds: number): Promise<number> {
  const before = cpuMicrosOfTree(pid);
  await sleep(seconds * 1_000);
  return (cpuMicrosOfTree(pid) - before) / seconds / 10_000;
}

const NONE_REFUSED = 'none refused';

/** Makes a change; each listener sends a request as soon as it is notified. */
async function askUpon(
  listeners: readonly IdleListener[],
  { url, keys }: WriteTarget,
  change: () => Promise<unknown>,
): Promise<{ lastMs: number; refused: string }> {
  const pool = new Pool(url, { connections: CONNECTIONS });
  const refusals = new Map<number, number>();
  let last = 0;
  const asked = listeners.map(async (listener) => {
    const { pass, at } = await listener.told();
    last = Math.max(last, at);
    const headers = { 'x-api-key': keys[0] as string, 'quarterdeck-refetch': pass };
    const { statusCode, body } = await pool.request({
      path: '/api/v1/handshake?distinct_id=u',
      method: 'GET',
      headers,
    });
    await body.dump();
    if (statusCode !== 200) refusals.set(statusCode, (refusals.get(statusCode) ?? 0) + 1);
  });
  const changedAt = performance.now();
  await change();
  await Promise.all(asked);
  await pool.close();
  const refused = [...refusals].map(([status, n]) => `${n} answered ${status}`).join(', ');
  return { lastMs: last - changedAt, refused: refused || NONE_REFUSED };
}

async function changeConfig({ url, token, projectId }: WriteTarget): Promise<void> {
  await new Client(url)
    .withToken(token)
    .graphql('mutation($i: CreateConfigItemInput!) { createConfigItem(input: $i) { id } }', {
      i: { projectId, environment: 'live', key: 'streams.torture', type: 'int', value: '1' },
    });
}

async function halt(server: ServerProcess, { url, keys }: WriteTarget): Promise<void> {
  const { sample } = await server.firstRun();
  const flag = { flag_key: sample.flag_key, reason: 'torture' };
  await new Client(url).withKey(keys[0] as string).post('/api/switch/halt-webhook', flag);
}
