import { Client } from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refusalOf } from '../support/client.js';
import { buildWorld, type World } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const CONNECTIONS = 2;
const CHANGE = 'mutation($input: UpdateFlagInput!) { updateFlag(input: $input) { id } }';

const x = suite<{ test: TestApp; world: World; database: Client }>('lost connections');

x.before(async (context) => {
  context.test = await openTestApp({ settings: { DATABASE_POOL: String(CONNECTIONS) } });
  context.world = await buildWorld(context.test);
  context.database = new Client({ connectionString: context.test.databaseUrl });
  await context.database.connect();
});
x.after(async ({ test, database }) => {
  await database?.end();
  await test?.close();
});

x('a connection that the database terminates in the middle of a change is replaced', async (context) => {
  const { test, world, database } = context;
  const { id } = await buildFlag(world);
  const change = () => world.owner.client.graphql(CHANGE, { input: { flagId: id, description: 'changed' } });
  for (let round = 0; round <= CONNECTIONS; round++) {
    await database.query('begin');
    const held = 'select pg_backend_pid() as pid from flag where id = $1 for update';
    const { rows } = await database.query<{ pid: number }>(held, [id]);
    const refused = refusalOf(change());
    await until('the change waits for the flag, and its connection is ended', async () => {
      const blocked = 'select pg_terminate_backend(pid) from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
      return (await test.app.pool.query(blocked, [rows[0]?.pid])).rowCount;
    });
    assert.is((await refused).errors[0]?.extensions.code, 'UNAVAILABLE');
    await database.query('rollback');
  }
  assert.equal(await change(), { updateFlag: { id } });
});

x.run();
