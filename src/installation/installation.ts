import type { Env } from '../env.js';
import type { Installation } from '../storage/backup/backup.js';
import { startEmbeddedDatabase } from '../storage/embedded/embedded-database.js';
import { openObjectStore } from '../storage/objects/open-object-store.js';
import { clearProgress } from './shown-progress.js';

/**
 * Runs a command on the database and the objects that the settings name; an embedded database is started for it, or the
 * one of a running server used. A failure is printed as one sentence and ends the process with 1, whatever it still waits for.
 */
export async function runOnInstallation(
  env: Env,
  command: (installation: Installation, say: (line: string) => void) => Promise<void>,
): Promise<void> {
  const say = (line: string) => {
    clearProgress();
    process.stdout.write(`${line}\n`);
  };
  const embedded = env.databaseUrl
    ? undefined
    : await startEmbeddedDatabase({ dataDir: env.dataDir, onProgress: () => {} });
  try {
    const databaseUrl = env.databaseUrl ?? embedded?.url ?? '';
    const objects = await openObjectStore(env, { linkBase: env.publicUrl, linkSecret: '' });
    await command({ databaseUrl, objects, dataDir: env.dataDir }, say);
  } catch (error) {
    clearProgress();
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    await embedded?.stop();
    if (process.exitCode) process.exit();
  }
}
