import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ServerProcess, startServerProcess } from '../harness/server-process.js';
import { createEmptyDatabase } from '../support/database.js';
import { run as runControls } from './ingest-controls.torture.js';
import { run as runDatabaseKill } from './ingest-database-kill.torture.js';
import { run as runServerKill } from './ingest-server-kill.torture.js';
import { run as runSigterm } from './ingest-sigterm.torture.js';
import type { TortureContext, TortureRow } from './torture.js';

/** The torture runs with small counts, on databases and servers of this file alone. */
async function quickly(count: number, run: (torture: TortureContext) => Promise<TortureRow[]>): Promise<void> {
  const servers: ServerProcess[] = [];
  const databases: { drop(): Promise<void> }[] = [];
  const torture: TortureContext = {
    count,
    databaseUrl: '',
    createDatabase: async () => {
      const database = await createEmptyDatabase();
      databases.push(database);
      return database.url;
    },
    startServer: async (options) => {
      const server = await startServerProcess(options);
      servers.push(server);
      return server;
    },
    log: () => undefined,
  };
  try {
    for (const { promise, seen, held } of await run(torture)) assert.ok(held, `${promise}: ${seen}`);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    for (const database of databases) await database.drop();
  }
}

const x = suite('ingestion under torture, in its quick form');

x('loses nothing to 10 kills of the server', () => quickly(10, runServerKill));
x('loses nothing to 5 kills of PostgreSQL', () => quickly(5, runDatabaseKill));
x('loses nothing to 5 SIGTERMs', () => quickly(5, runSigterm));
x('the same harness catches naive ways', () => quickly(4, runControls));

x.run();
