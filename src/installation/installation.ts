import type { Env } from '../env.js';
import type { Installation } from '../storage/backup/backup.js';
import { startEmbeddedDatabase } from '../storage/embedded/embedded-database.js';
import { openObjectStore } from '../storage/objects/open-object-store.js';
import { clearProgress } from './shown-progress.js';

/** Runs a command. A failure is printed as one sentence and ends the process with 1, whatever it still waits for. */
export async function runCommand(command: (say: (line: string) => void) => Promise<void>): Promise<void> {
  try {
    await command((line) => {
      clearProgress();
      process.stdout.write(`${line}\n`);
    });
  } catch (error) {
    clearProgress();
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

/**
 * Does something to the database and the objects that the settings name; an embedded database is started for it, or the one of
 * a running server used.
 */
export async function withInstallation(env: Env, work: (installation: Installation) => Promise<void>): Promise<void> {
  const embedded = env.databaseUrl
    ? undefined
    : await startEmbeddedDatabase({ dataDir: env.dataDir, onProgress: () => {} });
  try {
    const databaseUrl = env.databaseUrl ?? embedded?.url ?? '';
    const objects = await openObjectStore(env, { linkBase: env.publicUrl, linkSecret: '' });
    await work({ databaseUrl, objects, dataDir: env.dataDir });
  } finally {
    await embedded?.stop();
  }
}
