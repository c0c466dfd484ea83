import { createHash } from 'node:crypto';
import pg, { type ClientBase, type Pool } from 'pg';
import { JobQueue } from '../../src/jobs/job-queue.js';
import { createLogger } from '../../src/kernel/logger.js';
import { MIGRATION_NAMES } from '../../src/migrations/all-migrations.js';
import { migrate } from '../../src/migrations/migrate.js';
import { openOrm } from '../../src/orm.js';
import { databaseUrl, quoted } from '../../src/storage/databases.js';
import * as fresh from '../harness/fresh-databases.js';
import { until } from './until.js';

/** The run's PostgreSQL server. The runner starts one; a single test file can use any. */
const SERVER = process.env.TEST_DATABASE_URL ?? 'postgres://root@127.0.0.1:5432/postgres';
const TEMPLATE_LOCK = 7_104_418_299;

/** A test's database, and how to drop it. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A migrated database for one test file. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = fresh.freshName();
  await fresh.administer(SERVER, async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    try {
      const template = await migratedTemplate(client);
      await client.query(`create database ${quoted(name)} template ${quoted(template)} strategy file_copy`);
    } finally {
      await client.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
    }
  });
  return droppable(databaseUrl(SERVER, name));
}

/** An empty database, for tests of the first start. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return droppable(await fresh.createEmptyDatabase(SERVER));
}

const droppable = (url: string): TestDatabase => ({ url, drop: () => fresh.dropDatabase(url) });

/** Migrating and installing the job queues takes most of a second; copying a template takes some 50 ms. */
async function migratedTemplate(client: ClientBase): Promise<string> {
  const version = createHash('sha256')
    .update(MIGRATION_NAMES.join())
    .update(String(process.env.TEST_RUN ?? process.pid));
  const name = `qd_template_${version.digest('hex').slice(0, 16)}`;
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
  if (rowCount) return name;
  const building = `${name}_building`;
  await client.query(`drop database if exists ${quoted(building)} with (force)`);
  await client.query(`create database ${quoted(building)}`);
  const url = databaseUrl(SERVER, building);
  await migrateDatabase(url);
  await (await JobQueue.open(url, false, silent)).close();
  await client.query(`alter database ${quoted(building)} rename to ${quoted(name)}`);
  return name;
}

const silent = createLogger('silent');
const forMigrations = (url: string) => openOrm(url, { databasePool: 2, databasePatienceMs: 60_000 }, silent);

/** Brings a database's schema up to date. */
export async function migrateDatabase(url: string): Promise<void> {
  const orm = await forMigrations(url);
  await migrate(orm, url, silent);
  await orm.close();
}

/**
 * Brings a database to the state of an earlier release: up to and including a migration, or up to the one before it.
 * Rethrows errors of the migrations.
 */
export async function migrateUpTo(url: string, until: { last: string } | { before: string }): Promise<void> {
  const to = 'last' in until ? until.last : (MIGRATION_NAMES[MIGRATION_NAMES.indexOf(until.before) - 1] as string);
  const orm = await forMigrations(url);
  await orm.migrator.up({ to }).finally(() => orm.close());
}

/**
 * Makes the database reject new rows in a table that match a condition on `new`, or the deletion of rows that match one
 * on `old`, until the returned function is called.
 */
export async function refuseRows(
  pool: Pool,
  table: string,
  condition: string,
  change: 'insert' | 'delete' = 'insert',
): Promise<() => Promise<void>> {
  await pool.query(
    `create function refuse_row() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
     create trigger refuse_row before ${change} on ${table} for each row when (${condition}) execute function refuse_row()`,
  );
  return async () => {
    await pool.query('drop function refuse_row cascade');
  };
}

/**
 * Runs work while a transaction, such as a backup's, holds the locks that `statement` takes. The transaction ends after
 * ten seconds, so that work that waits for it continues and the test fails.
 */
export async function whileLocked(url: string, statement: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`begin; set local idle_in_transaction_session_timeout = '10s'; ${statement}`);
    await work();
    await client.query('commit');
  } finally {
    await client.end();
  }
}

/** Runs work that needs a row while someone deletes it: the deletion commits once the work waits for it. */
export async function behindDeletion<T>(pool: Pool, table: string, id: string, work: () => Promise<T>): Promise<T> {
  const deletion = await pool.connect();
  try {
    await deletion.query('begin');
    await deletion.query(`delete from ${table} where id = $1`, [id]);
    const { rows } = await deletion.query<{ pid: number }>('select pg_backend_pid() as pid');
    const waiting = 'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
    const done = work();
    await until('it waits', async () => (await pool.query(waiting, [rows[0]?.pid])).rowCount !== 0);
    await deletion.query('commit');
    return await done;
  } finally {
    deletion.release(true);
  }
}
