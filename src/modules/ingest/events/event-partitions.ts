import type { ClientBase, Pool } from 'pg';
import { knownPlaces } from '../hours/known-places.sql.js';
import { EVENT_DATASET } from './event-dataset.js';

/** Partitions that must exist: the previous month (clocks differ), this one, and two to come. */
const MONTHS = [-1, 0, 1, 2];

const monthStart = (now: Date, offset: number): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)).toISOString().slice(0, 10);

/** Creates the missing monthly partitions of `event` around `now`. Many processes may call it at once. */
export async function ensureEventPartitions(pool: Pick<Pool, 'query'>, now: Date): Promise<void> {
  for (const offset of MONTHS) await pool.query('select ensure_event_partition($1)', [monthStart(now, offset)]);
}

/** SQLSTATE of a row that no partition takes; a violated constraint has the same one, and a name. */
const NO_PARTITION = '23514';

/** Whether a write failed because its month has no partition: no process started and no nightly upkeep ran for months. */
export function isMonthMissing(error: unknown): boolean {
  const { code, table, constraint } = error as { code?: unknown; table?: unknown; constraint?: unknown };
  return code === NO_PARTITION && table === 'event' && constraint === undefined;
}

/** Nobody queues behind a detach statement that waits; a backup may hold it up for hours, and then the next run continues. */
const LOCK_TIMEOUT = '30s';

/**
 * Comment on months that are dropped after detaching, while that is in progress; a month that an operator detached for archiving has none.
 */
const MARK = 'Quarterdeck drops this month of events';

/** Tables that are months by their names, and so in time order. */
const IS_MONTH = "c.relname ~ '^event_\\d{4}_\\d{2}$'";

/**
 * Drops whole months of events older than `before`. Detaching concurrently keeps writers and readers running; whatever an earlier run
 * couldn't complete is completed first, or undone if a plan keeps the month now.
 */
export async function dropEventPartitions(pool: Pool, before: Date): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`set lock_timeout = '${LOCK_TIMEOUT}'`);
    const first = `event_${monthStart(before, 0).slice(0, 7).replace('-', '_')}`;
    for (const name of await halfDetached(client))
      await client.query(`alter table event detach partition "${name}" finalize`);
    for (const name of await monthsBeingDropped(client)) if (name >= first) await attachAgain(client, name);
    for (const name of await markedThatStay(client, first)) await unmark(client, name);
    for (const name of await attachedBefore(client, first)) await detach(client, name);
    for (const name of await monthsBeingDropped(client)) if (name < first) await client.query(`drop table "${name}"`);
  } finally {
    // The setting is gone with the connection.
    client.release(true);
  }
}

async function detach(client: ClientBase, name: string): Promise<void> {
  await client.query(`comment on table "${name}" is '${MARK}'`);
  try {
    await client.query(`alter table event detach partition "${name}" concurrently`);
  } catch (error) {
    const isBegun = (await halfDetached(client)).includes(name);
    if (!isBegun) await unmark(client, name);
    throw error;
  }
}

/**
 * Its hours were deleted before it was detached, and a copy begun in the meantime lacks it: both treat it as added. The statements of one
 * query are one transaction.
 */
async function attachAgain(client: ClientBase, name: string): Promise<void> {
  const month = `${name.slice('event_'.length).replace('_', '-')}-01`;
  const opens = `'${month}T00:00:00Z'::timestamptz`;
  const closes = `(('${month}'::timestamp + interval '1 month') at time zone 'UTC')`;
  const milliseconds = (instant: string) => `(extract(epoch from ${instant}) * 1000)::bigint`;
  await client.query(`
    alter table event attach partition "${name}" for values from (event_id_floor(${opens})) to (event_id_floor(${closes}));
    ${knownPlaces(name)}
    select note_analytics_span('${EVENT_DATASET}', project_id, environment, ${milliseconds(opens)}, ${milliseconds(closes)} - 1, 0)
      from known;
    comment on table "${name}" is null`);
}

async function unmark(client: ClientBase, name: string): Promise<void> {
  await client.query(`comment on table "${name}" is null`);
}

const halfDetached = (client: ClientBase): Promise<string[]> =>
  namesOf(
    client,
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'event'::regclass and i.inhdetachpending`,
  );

const attachedBefore = (client: ClientBase, first: string): Promise<string[]> =>
  namesOf(
    client,
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'event'::regclass and ${IS_MONTH} and c.relname < $1 order by 1`,
    [first],
  );

/** Left by a run that ended before it began to detach them; a month that an operator detaches is for archiving. */
const markedThatStay = (client: ClientBase, first: string): Promise<string[]> =>
  namesOf(
    client,
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'event'::regclass and ${IS_MONTH} and c.relname >= $1
        and obj_description(c.oid, 'pg_class') = '${MARK}'`,
    [first],
  );

/**
 * Months of events that `event` no longer shows because they are about to be dropped. Their rows still belong to projects and persons,
 * since a new plan may keep them; then they are reattached.
 */
export const MONTHS_BEING_DROPPED = `
  select c.relname as name
    from pg_class c join pg_class event on event.relnamespace = c.relnamespace left join pg_inherits i on i.inhrelid = c.oid
   where event.oid = 'event'::regclass and c.relkind = 'r' and (i.inhrelid is null or i.inhdetachpending)
     and ${IS_MONTH} and obj_description(c.oid, 'pg_class') = '${MARK}' order by 1`;

export const monthsBeingDropped = (client: Pick<ClientBase, 'query'>): Promise<string[]> =>
  namesOf(client, MONTHS_BEING_DROPPED);

async function namesOf(client: Pick<ClientBase, 'query'>, query: string, values: string[] = []): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(query, values);
  return rows.map(({ name }) => name);
}

/** Lets the block range index cover recent writes; ranges it doesn't cover are read in full. */
export async function summarizeEventIndex(pool: Pick<Pool, 'query'>): Promise<void> {
  await pool.query(
    `select brin_summarize_new_values(i.indexrelid)
       from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
       join pg_inherits h on h.inhrelid = i.indrelid
      where h.inhparent = 'event'::regclass and a.amname = 'brin'`,
  );
}
