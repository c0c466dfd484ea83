import { JobQueue } from '../jobs/job-queue.js';
import { createLogger } from '../kernel/logger.js';
import { MIGRATION_NAMES } from '../migrations/all-migrations.js';
import { openOrm } from '../orm.js';
import type { BackupManifest } from '../storage/backup/backup-manifest.js';

/**
 * Makes the tables as the backup's version had them, in an empty database; the next start of the server migrates them further. Throws
 * when the backup comes from a newer version.
 */
export async function createSchema(
  databaseUrl: string,
  { migrations, jobQueue }: BackupManifest['database'],
): Promise<void> {
  const last = migrations.at(-1);
  if (!last || !MIGRATION_NAMES.includes(last)) {
    throw new Error(`The backup comes from a newer version (migration ${last}); restore it with that version`);
  }
  const logger = createLogger('silent');
  const orm = await openOrm(databaseUrl, { databasePool: 2, databasePatienceMs: 60_000 }, logger);
  try {
    await orm.migrator.up({ to: last });
  } finally {
    await orm.close();
  }
  if (jobQueue !== null) await (await JobQueue.open(databaseUrl, false, logger)).close();
}
