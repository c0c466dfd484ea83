import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort, type ServerProcess } from '../../harness/server-process.js';
import { Client } from '../../support/client.js';
import { until } from '../../support/until.js';
import type { TortureContext, TortureRow } from '../torture.js';
import { tortureKeys } from '../torture-project.js';

export const name = 'person-erasure';
/** Thousands of events of each person who is deleted. */
export const usualCount = 120;

/** Anything that takes longer hangs. */
const LONGEST_MS = 300_000;
const MONTHS = 3;
const NEIGHBOURS = 4;
const ALONE_MS = 1_000;
const LONGEST_WAIT_MS = 50;
const SAMPLED_EVERY_MS = 2;
/** One turn of an erasure takes 20 ms. */
const LONGER_THAN_A_TURN_MS = 200;
const DELETE = 'mutation($i: PersonInput!) { deletePerson(input: $i) { id } }';

interface Place {
  server: ServerProcess;
  env: Record<string, string>;
  owner: Client;
  /** Uses another key each time, so that none reaches its rate limit. */
  sdk: () => Client;
  projectId: string;
  database: pg.Pool;
}

/** Deletes a person with very many events next to other traffic, and again with the server killed halfway. */
export async function run(torture: TortureContext): Promise<TortureRow[]> {
  return withPlace(torture, async (place) => {
    const waits = await neighboursWait(place, torture.count * 1_000);
    return [waits, await completedAfterKill(torture, place)];
  });
}

/** The second half of {@link run}, which takes the same time on a busy machine. */
export async function runKilled(torture: TortureContext): Promise<TortureRow[]> {
  return withPlace(torture, async (place) => [await completedAfterKill(torture, place)]);
}

async function withPlace(
  torture: TortureContext,
  look: (place: Place) => Promise<TortureRow[]>,
): Promise<TortureRow[]> {
  const databaseUrl = await torture.createDatabase();
  const env = { DATABASE_URL: databaseUrl, PORT: String(await freePort()), ROLE: 'api', LOG_LEVEL: 'error' };
  const server = await torture.startServer({ env });
  const { firstRun, keys } = await tortureKeys(server);
  const { tokens, project_id: projectId } = firstRun;
  const owner = new Client(server.url).withToken(tokens.owner);
  let turn = 0;
  const sdk = () => new Client(server.url).withKey(keys[turn++ % keys.length] as string);
  const database = new pg.Pool({ connectionString: databaseUrl, max: 3 });
  try {
    return await look({ server, env, owner, sdk, projectId, database });
  } finally {
    await database.end();
  }
}

async function completedAfterKill(torture: TortureContext, place: Place): Promise<TortureRow> {
  const { server, env, database } = place;
  await fill(place, 'killed', torture.count * 1_000);
  const { held, left } = await killedInTheMiddle(place);
  const began = performance.now();
  await torture.startServer({ dataDir: server.dataDir, env: { ...env, ROLE: 'all', FIRST_RUN: 'off' } });
  await until('the erasure is completed', async () => (await erasures(database)) === 0, LONGEST_MS);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  const remaining = await eventsOf(place, 'killed');
  return {
    promise: 'an erasure in whose middle the server is killed is completed after the restart',
    seen: `killed with ${left} events left; ${remaining} left ${seconds} s after the start`,
    held: held && remaining === 0,
  };
}

async function erasures(database: pg.Pool): Promise<number> {
  return (await database.query('select from person_erasure')).rowCount ?? 0;
}

/** Stores a person with this many events over several months. */
async function fill({ sdk, projectId, database }: Place, person: string, events: number): Promise<void> {
  const { status } = await sdk().post('/api/v1/people', { distinct_id: person, properties: { n: 1 } });
  if (status !== 200) throw new Error(`a person was answered ${status}`);
  await database.query(
    `select ensure_event_partition((date_trunc('month', now()) - make_interval(months => m))::date) from generate_series(0, $1::int) m`,
    [MONTHS],
  );
  await database.query(
    `insert into event (id, project_id, environment, event_name, distinct_id, occurred_at, properties)
     select (left(event_id_floor(at)::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid, $1, 'live', 'e', $2, at, '{}'
       from (select now() - n * make_interval(months => $3) / $4 as at from generate_series(1, $4::int) n) s`,
    [projectId, person, MONTHS, events],
  );
}

async function eventsOf({ database, projectId }: Place, person: string): Promise<number> {
  const { rows } = await database.query<{ events: number }>(
    'select count(*)::int as events from event where project_id = $1 and distinct_id = $2',
    [projectId, person],
  );
  return rows[0]?.events ?? Number.NaN;
}

/** How long other requests take, and how long any statement waits for a lock. */
async function neighboursWait(place: Place, events: number): Promise<TortureRow> {
  const { owner, sdk, projectId, database } = place;
  await fill(place, 'watched', events);
  const answers: number[] = [];
  const statuses = new Set<number>();
  let isOver = false;
  const lane = async (at: number): Promise<void> => {
    for (let n = 0; !isOver; n += 1) {
      const began = performance.now();
      const { status } = await sdk().post('/api/v1/people', { distinct_id: `neighbour ${at}`, properties: { n } });
      answers.push(performance.now() - began);
      statuses.add(status);
    }
  };
  let waited = 0;
  const sample = async (): Promise<void> => {
    for (; !isOver; await sleep(SAMPLED_EVERY_MS)) {
      const { rows } = await database.query<{ ms: number | null }>(
        `select max(extract(epoch from clock_timestamp() - waitstart) * 1000)::float8 as ms from pg_locks
          where not granted and database = (select oid from pg_database where datname = current_database())`,
      );
      waited = Math.max(waited, rows[0]?.ms ?? 0);
    }
  };
  const running = Promise.all([...Array.from({ length: NEIGHBOURS }, (_, at) => lane(at)), sample()]);
  await sleep(ALONE_MS);
  const alone = highest(answers.splice(0));
  const waitedAlone = waited;
  waited = 0;
  const began = performance.now();
  await owner.graphql(DELETE, { i: { projectId, distinctId: 'watched' } });
  while ((await erasures(database)) > 0) await sleep(SAMPLED_EVERY_MS);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  isOver = true;
  await running;
  const left = await eventsOf(place, 'watched');
  const odd = [...statuses].filter((status) => status !== 200);
  return {
    promise: 'nobody waits longer than 50 ms for a person who is deleted',
    seen:
      `${events} events gone in ${seconds} s, ${left} left; longest wait for a lock ${waited.toFixed(1)} ms, ${waitedAlone.toFixed(1)} ms before; ` +
      `p99 of ${answers.length} neighbours ${highest(answers)} ms, ${alone} ms before${odd.length ? `; answered ${odd.join(', ')}` : ''}`,
    held: waited <= LONGEST_WAIT_MS && left === 0 && odd.length === 0 && answers.length > 0,
  };
}

/**
 * Kills the server when part of a person's events is erased. One of our locks holds the newest event, so that the
 * erasure cannot finish. Another holds the oldest for longer than a turn and thus ends that turn; otherwise a single
 * turn might reach the newest event with nothing committed.
 */
async function killedInTheMiddle(place: Place): Promise<{ held: boolean; left: number }> {
  const { server, owner, projectId, database } = place;
  const before = await eventsOf(place, 'killed');
  const newest = await locked(place, 'desc');
  try {
    const oldest = await locked(place, 'asc');
    const answer = owner.graphql(DELETE, { i: { projectId, distinctId: 'killed' } }).catch(() => undefined);
    try {
      await until('the erasure waits for the oldest', () => waitsForLock(database), LONGEST_MS);
      await sleep(LONGER_THAN_A_TURN_MS);
    } finally {
      await oldest.release();
    }
    await until('the erasure is in its middle', async () => (await eventsOf(place, 'killed')) < before, LONGEST_MS);
    const left = await eventsOf(place, 'killed');
    await server.end('SIGKILL');
    await answer;
    return { held: left > 0 && left < before, left };
  } finally {
    await newest.release();
  }
}

/** Keeps one of a person's events from being erased. */
async function locked({ database, projectId }: Place, order: 'asc' | 'desc'): Promise<{ release(): Promise<void> }> {
  const blocker = await database.connect();
  await blocker.query('begin');
  await blocker.query(
    `select from event where project_id = $1 and distinct_id = 'killed' order by id ${order} limit 1 for update`,
    [projectId],
  );
  return {
    release: async () => {
      await blocker.query('commit');
      blocker.release();
    },
  };
}

async function waitsForLock(database: pg.Pool): Promise<boolean> {
  const { rowCount } = await database.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return (rowCount ?? 0) > 0;
}

/** The 99th percentile, in milliseconds. */
function highest(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN).toFixed(0);
}
