import { type Env, SettingError } from '../env.js';
import type { Installation } from '../storage/backup/backup.js';
import { connectionsFor, hasEmbeddedDatabase, startEmbeddedDatabase } from '../storage/embedded/embedded-database.js';
import { openObjectStore } from '../storage/objects/open-object-store.js';
import { requireDatabase } from './start-checks.js';

/** Throws {@link SettingError} when DATA_DIR lacks the database that the settings do not say is elsewhere. */
export async function requireInstallation({ databaseUrl, dataDir }: Env): Promise<void> {
  if (!databaseUrl && !(await hasEmbeddedDatabase(dataDir)))
    throw new SettingError(
      `DATA_DIR is ${dataDir}, which holds no installation; name the server's, or its DATABASE_URL.`,
    );
}

/** Does something to the database that the settings name; an embedded one is started for it, or the one of a running server used. */
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

/** As {@link withDatabase}, with the objects that the settings name. */
export function withInstallation<T>(env: Env, work: (installation: Installation) => Promise<T>): Promise<T> {
  return withDatabase(env, async (databaseUrl) => {
    const objects = await openObjectStore(env, { linkBase: env.publicUrl, linkSecret: '' });
    return work({ databaseUrl, objects, dataDir: env.dataDir });
  });
}
