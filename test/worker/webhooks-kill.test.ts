import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createEmptyDatabase, dropDatabase } from '../harness/fresh-databases.js';
import { type ServerProcess, startServerProcess } from '../harness/server-process.js';
import { run } from '../torture/webhooks/webhooks.torture.js';

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgres://root@127.0.0.1:5432/postgres';
const kills = suite('webhooks and a killed server');

kills('three kills in front of a hostile receiver: nothing lost, nothing phantom, every signature good', async () => {
  const servers: ServerProcess[] = [];
  const databases: string[] = [];
  try {
    const rows = await run({
      count: 3,
      databaseUrl: SERVER,
      createDatabase: async () => {
        const url = await createEmptyDatabase(SERVER);
        databases.push(url);
        return url;
      },
      startServer: async (options) => {
        const server = await startServerProcess(options);
        servers.push(server);
        return server;
      },
      log: () => {},
    });
    for (const { promise, seen, held } of rows) assert.ok(held, `${promise}: ${seen}`);
    assert.is(rows.length, 3);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    for (const url of databases) await dropDatabase(SERVER, url);
  }
});

kills.run();
