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
  does: 'Backs up the installation that the settings name into a new folder, while it serves.',
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
    // Two thousand modules, for which a refusal need not wait.
    const { foreignTables } = await import('./foreign-tables.js');
    const foreign = await foreignTables(database.tables, installation.databaseUrl, env);
    if (foreign.length > 0)
      say(
        `Tables that are none of Quarterdeck's are in it, and a restore leaves them out; back them up by other means: ${foreign.join(', ')}`,
      );
    return endOf(manifest);
  });
});

/** Throws {@link SettingError} when DATA_DIR lacks what the settings do not say is elsewhere. */
async function requireDataDir(env: Env): Promise<void> {
  await requireInstallation(env);
  const { dataDir, s3Endpoint, jwtSecret } = env;
  if (s3Endpoint && jwtSecret) return;
  const found = await stat(dataDir).catch(() => undefined);
  if (!found?.isDirectory())
    throw new SettingError(
      `DATA_DIR is ${dataDir}, which is no folder that this user can read; name the server's, where ${s3Endpoint ? 'its secrets' : 'its objects and secrets'} are.`,
    );
}
