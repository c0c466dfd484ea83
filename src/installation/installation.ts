import { type Env, SettingError } from '../env.js';
import type { Installation } from '../storage/backup/backup.js';
import { connectionsFor, hasEmbeddedDatabase, startEmbeddedDatabase } from '../storage/embedded/embedded-database.js';
import { openObjectStore } from '../storage/objects/open-object-store.js';
import { requireDatabase } from './start-checks.js';

/** Throws {@link SettingError} when DATA_DIR lacks the database and no setting places it elsewhere. */
export async function requireInstallation({ databaseUrl, dataDir }: Env): Promise<void> {
  if (!databaseUrl && !(await hasEmbeddedDatabase(dataDir)))
    throw new SettingError(
      `DATA_DIR is ${dataDir}, which does not contain an installation. Set it to the server's folder, or set DATABASE_URL.`,
    );
}

/** Works on the configured database; starts the embedded one for it, or uses a running server's. */
export async function withDatabase<T>(env: Env, work: (databaseUrl: string) => Promise<T>): Promise<T> {
  if (env.databaseUrl) {
    await requireDatabase(env.databaseUrl);
    return work(env.databaseUrl);
  }
  const embedded = await startEmbeddedDatabase({
    dataDir: env.dataDir,
    onProgress: () => {},
    maxConnections: connectionsFor(env),
  });
  try {
    return await work(embedded.url);
  } finally {
    await embedded.stop();
  }
}

/** Like {@link withDatabase}, with the configured object store. */
export function withInstallation<T>(env: Env, work: (installation: Installation) => Promise<T>): Promise<T> {
  return withDatabase(env, async (databaseUrl) => {
    const objects = await openObjectStore(env, { linkBase: env.publicUrl, linkSecret: '' });
    return work({ databaseUrl, objects, dataDir: env.dataDir });
  });
}
