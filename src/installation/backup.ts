import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Env, readEnv, SettingError } from '../env.js';
import { writeBackup } from '../storage/backup/backup.js';
import { endOf, FOLDER } from './backup-folder.js';
import { runCommand } from './command.js';
import { requireInstallation, withInstallation } from './installation.js';
import { shownProgress } from './shown-progress.js';

const COMMAND = {
  usage: 'npm run backup -- FOLDER',
  does: 'Backs up the configured installation into a new folder, while the server runs.',
  ...FOLDER,
};

await runCommand(COMMAND, async ({ words: [folder = ''] }, say) => {
  const env = readEnv();
  await requireDataDir(env);
  return withInstallation(env, async (installation) => {
    const manifest = await writeBackup(installation, resolve(folder), new Date(), shownProgress());
    const { database, objects } = manifest;
    const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
    const bytes = objects.reduce((sum, object) => sum + object.bytes, 0);
    say(
      `Backed up ${rows} rows of ${database.tables.length} tables and ${objects.length} objects (${bytes} bytes) to ${folder}`,
    );
    // Loads two thousand modules, which an error needn't wait for.
    const { foreignTables } = await import('./foreign-tables.js');
    const foreign = await foreignTables(database.tables, installation.databaseUrl, env);
    if (foreign.length > 0)
      say(
        `The database also contains tables that do not belong to Quarterdeck. A restore leaves them out; back them up separately: ${foreign.join(', ')}`,
      );
    return endOf(manifest);
  });
});

/** Throws {@link SettingError} when DATA_DIR lacks anything that no setting places elsewhere. */
async function requireDataDir(env: Env): Promise<void> {
  await requireInstallation(env);
  const { dataDir, s3Endpoint, jwtSecret } = env;
  if (s3Endpoint && jwtSecret) return;
  const found = await stat(dataDir).catch(() => undefined);
  if (!found?.isDirectory())
    throw new SettingError(
      `DATA_DIR is ${dataDir}, which is not a folder this user can read. Set it to the server's folder, which holds ${s3Endpoint ? 'its secrets' : 'its objects and secrets'}.`,
    );
}
