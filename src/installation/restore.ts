import { resolve } from 'node:path';
import { readEnv } from '../env.js';
import { outdateCopy } from '../storage/analytics/analytics-state.js';
import { checkBackup, restoreSettings } from '../storage/backup/backup.js';
import { readManifest } from '../storage/backup/backup-manifest.js';
import { requireEmptyDatabase, restoreDatabase } from '../storage/backup/database-restore.js';
import { restoreObjects } from '../storage/backup/object-backup.js';
import { endOf, FOLDER } from './backup-folder.js';
import { runCommand } from './command.js';
import { withInstallation } from './installation.js';
import { shownProgress } from './shown-progress.js';

const COMMAND = {
  usage: 'npm run restore -- [--check] FOLDER',
  does: `Restores a backup into an empty installation, and compares it with its recorded counts and hashes. With --check it only reads and
compares the backup.`,
  ...FOLDER,
};

await runCommand(COMMAND, async ({ words: [named = ''], check }, say) => {
  const folder = resolve(named);
  const progress = shownProgress();
  const manifest = await readManifest(folder);
  await checkBackup(manifest, folder, progress, check);
  if (check) {
    say(`The backup in ${named} is ${manifest.lost?.length ? 'as it was made' : 'complete'}`);
    return endOf(manifest);
  }
  await withInstallation(readEnv(), async (installation) => {
    await requireEmptyDatabase(installation.databaseUrl, manifest.database, progress);
    // Loads two thousand modules, which a check or an error needn't wait for.
    const { createSchema } = await import('./restored-schema.js');
    await createSchema(installation.databaseUrl, manifest.database);
    // Objects come before the rows, since a database with rows can't be restored into: until then the restore can be repeated.
    const bytes = await restoreObjects(installation.objects, manifest.objects, folder, progress);
    await restoreSettings(manifest.settings, folder, installation.dataDir);
    const { rows, leftOut } = await restoreDatabase(installation.databaseUrl, manifest, folder, progress);
    await outdateCopy(installation.databaseUrl);
    say(
      `Restored ${rows} rows and ${manifest.objects.length} objects (${bytes} bytes) from ${manifest.createdAt}, all as recorded`,
    );
    if (leftOut.length > 0) say(`Left out, since they do not belong to Quarterdeck: ${leftOut.join(', ')}`);
  });
  return endOf(manifest);
});
