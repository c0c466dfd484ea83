import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ensureEventPartitions } from '../../src/modules/ingest/events/event-partitions.js';
import { HOUR_MS, INSERT_AT, track } from '../support/analytics/analytics-calls.js';
import { openTestClickHouse, type TestClickHouse } from '../support/analytics/clickhouse.js';
import { buildWorld, type World } from '../support/factories/factories.js';
import { openTestApp, type TestApp } from '../support/test-app.js';

const x = suite('the analytics copy and a month that was detached');

let clickhouse: TestClickHouse;
let test: TestApp;
let world: World;

x.before(async () => {
  clickhouse = await openTestClickHouse();
  test = await openTestApp({ settings: { CLICKHOUSE_URL: clickhouse.url } });
  world = await buildWorld(test);
});
x.after(async () => {
  await test.close();
  await clickhouse.close();
});

x('receives the month when it is attached again after the copy began', async () => {
  const { pool, services } = test.app;
  const received = new Date(Date.now() - 2_400 * HOUR_MS);
  const partition = `event_${received.toISOString().slice(0, 7).replace('-', '_')}`;
  await pool.query(`insert into project_plan (project_id, plan, updated_at) values ($1, 'pro', now())`, [
    world.projectId,
  ]);
  await ensureEventPartitions(pool, received);
  await pool.query(INSERT_AT, [world.projectId, received.getTime(), 'archived']);
  const answer = await world.live.post('/api/v1/batch', { operations: [track('kept', 'u')] });
  assert.is(answer.status, 200, answer.text);
  await services.eventHours.count();
  await pool.query(`comment on table ${partition} is 'Quarterdeck drops this month of events'`);
  await pool.query(`alter table event detach partition ${partition} concurrently`);
  const copied = async () => {
    await services.analyticsCopier?.drain();
    const [row] = await clickhouse.rows<{ rows: string }>('SELECT count() AS rows FROM quarterdeck_event FINAL');
    return Number(row?.rows);
  };
  assert.is(await copied(), 1);
  await services.eventUpkeep.keepPartitions(new Date());
  assert.is(await copied(), 2);
});

x.run();
