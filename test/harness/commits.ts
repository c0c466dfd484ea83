import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';

/** PostgreSQL reports the statistics of other backends with a delay of a second. */
const STATISTICS_DELAY_MS = 1_500;

/** Transactions committed in the database so far; outside a transaction, each statement commits by itself. */
export async function commitsOf(database: Pool): Promise<number> {
  await sleep(STATISTICS_DELAY_MS);
  const { rows } = await database.query<{ commits: string }>(
    'select xact_commit as commits from pg_stat_database where datname = current_database()',
  );
  return Number(rows[0]?.commits);
}
