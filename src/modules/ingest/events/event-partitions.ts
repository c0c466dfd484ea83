import type { Pool } from 'pg';

/** Partitions that must exist: the month before (clocks differ), this one, and two to come. */
const MONTHS = [-1, 0, 1, 2];

const monthStart = (now: Date, offset: number): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)).toISOString().slice(0, 10);

/** Makes the monthly partitions of `event` that are missing around `now`. Safe to call from many processes at once. */
export async function ensureEventPartitions(pool: Pick<Pool, 'query'>, now: Date): Promise<void> {
  for (const offset of MONTHS) await pool.query('select ensure_event_partition($1)', [monthStart(now, offset)]);
}

/** Names of the months, oldest first, whose events are all older than `before`. */
async function expiredPartitions(pool: Pick<Pool, 'query'>, before: Date): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'event'::regclass and c.relname < $1 order by 1`,
    [`event_${monthStart(before, 0).slice(0, 7).replace('-', '_')}`],
  );
  return rows.map(({ name }) => name);
}

/**
 * Drops whole months of events that are older than `before`. Detaching concurrently keeps writers and readers running; it must not be
 * inside a transaction.
 */
export async function dropEventPartitions(pool: Pick<Pool, 'query'>, before: Date): Promise<string[]> {
  const names = await expiredPartitions(pool, before);
  for (const name of names) {
    await pool.query(`alter table event detach partition "${name}" concurrently`);
    await pool.query(`drop table "${name}"`);
  }
  return names;
}

/** Lets the block range index cover what was written since; ranges it does not cover are read in full. */
export async function summarizeEventIndex(pool: Pick<Pool, 'query'>): Promise<void> {
  await pool.query(
    `select brin_summarize_new_values(i.indexrelid)
       from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
       join pg_inherits h on h.inhrelid = i.indrelid
      where h.inhparent = 'event'::regclass and a.amname = 'brin'`,
  );
}
