import { median } from '../harness/rounds.js';
import { type RunningServer, startRunningServer } from '../operations/running-server.js';
import { addedBy, isReady, quotaOf } from '../operations/trouble/redis-trouble.js';
import { RedisServer } from '../storage/redis-server.js';
import type { TortureContext, TortureRow } from './torture.js';
import { writeTarget } from './torture-project.js';
import type { WriteTarget } from './write-kinds.js';

export const name = 'redis';
export const usualCount = 20;

/** The promise, plus the variation of the slowest of a hundred calls on an idle machine. */
const ADDED_MS = 60;
const QUOTA = 100;

interface Trouble {
  what: string;
  strike(redis: RedisServer): Promise<unknown>;
  heal(redis: RedisServer): Promise<unknown>;
}

const TROUBLES: readonly Trouble[] = [
  { what: 'killed', strike: (redis) => redis.kill(), heal: (redis) => redis.restart() },
  {
    what: 'frozen',
    strike: async (redis) => redis.signal('SIGSTOP'),
    heal: async (redis) => redis.signal('SIGCONT'),
  },
  { what: 'flushed', strike: (redis) => redis.flush(), heal: async () => undefined },
];

/** Repeatedly kills, freezes and flushes the Redis of two processes under load. */
export async function run(torture: TortureContext): Promise<TortureRow[]> {
  const redis = await RedisServer.start();
  try {
    const env = { DATABASE_URL: await torture.createDatabase(), REDIS_URL: redis.url, LOG_LEVEL: 'error' };
    const a = await startRunningServer(env);
    const b = await startRunningServer({ ...env, FIRST_RUN: 'off' }, a.process.dataDir);
    try {
      const target = await writeTarget(a.process);
      const rows: TortureRow[] = [];
      for (const trouble of TROUBLES) rows.push(await again(torture, trouble, redis, [a, b], target));
      return rows;
    } finally {
      await b.process.stop();
      await a.process.stop();
    }
  } finally {
    await redis.close();
  }
}

async function again(
  { count }: TortureContext,
  { what, strike, heal }: Trouble,
  redis: RedisServer,
  servers: readonly [RunningServer, RunningServer],
  target: WriteTarget,
): Promise<TortureRow> {
  const added: number[] = [];
  let answered = 0;
  let good = 0;
  let exact = 0;
  for (let round = 0; round < count; round++) {
    const series = await addedBy(() => strike(redis), servers[0]);
    added.push(Math.max(0, series.addedMs));
    for (const [status, n] of Object.entries(series.statuses)) {
      answered += n;
      if (status === '200') good += n;
    }
    await heal(redis);
    for (const server of servers) await isReady(server, '200');
    const statuses = await quotaOf(QUOTA, servers, target, [() => strike(redis), () => heal(redis)]);
    if (statuses[201] === QUOTA && statuses[402] === 160 - QUOTA) exact += 1;
    for (const server of servers) await isReady(server, '200');
  }
  return {
    promise: `Redis ${what} under load: no request fails, at most ${ADDED_MS} ms more, quotas exact`,
    seen: `${count} times: ${good} of ${answered} requests answered 200, slowest by ${median(added).toFixed(0)} ms more in the middle, ${Math.max(...added).toFixed(0)} ms at worst, quota of ${QUOTA} exact ${exact} times`,
    held: good === answered && median(added) <= ADDED_MS && exact === count,
  };
}
