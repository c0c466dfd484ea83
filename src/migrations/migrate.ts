import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { codeOf, LOCK_TIMEOUT } from '../kernel/database/database-failures.js';
import type { Logger } from '../kernel/logger.js';

/** An arbitrary constant that all processes of a database must share. */
const MIGRATION_LOCK = 7_104_418_225;
const LOCK_POLL_MS = 50;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;
const GIVE_UP_AFTER_MS = 300_000;

/**
 * Migrates the schema, one transaction per migration, while other processes keep serving. Processes that start together
 * on one database take turns. A migration that does not get its locks (see `withLockTimeout`) is retried for up to five
 * minutes. A database already migrated by a newer version is used as it is, because migrations stay compatible with the
 * previous version. Rejects before its turn and between migrations once it is to stop.
 */
export async function migrate(
  orm: MikroORM,
  databaseUrl: string,
  logger: Logger,
  stopping?: AbortSignal,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', (error) => logger.warn({ err: error }, 'the connection that holds the migration lock was lost'));
  await client.connect();
  try {
    await acquireLock(client, stopping);
    await warnOfNewerVersion(orm, logger);
    for (const { name } of await orm.migrator.getPending()) await run(orm, name, logger, stopping);
  } finally {
    await client.end();
  }
}

/** Polls for the lock, because a waiting statement holds a snapshot, for which `create index concurrently` waits. */
async function acquireLock(client: pg.Client, stopping?: AbortSignal): Promise<void> {
  for (;;) {
    stopping?.throwIfAborted();
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [MIGRATION_LOCK]);
    if (rows[0]?.mine) return;
    await sleep(LOCK_POLL_MS);
  }
}

async function warnOfNewerVersion(orm: MikroORM, logger: Logger): Promise<void> {
  const executed = await orm.migrator.getExecuted();
  const known = new Set(
    orm.config.get('migrations').migrationsList?.map((migration) => ('class' in migration ? migration.name : '')),
  );
  const unknown = executed.map(({ name }) => name).filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  logger.warn({ migrations: unknown }, 'a newer version has migrated this database; this older one continues to serve');
}

async function run(orm: MikroORM, name: string, logger: Logger, stopping?: AbortSignal): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_AFTER_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    stopping?.throwIfAborted();
    try {
      await orm.migrator.up({ migrations: [name] });
      return;
    } catch (error) {
      if (codeOf(error) !== LOCK_TIMEOUT) throw error;
      if (performance.now() > giveUpAt)
        throw new Error(
          `Migration ${name} did not get its locks within five minutes. End long-running transactions (see pg_stat_activity) and start again.`,
          { cause: error },
        );
      logger.warn({ migration: name }, 'a migration is waiting for a transaction that holds its tables; retrying');
      await sleep(pause);
    }
  }
}
