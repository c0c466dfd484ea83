import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { JobQueue } from '../../src/jobs/job-queue.js';
import { createLogger } from '../../src/kernel/logger.js';
import { MIGRATION_NAMES } from '../../src/migrations/all-migrations.js';
import { migrate } from '../../src/migrations/migrate.js';
import { openOrm } from '../../src/orm.js';
import { createDatabase, databaseUrl, dropDatabase, quoted } from '../../src/storage/databases.js';

/** The PostgreSQL server of the run; the runner starts one, a single file may be pointed at any. */
const SERVER = process.env.TEST_DATABASE_URL ?? 'postgres://root@127.0.0.1:5432/postgres';
const TEMPLATE_LOCK = 7_104_418_299;

/** A migrated database of its own for one test file. */
export async function createTestDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `qd_test_${randomUUID().replaceAll('-', '')}`;
  await withLock(async (client) => {
    const template = await migratedTemplate(client);
    await client.query(`create database ${quoted(name)} template ${quoted(template)}`);
  });
  return { url: databaseUrl(SERVER, name), drop: () => dropDatabase(SERVER, name) };
}

/** An empty database, for tests of the first start. */
export async function createEmptyDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `qd_test_${randomUUID().replaceAll('-', '')}`;
  return { url: await createDatabase(SERVER, name), drop: () => dropDatabase(SERVER, name) };
}

/** Migrating and installing the job queues takes most of a second, copying a template some 50 ms. */
async function migratedTemplate(client: pg.Client): Promise<string> {
  const version = createHash('sha256')
    .update(MIGRATION_NAMES.join())
    .update(String(process.env.TEST_RUN ?? process.pid));
  const name = `qd_template_${version.digest('hex').slice(0, 16)}`;
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
  if (rowCount) return name;
  const building = `${name}_building`;
  await dropDatabase(SERVER, building);
  const url = await createDatabase(SERVER, building);
  await migrateDatabase(url);
  await (await JobQueue.open(url, false, createLogger('silent'))).close();
  await client.query(`alter database "${building}" rename to "${name}"`);
  return name;
}

/** Brings a database's schema up to date. */
export async function migrateDatabase(url: string): Promise<void> {
  const logger = createLogger('silent');
  const orm = await openOrm(url, { databasePool: 2, databasePatienceMs: 60_000 }, logger);
  await migrate(orm, url, logger);
  await orm.close();
}

async function withLock<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl(SERVER, 'postgres') });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    return await work(client);
  } finally {
    await client.end();
  }
}
