import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort, type ServerProcess } from '../harness/server-process.js';
import { Client } from '../support/client.js';
import { until } from '../support/until.js';
import type { TortureContext, TortureRow } from './torture.js';

export const name = 'jobs';
export const usualCount = 1;

const EXIT_WITHIN_MS = 10_000;
const AGAIN_WITHIN_MS = 120_000;
const EVERY_MINUTE_KIND = 'pulse.delete_expired_partials';
const MINUTES = 2;

interface Place {
  torture: TortureContext;
  api: ServerProcess;
  key: string;
  databaseUrl: string;
  database: pg.Client;
}

/** Ends workers in the middle of a job, and lets two of them share the schedule. */
export async function run(torture: TortureContext): Promise<TortureRow[]> {
  const databaseUrl = await torture.createDatabase();
  const api = await torture.startServer({ env: { DATABASE_URL: databaseUrl, ROLE: 'api', LOG_LEVEL: 'error' } });
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    const { api_keys: keys } = await api.firstRun();
    const place: Place = { torture, api, key: keys.live, databaseUrl, database };
    const rows: TortureRow[] = [];
    for (let round = 0; round < torture.count; round++) {
      rows.push(await interrupted(place, 'SIGTERM'), await interrupted(place, 'SIGKILL'));
    }
    rows.push(await scheduledOnce(place));
    return rows;
  } finally {
    await database.end();
  }
}

function startWorker({ torture, api, databaseUrl }: Place, port: string): Promise<ServerProcess> {
  const env = { DATABASE_URL: databaseUrl, ROLE: 'worker', PORT: port, PROBE_PORT: port, LOG_LEVEL: 'error' };
  return torture.startServer({ env, dataDir: api.dataDir });
}

/** A job waiting for our lock is in progress when its worker is asked, or made, to end. */
async function interrupted(place: Place, signal: 'SIGTERM' | 'SIGKILL'): Promise<TortureRow> {
  const { database, databaseUrl, api, key } = place;
  const blocker = new pg.Client({ connectionString: databaseUrl });
  await blocker.connect();
  const crash = { event_id: randomUUID(), platform: 'node', level: 'error', message: signal };
  const { status } = await new Client(api.url).withKey(key).post('/api/catch/events', crash);
  if (status !== 200) throw new Error(`a crash event was answered ${status}`);
  await blocker.query('begin; lock table crash_event in access exclusive mode');
  const worker = await startWorker(place, String(await freePort()));
  await untilRow(
    database,
    `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%crash_event%'`,
  );
  const asked = performance.now();
  const code = await worker.end(signal);
  const ended = performance.now();
  await blocker.query('commit');
  await blocker.end();
  const next = await startWorker(place, String(await freePort()));
  await untilRow(database, `select from crash_event where event_id = '${crash.event_id}' and status <> 'pending'`);
  const again = performance.now() - ended;
  await next.end();
  return {
    promise: `a job whose worker gets ${signal} runs again on another`,
    seen: `worker ended with ${code} after ${seconds(ended - asked)}, the job was done ${seconds(again)} later`,
    held: code === (signal === 'SIGTERM' ? 0 : signal) && ended - asked < EXIT_WITHIN_MS && again < AGAIN_WITHIN_MS,
  };
}

/** Two workers with a schedule that runs every minute, in place of a harmless job's. */
async function scheduledOnce(place: Place): Promise<TortureRow> {
  const { database } = place;
  const workers = await Promise.all(
    [freePort(), freePort()].map(async (port) => startWorker(place, String(await port))),
  );
  await database.query(`update pgboss.schedule set cron = '* * * * *' where name = $1`, [EVERY_MINUTE_KIND]);
  const since = new Date();
  await sleep((MINUTES + 1) * 60_000);
  const { rows } = await database.query<{ runs: number }>(
    `select count(*)::int as runs from pgboss.job where name = $1 and created_on > $2 group by date_trunc('minute', created_on)`,
    [EVERY_MINUTE_KIND, since],
  );
  await Promise.all(workers.map((worker) => worker.end()));
  return {
    promise: 'two workers run scheduled work once',
    seen: `${rows.map(({ runs }) => runs).join(', ')} runs in ${rows.length} minutes with a run each minute`,
    held: rows.length >= MINUTES && rows.every(({ runs }) => runs === 1),
  };
}

const untilRow = (database: pg.Client, sql: string) =>
  until(`a row for ${sql}`, async () => (await database.query(sql)).rowCount, 2 * AGAIN_WITHIN_MS);

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
