import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';

/** Any constant will do; processes of one database must use the same. */
const MIGRATION_LOCK = 7_104_418_225;

/** Brings the schema up to date. Processes that start at once on one database queue up behind an advisory lock. */
export async function migrate(orm: MikroORM, databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await orm.migrator.up();
  } finally {
    await client.end();
  }
}
