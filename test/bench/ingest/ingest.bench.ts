import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startBareKoa } from '../../harness/bare-koa.js';
import { cpuMicrosOfTree, memoryMib, resetPeakMemory } from '../../harness/cpu.js';
import { type LoadCount, type LoadRequest, sendLoad } from '../../harness/load.js';
import { alternate, median } from '../../harness/rounds.js';
import { type BenchContext, type BenchRow, row } from '../bench.js';
import { Probe } from '../probe.js';
import { ingestProject, sampleBody } from './ingest-project.js';
import { block } from './large-batch-process.js';
import { copyFor, copyOnce, encodedRows } from './raw-copy.js';

export const name = 'ingest';

const KEYS = 1_500;
const CONNECTIONS = 64;
const LARGE_BYTES = 500 * 1024 * 1024;
const PROBE_KEYS = 10;
const largeBatchProcess = fileURLToPath(new URL('./large-batch-process.js', import.meta.url));

interface Measured {
  count: LoadCount;
  serverMicros: number;
  databaseMicros: number;
}

interface LargeBatch {
  seconds: number;
  status: number;
  events: number;
  blocks: number;
  bytes: number;
}

/** The ingestion rows: batches, single operations, and one batch of 500 MiB. */
export async function run(bench: BenchContext): Promise<BenchRow[]> {
  const databaseUrl = await bench.createDatabase();
  const server = await bench.startServer({ env: { DATABASE_URL: databaseUrl } });
  const { projectId, keys } = await ingestProject(server, databaseUrl, KEYS);
  const idle = memoryMib(server.pid).now;
  const requests = (body: string): LoadRequest[] =>
    keys.map((key) => ({
      path: '/api/v1/batch',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body,
    }));
  const measure = async (body: string, status: number): Promise<Measured> => {
    const [before, databaseBefore] = [cpuMicrosOfTree(server.pid), cpuMicrosOfTree(bench.databasePid)];
    const count = await sendLoad({
      url: server.url,
      requests: requests(body),
      connections: CONNECTIONS,
      seconds: bench.seconds,
      warmUpSeconds: 0.5,
      expectedStatuses: [status],
    });
    const all = count.requests * (1 + 0.5 / count.seconds);
    return {
      count,
      serverMicros: (cpuMicrosOfTree(server.pid) - before) / all,
      databaseMicros: (cpuMicrosOfTree(bench.databasePid) - databaseBefore) / all,
    };
  };
  const copy = () => copyFor(databaseUrl, encodedRows(projectId, sampleBody(1_000)), bench.seconds);
  const underLoad = [await batches(bench, measure, copy), await singles(bench, measure, copy)];
  const kept = memoryMib(server.pid).now - idle;
  await server.stop();
  return [
    ...underLoad,
    row({ path: 'right after the loads above: RSS above idle', unit: 'MiB', values: [kept] }),
    ...(await largeBatches(bench, await largeSetting(bench))),
  ];
}

type Measure = (body: string, status: number) => Promise<Measured>;

const perOperation = (measured: readonly Measured[], operations: number): Record<string, number> => ({
  'p50 ms': median(measured.map(({ count }) => count.p50Ms)),
  'p99 ms': median(measured.map(({ count }) => count.p99Ms)),
  'server µs/op': median(measured.map(({ serverMicros }) => serverMicros / operations)),
  'database µs/op': median(measured.map(({ databaseMicros }) => databaseMicros / operations)),
  'generator µs/op': median(measured.map(({ count }) => count.generatorMicros / operations)),
});

async function batches({ rounds }: BenchContext, measure: Measure, copy: () => Promise<number>): Promise<BenchRow> {
  const body = sampleBody(100);
  const { stored, copied } = await alternate<'stored' | 'copied', Measured | number>(rounds, {
    stored: () => measure(body, 200),
    copied: copy,
  });
  const measured = stored as Measured[];
  return row({
    path: 'batch, 100 operations, 64 connections, durable',
    unit: 'events/s',
    values: measured.map(({ count }) => count.perSecond * 100),
    peer: { what: 'raw binary COPY of the same rows, two connections', values: copied as number[] },
    goal: { atLeast: 0.7 },
    more: perOperation(measured, 100),
  });
}

async function singles(
  { rounds, seconds }: BenchContext,
  measure: Measure,
  copy: () => Promise<number>,
): Promise<BenchRow> {
  const body = sampleBody(1);
  const koa = await startBareKoa({ status: 200, headers: { 'content-type': 'application/json' }, body: '{}' });
  const request = { path: '/', method: 'POST', headers: { 'content-type': 'application/json' }, body };
  const answered = async (): Promise<number> => {
    const load = { url: koa.url, requests: [request], connections: CONNECTIONS, seconds, warmUpSeconds: 0.5 };
    return (await sendLoad({ ...load, expectedStatuses: [200] })).perSecond;
  };
  try {
    const { stored, limit } = await alternate<'stored' | 'limit', Measured | number>(rounds, {
      stored: () => measure(body, 200),
      limit: async () => 1 / (1 / (await answered()) + 1 / (await copy())),
    });
    const measured = stored as Measured[];
    return row({
      path: 'batch, 1 operation, 64 connections, durable',
      unit: 'requests/s',
      values: measured.map(({ count }) => count.perSecond),
      peer: { what: 'bare Koa for each request, then COPY of its row among a thousand', values: limit as number[] },
      more: perOperation(measured, 1),
    });
  } finally {
    koa.stop();
  }
}

interface LargeSetting {
  url: string;
  pid: number;
  idle: number;
  databaseUrl: string;
  projectId: string;
  key: string;
  probeKeys: string[];
}

/** A fresh server: heap retained after a load would count as the batch's memory. */
async function largeSetting(bench: BenchContext): Promise<LargeSetting> {
  const databaseUrl = await bench.createDatabase();
  const server = await bench.startServer({ env: { DATABASE_URL: databaseUrl } });
  const { projectId, keys } = await ingestProject(server, databaseUrl, PROBE_KEYS + 1);
  const [key = '', ...probeKeys] = keys;
  const { url, pid } = server;
  return { url, pid, idle: memoryMib(pid).now, databaseUrl, projectId, key, probeKeys };
}

async function largeBatches(bench: BenchContext, setting: LargeSetting): Promise<BenchRow[]> {
  const { url, pid, idle, databaseUrl, projectId, key, probeKeys } = setting;
  const operations = block();
  const rows = encodedRows(projectId, `{"operations":[${operations.subarray(0, -1).toString()}]}`);
  const peaks: number[] = [];
  const loopDelays: number[] = [];
  const handshakes: number[] = [];
  const stored = async (): Promise<number> => {
    resetPeakMemory(pid);
    const loop = new Probe(`${url}/healthz`, {}, 10);
    const handshake = new Probe(`${url}/api/v1/handshake?distinct_id=u`, { 'x-api-key': probeKeys }, 50);
    const sent = await sendLarge(url, key);
    if (sent.status !== 200) throw new Error(`the large batch was answered ${sent.status}`);
    loopDelays.push(await loop.stop());
    handshakes.push(await handshake.stop());
    peaks.push(memoryMib(pid).peak - idle);
    return LARGE_BYTES / 1e6 / sent.seconds;
  };
  const copied = async (): Promise<number> => {
    const seconds = await copyOnce(databaseUrl, rows, Math.floor(LARGE_BYTES / operations.length));
    return LARGE_BYTES / 1e6 / seconds;
  };
  const speeds = await alternate(bench.rounds, { stored, copied });
  const large = 'one batch of 500 MiB';
  return [
    row({
      path: large,
      unit: 'MB/s',
      values: speeds.stored,
      peer: { what: 'COPY of the same rows, two connections', values: speeds.copied },
      goal: { atLeast: 0.7 },
    }),
    row({
      path: `${large}, server without load before: peak RSS above idle`,
      unit: 'MiB',
      values: peaks.slice(1),
      goal: { atMost: 96 },
    }),
    row({
      path: `${large}: p99 of /healthz every 10 ms (event-loop delay)`,
      unit: 'ms',
      values: loopDelays.slice(1),
      goal: { atMost: 50 },
    }),
    row({
      path: `${large}: p99 of a handshake meanwhile`,
      unit: 'ms',
      values: handshakes.slice(1),
      goal: { atMost: 50 },
    }),
  ];
}

async function sendLarge(url: string, key: string): Promise<LargeBatch> {
  const child = fork(largeBatchProcess, [url, key, String(LARGE_BYTES)], { execPath: process.execPath });
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as LargeBatch));
    child.once('exit', (code) => reject(new Error(`the sender ended with ${code}`)));
  });
}
