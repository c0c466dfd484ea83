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
 * What a server for many small databases counts on: each of its processes maps the cache page by page, and dropping a database goes through
 * all of it, so that a large one only costs time.
 */
const SMALL_MACHINE = { memoryBytes: GIBIBYTE / 2, cores: availableParallelism() };

/**
 * What a server gives up whose databases end with the run; tests that kill or restart PostgreSQL have one of their own, with the durable
 * settings.
 */
const THROWAWAY = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };

/** The server named by TEST_DATABASE_URL, else an embedded one as the product starts it, reached as one on another machine is. */
export async function startRunDatabase(): Promise<RunDatabase> {
  const given = givenDatabase();
  if (given) return given;
  const { tcpUrl: url, stop } = await startDatabase(tmpdir());
  return { url, stop };
}

/**
 * As {@link startRunDatabase}, for a run with many small databases that ends with them: nothing is forced to a disk, and it is in memory
 * where there is plenty.
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
 * Where a run that makes and drops a database for every file keeps them: in memory on a machine with plenty of it, because on a disk
 * the thousand small files of a database cost ten times the processor time and the wait.
 */
async function placeOfManyDatabases(): Promise<string> {
  const place = await statfs(MEMORY_FOLDER).catch(() => null);
  const isRoomy = place !== null && place.bavail * place.bsize > 4 * GIBIBYTE;
  return isRoomy && process.availableMemory() > 6 * GIBIBYTE ? MEMORY_FOLDER : tmpdir();
}
