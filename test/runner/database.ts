import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedDatabase } from '../../src/storage/embedded/embedded-database.js';

/** A PostgreSQL server for one test run. */
export interface RunDatabase {
  url: string;
  stop(): Promise<void>;
}

/** The server named by TEST_DATABASE_URL, else an embedded one with its data in a temporary folder. */
export async function startRunDatabase(): Promise<RunDatabase> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, stop: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-test-'));
  const database = await startEmbeddedDatabase({ dataDir: folder, onProgress: () => {}, maxConnections: 200 });
  await giveUpDurability(database.url);
  return {
    url: database.url,
    stop: async () => {
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The data ends with the run. Tests that kill or restart PostgreSQL have a server of their own, with the durable settings. */
async function giveUpDurability(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit'])
    await client.query(`alter system set ${setting} = off`);
  await client.query('select pg_reload_conf()');
  await client.end();
}
