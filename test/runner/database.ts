import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedDatabaseOptions, startEmbeddedDatabase } from '../../src/storage/embedded/embedded-database.js';

/** A PostgreSQL server for one test run. */
export interface RunDatabase {
  url: string;
  stop(): Promise<void>;
}

const GIBIBYTE = 2 ** 30;
const MEMORY_FOLDER = '/dev/shm';

/**
 * The machine size given to a server for many small databases. A large cache would only cost time: each PostgreSQL
 * process maps it page by page, and dropping a database goes through all of it.
 */
const SMALL_MACHINE = { memoryBytes: GIBIBYTE / 2, cores: availableParallelism() };

/**
 * Durability that a server can give up if its databases end with the run. Tests that kill or restart PostgreSQL have
 * their own server with durable settings.
 */
const THROWAWAY = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };

/**
 * The server at TEST_DATABASE_URL, or an embedded one started as the product does, but reached as if on another
 * machine.
 */
export async function startRunDatabase(): Promise<RunDatabase> {
  const given = givenDatabase();
  if (given) return given;
  const { tcpUrl: url, stop } = await startDatabase(tmpdir());
  return { url, stop };
}

/**
 * As {@link startRunDatabase}, for a run with many small databases that end with it: nothing is forced to disk, and the
 * data is in memory if there is plenty.
 */
export async function startThrowawayDatabase(): Promise<RunDatabase> {
  const given = givenDatabase();
  if (given) return given;
  const place = await placeOfManyDatabases();
  const settings = place === MEMORY_FOLDER ? { ...THROWAWAY, max_wal_size: '512MB' } : THROWAWAY;
  return startDatabase(place, { machine: SMALL_MACHINE, settings });
}

function givenDatabase(): RunDatabase | undefined {
  const url = process.env.TEST_DATABASE_URL;
  return url ? { url, stop: async () => {} } : undefined;
}

async function startDatabase(
  place: string,
  options: Pick<EmbeddedDatabaseOptions, 'machine' | 'settings'> = {},
): Promise<RunDatabase & { tcpUrl: string }> {
  const dataDir = await mkdtemp(join(place, 'quarterdeck-test-'));
  const database = await startEmbeddedDatabase({ ...options, dataDir, onProgress: () => {}, maxConnections: 200 });
  return {
    url: database.url,
    tcpUrl: database.tcpUrl,
    stop: async () => {
      await database.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Where a run that creates and drops a database for every file keeps them: in memory if there is plenty, because on a
 * disk the thousand small files of a database cost ten times the CPU time, and waiting.
 */
async function placeOfManyDatabases(): Promise<string> {
  const place = await statfs(MEMORY_FOLDER).catch(() => null);
  const isRoomy = place !== null && place.bavail * place.bsize > 4 * GIBIBYTE;
  return isRoomy && process.availableMemory() > 6 * GIBIBYTE ? MEMORY_FOLDER : tmpdir();
}
