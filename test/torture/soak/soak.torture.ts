import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { Cluster, MEMBERS } from '../../harness/cluster.js';
import { cpuMicrosOfTree } from '../../harness/cpu.js';
import { openLocally } from '../../support/receivers/open-locally.js';
import { IdleListener } from '../streams/idle-listeners.js';
import type { TortureContext, TortureRow } from '../torture.js';
import { writeTarget } from '../torture-project.js';
import { deliverAll } from '../webhooks/deliver-all.js';
import { subscribeTo } from '../webhooks/webhook-subscription.js';
import { FLEET, SoakLoad } from './soak-load.js';
import { type Course, courses, type SoakSample, takeSample } from './soak-samples.js';

export const name = 'soak';
/** Minutes. */
export const usualCount = 30;

const EVERY_MS = 10_000;
/** Streams that stay open throughout and hear of every change in the load. */
const STREAMS = 200;
/** Streams that open and close throughout, because anything one leaves behind adds up. */
const PASSING = 5;
const PASSING_MS = 4_000;
const KINDS = ['config.*', 'switch.*', 'pulse.*', 'catch.*'];
const resultsFolder = join(dirname(fileURLToPath(import.meta.url)), '../../../../bench-results');

/**
 * Two API processes and a worker under a moderate, mixed, steady load that includes a fleet: nothing may grow after
 * warm-up.
 */
export async function run(torture: TortureContext): Promise<TortureRow[]> {
  const databaseUrl = await torture.createDatabase();
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const receiver = await openReceiver();
  const cluster = await Cluster.start({ databaseUrl, env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } });
  try {
    const target = await writeTarget(cluster.member('api-1'), cluster.url);
    await subscribeTo(target, receiver.url, KINDS);
    const listeners = await IdleListener.open(cluster.url, target.keys[0] as string, STREAMS);
    const over = new AbortController();
    const passed = comeAndGo(cluster.url, target.keys.at(-1) as string, over.signal);
    const load = await SoakLoad.start(target);
    const cpuBefore = cpuOf(cluster);
    const samples = await sampleFor(torture, cluster, database, load);
    const cpu = (cpuOf(cluster) - cpuBefore) / ((samples.at(-1)?.seconds ?? 1) * 10_000);
    over.abort();
    await load.stop();
    await deliverAll(database);
    keep(samples, load);
    const rows = rowsOf(torture, samples, load, { deliveries: receiver.count(), cpu });
    rows.push(streamsRow(listeners, await passed));
    for (const listener of listeners) listener.close();
    return rows;
  } finally {
    await cluster.close();
    receiver.server.close();
    await database.end();
  }
}

/** Streams that were opened and closed, and how many could not be opened. */
interface Passed {
  opened: number;
  failed: number;
}

/** Opens a few streams with one key and closes them until aborted: few enough for the key's requests per minute. */
async function comeAndGo(url: string, key: string, signal: AbortSignal): Promise<Passed> {
  const passed: Passed = { opened: 0, failed: 0 };
  while (!signal.aborted) {
    const listeners = await IdleListener.open(url, key, PASSING).catch(() => []);
    passed.opened += listeners.length;
    passed.failed += PASSING - listeners.length;
    await sleep(PASSING_MS);
    for (const listener of listeners) listener.close();
  }
  return passed;
}

function streamsRow(listeners: readonly IdleListener[], { opened, failed }: Passed): TortureRow {
  const open = listeners.filter(({ isOpen }) => isOpen).length;
  const heard = listeners.map((listener) => listener.heard);
  const [fewest, most] = [Math.min(...heard), Math.max(...heard)];
  return {
    promise: 'soak: streams stay open, and each is told of what changes',
    seen: `${open} of ${STREAMS} open, ${fewest} to ${most} notices each; ${opened} more came and went, ${failed} failed`,
    held: open === STREAMS && fewest > 0 && failed === 0,
  };
}

async function sampleFor(
  torture: TortureContext,
  cluster: Cluster,
  database: pg.Client,
  load: SoakLoad,
): Promise<SoakSample[]> {
  const samples: SoakSample[] = [];
  const begun = performance.now();
  const elapsed = () => performance.now() - begun;
  while (elapsed() < torture.count * 60_000) {
    await sleep((samples.length + 1) * EVERY_MS - elapsed());
    const sample = await takeSample(cluster, database, Math.round(elapsed() / 1_000));
    samples.push(sample);
    if (samples.length % 6 === 0) torture.log(lineOf(sample, load));
  }
  return samples;
}

const cpuOf = (cluster: Cluster): number =>
  MEMBERS.reduce((sum, member) => sum + cpuMicrosOfTree(cluster.member(member).pid), 0);

function lineOf({ seconds, members, undispatched, deliveries, jobs }: SoakSample, load: SoakLoad): string {
  const each = MEMBERS.map((member) => {
    const { rssMib, heapMib, files, pool, loopP99Ms } = members[member];
    return `${member} ${rssMib.toFixed(0)} MiB, heap ${heapMib.toFixed(0)}, ${files} files, pool ${pool}, p99 ${loopP99Ms.toFixed(0)} ms`;
  });
  return `${seconds} s, ${load.count()} answers: ${each.join(' | ')} | waiting: ${undispatched} events, ${deliveries} deliveries, ${jobs} jobs`;
}

function keep(samples: readonly SoakSample[], { answers, leftOut }: SoakLoad): void {
  mkdirSync(resultsFolder, { recursive: true });
  const file = join(resultsFolder, `soak-${new Date().toISOString().replaceAll(':', '-').replace(/\..*$/, '')}.json`);
  const streams = Object.fromEntries([...answers].map(([stream, statuses]) => [stream, Object.fromEntries(statuses)]));
  writeFileSync(file, `${JSON.stringify({ courses: courses(samples), streams, leftOut, samples }, null, 2)}\n`);
}

function rowsOf(
  { count }: TortureContext,
  samples: readonly SoakSample[],
  load: SoakLoad,
  { deliveries, cpu }: { deliveries: number; cpu: number },
): TortureRow[] {
  const all = courses(samples);
  const grown = all.filter(({ after, bound }) => !(after <= bound));
  const failed = load.count((status) => status === 0 || status >= 400);
  return [
    {
      promise: `soak: memory, files, connections and backlogs of two API processes and a worker stay flat for ${count} minutes`,
      seen: grown.length > 0 ? `grown: ${grown.map(textOf).join('; ')}` : summary(all),
      held: grown.length === 0 && samples.length > 0,
    },
    {
      promise: 'soak: every request of the mixed load is answered',
      seen: `${load.count()} requests, ${load.fleetCount()} by a fleet of ${FLEET} persons, ${failed} failed, ${load.leftOut} left out, ${deliveries} deliveries, ${cpu.toFixed(0)} % of a core`,
      held: failed === 0 && load.count() > 0 && deliveries > 0,
    },
  ];
}

const textOf = ({ what, before, after, bound }: Course): string =>
  `${what} ${before.toFixed(1)} → ${after.toFixed(1)} (at most ${bound.toFixed(1)})`;

function summary(all: readonly Course[]): string {
  return all
    .filter(({ what }) => / (heapMib|peakRssMib)$|^databaseConnections$/.test(what))
    .map(({ what, before, after }) => `${what} ${before.toFixed(0)} → ${after.toFixed(0)}`)
    .join(', ');
}

async function openReceiver(): Promise<{ url: string; server: Server; count: () => number }> {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    request.resume().on('end', () => response.end());
  });
  return { url: `${await openLocally(server)}/`, server, count: () => count };
}
