import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { failureOf } from '../support/analytics/analytics-calls.js';
import { openTestClickHouse, type TestClickHouse } from '../support/analytics/clickhouse.js';
import { buildWorld, type World } from '../support/factories/factories.js';
import { openTestApp, type TestApp } from '../support/test-app.js';

const x = suite('the analytics copy after an outage');

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

x('receives large events in inserts of a bounded size', async () => {
  const copier = test.app.services.analyticsCopier;
  await copier?.drain();
  clickhouse.gateway.fault = 'away';
  const from = Date.now() - 60_000;
  await test.app.pool.query(STORE, [world.projectId, NOTES, from, EVENT_BYTES - 500, EVENTS]);
  assert.instance(await failureOf(copier?.drain() ?? Promise.resolve()), Error);
  clickhouse.gateway.fault = 'none';
  clickhouse.gateway.insertedBytes.length = 0;
  await copier?.drain();
  const inserts = clickhouse.gateway.insertedBytes;
  assert.ok(Math.max(...inserts) <= 17 * MEBIBYTE, String(inserts));
  assert.ok(inserts.length <= NOTES, `notes share inserts: ${inserts}`);
  const [row] = await clickhouse.rows<{ rows: string }>('SELECT count() AS rows FROM quarterdeck_event FINAL');
  assert.is(Number(row?.rows), NOTES * EVENTS);
  assert.is((await test.app.pool.query('select from analytics_addition')).rowCount, 0);
});

x.run();
