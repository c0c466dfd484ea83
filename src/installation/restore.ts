import { resolve } from 'node:path';
import { readEnv } from '../env.js';
import { JobQueue } from '../jobs/job-queue.js';
import { createLogger } from '../kernel/logger.js';
import { MIGRATION_NAMES } from '../migrations/all-migrations.js';
import { openOrm } from '../orm.js';
import { outdateCopy } from '../storage/analytics/analytics-state.js';
import { checkBackup, type Installation, restoreSettings } from '../storage/backup/backup.js';
import { type BackupManifest, readManifest } from '../storage/backup/backup-manifest.js';
import { requireEmptyDatabase, restoreDatabase } from '../storage/backup/database-restore.js';
import { restoreObjects } from '../storage/backup/object-backup.js';
import { runCommand, withInstallation } from './installation.js';
import { shownProgress } from './shown-progress.js';

/**
 * `npm run restore -- FOLDER`: a backup put back into an empty installation, compared with its recorded counts and hashes.
 * `npm run restore -- --check FOLDER` only reads the backup and compares it.
 */
await runCommand(async (say) => {
  const words = process.argv.slice(2);
  const onlyCheck = words[0] === '--check';
  const named = words[onlyCheck ? 1 : 0];
  if (!named) throw new Error('Name the folder of the backup: npm run restore -- [--check] FOLDER');
  const folder = resolve(named);
  const progress = shownProgress();
  const manifest = await readManifest(folder);
  await checkBackup(manifest, folder, progress);
  if (onlyCheck) return say(`The backup in ${named} is whole`);
  await withInstallation(readEnv(), async (installation) => {
    await requireEmptyDatabase(installation.databaseUrl, progress);
    await createSchema(installation, manifest);
    const rows = await restoreDatabase(installation.databaseUrl, manifest.database, folder, progress);
    await outdateCopy(installation.databaseUrl);
    const bytes = await restoreObjects(installation.objects, manifest.objects, folder, progress);
    await restoreSettings(manifest.settings, folder, installation.dataDir);
    say(
      `Restored ${rows} rows and ${manifest.objects.length} objects (${bytes} bytes) of ${manifest.createdAt}, all as recorded`,
    );
  });
});

/** The tables as the backup's version had them; the next start of the server migrates them further. */
async function createSchema({ databaseUrl }: Installation, { database }: BackupManifest): Promise<void> {
  const last = database.migrations.at(-1);
  if (!last || !MIGRATION_NAMES.includes(last)) {
    throw new Error(`The backup comes from a newer version (migration ${last}); restore it with that version`);
  }
  const logger = createLogger('silent');
  const orm = await openOrm(databaseUrl, 2, logger);
  try {
    await orm.migrator.up({ to: last });
  } finally {
    await orm.close();
  }
  if (database.jobQueue !== null) await (await JobQueue.open(databaseUrl, false, logger)).close();
}
