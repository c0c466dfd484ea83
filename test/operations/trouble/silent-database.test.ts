import { request } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServerProcess } from '../../harness/server-process.js';
import { createTestDatabase } from '../../support/database.js';
import { stallingDatabase } from '../../support/stalling-database.js';
import { until } from '../../support/until.js';

const x = suite('a process whose database has gone silent');

x('stops when it is asked to', async () => {
  const database = await createTestDatabase();
  // A statement of the worker that is repeated every second.
  const stalling = await stallingDatabase(database.url, 'webhook_free_dead');
  const server = await startServerProcess({ env: { DATABASE_URL: stalling.url, ROLE: 'all', FIRST_RUN: 'off' } });
  try {
    await until('the silence', () => stalling.hasStalled);
    // One client waits for the database, and the server for the rest of another one's body.
    const [waiting, sending] = ['GET', 'POST'].map((method) => request(`${server.url}/api/v1/config`, { method }));
    for (const client of [waiting, sending]) client?.on('error', () => undefined).setHeader('x-api-key', 'sk_live_x');
    waiting?.end();
    sending?.write('{');
    let code: unknown;
    void server.end('SIGTERM').then((ended) => {
      code = ended;
    });
    await until('the end', () => code !== undefined);
    assert.is(code, 1);
    assert.match(server.output(), 'work in progress did not end in time');
  } finally {
    await server.end('SIGKILL');
    await server.stop();
    await stalling.close();
    await database.drop();
  }
});

x.run();
