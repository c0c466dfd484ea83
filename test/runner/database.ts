import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedDatabase } from '../../src/storage/embedded/embedded-database.js';
import type { Machine } from '../../src/storage/embedded/machine-settings.js';

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

/** The server named by TEST_DATABASE_URL, else an embedded one as the product starts it. */
export function startRunDatabase(): Promise<RunDatabase> {
  return startDatabase(tmpdir());
}

/**
 * As {@link startRunDatabase}, for a run with many small databases that ends with them: nothing is forced to a disk, and it is in memory
 * where there is plenty.
 */
export async function startThrowawayDatabase(): Promise<RunDatabase> {
  const place = await placeOfManyDatabases();
  const database = await startDatabase(place, SMALL_MACHINE);
  if (!process.env.TEST_DATABASE_URL) await giveUpDurability(database.url, place === MEMORY_FOLDER);
  return database;
}

async function startDatabase(place: string, machine?: Machine): Promise<RunDatabase> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, stop: async () => {} };
  const folder = await mkdtemp(join(place, 'quarterdeck-test-'));
  const database = await startEmbeddedDatabase({
    dataDir: folder,
    onProgress: () => {},
    maxConnections: 200,
    ...(machine ? { machine } : {}),
  });
  return {
    url: database.url,
    stop: async () => {
      await database.stop();
      await rm(folder, { recursive: true, force: true });
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

/** Tests that kill or restart PostgreSQL have a server of their own, with the durable settings. */
async function giveUpDurability(url: string, inMemory: boolean): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit'])
    await client.query(`alter system set ${setting} = off`);
  if (inMemory) await client.query("alter system set max_wal_size = '512MB'");
  await client.query('select pg_reload_conf()');
  await client.end();
}
