import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMicrosOfTree, memoryMib } from '../../harness/cpu.js';
import { Client } from '../../support/client.js';
import { until } from '../../support/until.js';
import type { TortureContext, TortureRow } from '../torture.js';

export const name = 'streams-idle';
export const usualCount = 10_000;

const OPENED_AT_ONCE = 50;
const MOST_MIB = 300;
const MOST_CPU_PERCENT = 2;
/** The system counts in steps of 10 ms; with few streams there is nothing to see. */
const LEAST_COUNT_MEASURED = 1_000;

interface Listener {
  socket: Socket;
  pass: string | null;
  toldAt: number;
}

/** Opens so many streams of one key, leaves them alone for a while, and then changes something for all of them. */
export async function run({ count, startServer, createDatabase, log }: TortureContext): Promise<TortureRow[]> {
  const server = await startServer({
    env: { DATABASE_URL: await createDatabase(), ROLE: 'api', STREAMS_PER_KEY: String(count + 10) },
  });
  const { api_keys: keys, sample } = await server.firstRun();
  const client = new Client(server.url).withKey(keys.live);
  await client.get('/api/v1/handshake');
  await sleep(2_000);
  const before = memoryMib(server.pid).now;
  const listeners: Listener[] = [];
  while (listeners.length < count) {
    const some = Array.from({ length: Math.min(OPENED_AT_ONCE, count - listeners.length) }, () =>
      opened(server.url, keys.live),
    );
    listeners.push(...(await Promise.all(some)));
  }
  await sleep(1_000);
  const mib = memoryMib(server.pid).now - before;
  const measured = count >= LEAST_COUNT_MEASURED;
  const seconds = measured ? 45 : 2;
  const cpuBefore = cpuMicrosOfTree(server.pid);
  await sleep(seconds * 1_000);
  const percent = (cpuMicrosOfTree(server.pid) - cpuBefore) / seconds / 10_000;
  log(`${count} streams: ${mib.toFixed(0)} MiB, ${percent.toFixed(2)} % of a core`);
  const changedAt = performance.now();
  await client.post('/api/switch/halt-webhook', { flag_key: sample.flag_key, reason: 'torture' });
  const statuses: Record<number, number> = {};
  const asked = listeners.map(async (listener) => {
    const pass = await until('the notice', () => listener.pass, 60_000);
    const { status } = await client.get('/api/v1/handshake?distinct_id=u', { 'quarterdeck-refetch': pass });
    statuses[status] = (statuses[status] ?? 0) + 1;
  });
  await Promise.all(asked);
  const last = Math.max(...listeners.map(({ toldAt }) => toldAt)) - changedAt;
  for (const { socket } of listeners) socket.destroy();
  const refused = count - (statuses[200] ?? 0);
  return [
    {
      promise: `idle streams take at most ${MOST_MIB} MiB and ${MOST_CPU_PERCENT} % of a core for 10,000`,
      seen: `${count} streams, ${mib.toFixed(0)} MiB, ${percent.toFixed(2)} %`,
      held: !measured || (mib <= MOST_MIB && percent < MOST_CPU_PERCENT),
    },
    {
      promise: 'one halt reaches every stream of a process, and no client that asks upon it is refused',
      seen: `${count} streams, the last told after ${last.toFixed(0)} ms, ${refused} refused (${JSON.stringify(statuses)})`,
      held: refused === 0,
    },
  ];
}

function opened(url: string, key: string): Promise<Listener> {
  const { hostname: host, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port) });
    const listener: Listener = { socket, pass: null, toldAt: 0 };
    socket.once('error', reject);
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString();
      if (text.includes('event: ready')) resolve(listener);
      const [, pass] = /"refetch":"([^"]+)"/.exec(text) ?? [];
      if (pass === undefined || listener.pass !== null) return;
      listener.pass = pass;
      listener.toldAt = performance.now();
    });
    socket.write(`GET /api/v1/stream HTTP/1.1\r\nhost: ${host}\r\nx-api-key: ${key}\r\n\r\n`);
  });
}
