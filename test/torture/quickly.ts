import * as assert from 'uvu/assert';
import { type ServerProcess, startServerProcess } from '../harness/server-process.js';
import { createTestDatabase } from '../support/database.js';
import type { TortureContext, TortureRow } from './torture.js';

/** Performs a torture run with a small count, on its own databases and servers; fails if a promise did not hold. */
export async function quickly(count: number, run: (torture: TortureContext) => Promise<TortureRow[]>): Promise<void> {
  const servers: ServerProcess[] = [];
  const databases: { drop(): Promise<void> }[] = [];
  const torture: TortureContext = {
    count,
    databaseUrl: '',
    createDatabase: async () => {
      const database = await createTestDatabase();
      databases.push(database);
      return database.url;
    },
    startServer: async (options) => {
      const server = await startServerProcess(options);
      servers.push(server);
      return server;
    },
    judgesSpeed: false,
    log: () => undefined,
  };
  try {
    for (const { promise, seen, held } of await run(torture)) assert.ok(held, `${promise}: ${seen}`);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    for (const database of databases) await database.drop();
  }
}
