import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ServerProcess, startServerProcess } from '../harness/server-process.js';
import { createTestDatabase } from '../support/database.js';
import { run as runControls } from './ingest-controls.torture.js';
import { run as runDatabaseKill } from './ingest-database-kill.torture.js';
import { run as runServerKill } from './ingest-server-kill.torture.js';
import { run as runSigterm } from './ingest-sigterm.torture.js';
import type { TortureContext, TortureRow } from './torture.js';

type Run = (torture: TortureContext) => Promise<TortureRow[]>;

/** A torture run with a small count, on databases and servers of its own. */
async function quickly(count: number, run: Run): Promise<TortureRow[]> {
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
    log: () => undefined,
  };
  try {
    return await run(torture);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    for (const database of databases) await database.drop();
  }
}

/** Runs one after the other; each is awaited where its test stands. */
function inTurn<Name extends string>(
  runs: Record<Name, () => Promise<TortureRow[]>>,
): Record<Name, Promise<TortureRow[]>> {
  let before: Promise<unknown> = Promise.resolve();
  const started = {} as Record<Name, Promise<TortureRow[]>>;
  for (const name of Object.keys(runs) as Name[]) {
    started[name] = before.then(runs[name]);
    before = started[name].catch(() => undefined);
  }
  return started;
}

const x = suite('ingestion under torture, in its quick form');

// Two runs at a time: each waits for processes to start most of the while.
const rows = {
  ...inTurn({ serverKills: () => quickly(10, runServerKill) }),
  ...inTurn({
    databaseKills: () => quickly(5, runDatabaseKill),
    sigterms: () => quickly(5, runSigterm),
    controls: () => quickly(2, runControls),
  }),
};

function allHeld(found: readonly TortureRow[]): void {
  for (const { promise, seen, held } of found) assert.ok(held, `${promise}: ${seen}`);
}

x('loses nothing to 10 kills of the server', async () => allHeld(await rows.serverKills));
x('loses nothing to 5 kills of PostgreSQL', async () => allHeld(await rows.databaseKills));
x('loses nothing to 5 SIGTERMs', async () => allHeld(await rows.sigterms));
x('the same harness catches naive ways', async () => allHeld(await rows.controls));

x.run();
