import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HOUR_MS } from '../../src/kernel/values/durations.js';
import { ensureEventPartitions } from '../../src/modules/ingest/events/event-partitions.js';
import { failureOf, INSERT_AT, track } from '../support/analytics/analytics-calls.js';
import { openTestClickHouse, type TestClickHouse } from '../support/analytics/clickhouse.js';
import { whileLocked } from '../support/database.js';
import { buildProject, buildWorld, type World } from '../support/factories/factories.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const MEBIBYTE = 1024 * 1024;
/** The number of batches, each with its own note, the events per batch, and the bytes per event. */
const [NOTES, EVENTS, EVENT_BYTES] = [8, 5, MEBIBYTE - 1024];

/** Stores events and their notes as ingestion does, two seconds apart. */
const STORE = `
with noted as (select generate_series(1, $2::int) as n), stored as (
  insert into event (id, project_id, environment, event_name, distinct_id, occurred_at, properties)
  select event_id_floor(to_timestamp(($3::bigint + n * 2000 + row) / 1000.0)), $1, 'live', 'large ' || row, 'u' || row, now(),
         jsonb_build_object('text', repeat('x', $4))
    from noted, generate_series(1, $5::int) as row
)
select note_analytics_span('event', $1, 'live', $3 + n * 2000, $3 + n * 2000 + $5, $5) from noted`;

const { now } = Date;

let clickhouse: TestClickHouse;
let test: TestApp;
let world: World;

const x = suite('the analytics copy of rows that come late');

x.before(async () => {
  clickhouse = await openTestClickHouse();
  test = await openTestApp({ settings: { CLICKHOUSE_URL: clickhouse.url } });
  world = await buildWorld(test);
});
x.before.each(async () => {
  world = await buildProject(world);
});
x.after(async () => {
  Date.now = now;
  await test.close();
  await clickhouse.close();
});

/** Copies what is to be copied, and counts the project's events in the copy. */
async function copied(): Promise<number> {
  await test.app.services.analyticsCopier?.drain();
  const [row] = await clickhouse.rows<{ rows: string }>(
    `SELECT count() AS rows FROM quarterdeck_event FINAL WHERE project_id = '${world.projectId}'`,
  );
  return Number(row?.rows);
}

x('has a month when it is attached again after the copy began', async () => {
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
  assert.is(await copied(), 1);
  await services.eventUpkeep.keepPartitions(new Date());
  assert.is(await copied(), 2);
});

x('has what was stored while the clock was set back', async () => {
  const { ingestion } = test.app.services;
  assert.is(await copied(), 0);
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
  assert.is(await copied(), names.length);
});

x('has large events after an outage, in inserts of a bounded size', async () => {
  assert.is(await copied(), 0);
  clickhouse.gateway.fault = 'away';
  const from = Date.now() - 60_000;
  await test.app.pool.query(STORE, [world.projectId, NOTES, from, EVENT_BYTES - 500, EVENTS]);
  assert.instance(await failureOf(test.app.services.analyticsCopier?.drain() ?? Promise.resolve()), Error);
  clickhouse.gateway.fault = 'none';
  clickhouse.gateway.insertedBytes.length = 0;
  assert.is(await copied(), NOTES * EVENTS);
  const inserts = clickhouse.gateway.insertedBytes;
  assert.ok(Math.max(...inserts) <= 17 * MEBIBYTE, String(inserts));
  assert.ok(inserts.length <= NOTES, `notes share inserts: ${inserts}`);
  assert.is((await test.app.pool.query('select from analytics_addition')).rowCount, 0);
});

x.run();
