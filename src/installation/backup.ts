import { resolve } from 'node:path';
import { readEnv } from '../env.js';
import { writeBackup } from '../storage/backup/backup.js';
import { runCommand, withInstallation } from './installation.js';
import { shownProgress } from './shown-progress.js';

/** `npm run backup -- FOLDER`: the installation that the settings name, backed up into a new folder while it serves. */
await runCommand(async (say) => {
  const [folder] = process.argv.slice(2);
  if (!folder) throw new Error('Name the folder for the backup: npm run backup -- FOLDER');
  await withInstallation(readEnv(), async (installation) => {
    const { database, objects } = await writeBackup(installation, resolve(folder), new Date(), shownProgress());
    const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
    const bytes = objects.reduce((sum, object) => sum + object.bytes, 0);
    say(
      `Backed up ${rows} rows of ${database.tables.length} tables and ${objects.length} objects (${bytes} bytes) to ${folder}`,
    );
  });
});
