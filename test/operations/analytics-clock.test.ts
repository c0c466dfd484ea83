import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { track } from '../support/analytics/analytics-calls.js';
import { openTestClickHouse, type TestClickHouse } from '../support/analytics/clickhouse.js';
import { whileLocked } from '../support/database.js';
import { buildWorld, type World } from '../support/factories/factories.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const { now } = Date;

const x = suite<{ clickhouse: TestClickHouse; test: TestApp; world: World }>('analytics store and the clock');

x.before(async (context) => {
  context.clickhouse = await openTestClickHouse();
  context.test = await openTestApp({ settings: { CLICKHOUSE_URL: context.clickhouse.url } });
  context.world = await buildWorld(context.test);
});
x.after(async ({ clickhouse, test }) => {
  Date.now = now;
  await test.close();
  await clickhouse.close();
});

x('receives what was stored while the clock was set back', async ({ clickhouse, test, world }) => {
  const { analyticsCopier, ingestion } = test.app.services;
  await analyticsCopier?.drain();
  const names = ['first', 'second', 'waits', 'set back'];
  const sending: Promise<{ status: number }>[] = [];
  const send = async (name: string): Promise<void> => {
    sending.push(world.live.post('/api/v1/batch', { operations: [track(name, 'u')] }));
    await until(`${name} is read`, async () => ingestion.depth === sending.length);
  };
  await whileLocked(test.databaseUrl, 'lock table event in exclusive mode', async () => {
    for (const name of names.slice(0, 3)) await send(name);
    Date.now = () => now() - 10_000;
    for (const name of names.slice(3)) await send(name);
  });
  assert.equal(new Set((await Promise.all(sending)).map(({ status }) => status)), new Set([200]));
  Date.now = now;
  await analyticsCopier?.drain();
  const [copied] = await clickhouse.rows<{ rows: string }>('SELECT count() AS rows FROM quarterdeck_event FINAL');
  assert.is(Number(copied?.rows), names.length);
});

x.run();
