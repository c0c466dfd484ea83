import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { JobQueue } from '../jobs/job-queue.js';
import { createLogger } from '../kernel/logger.js';
import { MIGRATION_NAMES } from '../migrations/all-migrations.js';
import { MIGRATIONS_ALONE } from '../migrations/migrations-alone.js';
import type { BackupManifest } from '../storage/backup/backup-manifest.js';

/**
 * Creates the tables as of the backup's version in an empty database; the server migrates them further on its next start. Throws when the
 * backup is from a newer version.
 */
export async function createSchema(
  databaseUrl: string,
  { migrations, jobQueue }: BackupManifest['database'],
): Promise<void> {
  const last = migrations.at(-1);
  if (!last || !MIGRATION_NAMES.includes(last))
    throw new Error(`The backup is from a newer version (migration ${last}). Restore it with that version.`);
  const logger = createLogger('silent');
  // The entities aren't needed for this, and take half a second to load.
  const orm = await MikroORM.init({
    clientUrl: databaseUrl,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    driverOptions: { connectionTimeoutMillis: 60_000 },
    extensions: [Migrator],
    migrations: MIGRATIONS_ALONE,
  });
  try {
    await orm.migrator.up({ to: last });
  } finally {
    await orm.close();
  }
  if (jobQueue !== null) await (await JobQueue.open(databaseUrl, false, logger)).close();
}
