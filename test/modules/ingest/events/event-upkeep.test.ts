import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemCaller } from '../../../../src/kernel/context.js';
import { DAY_MS } from '../../../../src/kernel/values/durations.js';
import { ensureEventPartitions } from '../../../../src/modules/ingest/events/event-partitions.js';
import { EventHours } from '../../../../src/modules/ingest/hours/event-hours.js';
import { PLAN_LIMITS } from '../../../../src/modules/quotas/limits.js';
import { refuseRows, whileLocked } from '../../../support/database.js';
import { buildWorld } from '../../../support/factories/factories.js';
import { openTestApp, type TestApp } from '../../../support/test-app.js';
import { until } from '../../../support/until.js';

let test: TestApp;

const insert = async (projectId: string, receivedAt: Date): Promise<void> => {
  await test.app.pool.query(
    `insert into event (id, project_id, environment, event_name, distinct_id, occurred_at, properties)
     values (event_id_floor($1), $2, 'live', 'e', 'u', $1, '{}')`,
    [receivedAt, projectId],
  );
};
const months = async (): Promise<string[]> => {
  const { rows } = await test.app.pool.query(
    `select relname from pg_class where relname ~ '^event_\\d{4}_\\d{2}$' and relkind = 'r' order by 1`,
  );
  return rows.map(({ relname }) => relname as string);
};

const x = suite('upkeep of events');

x.before(async () => {
  test = await openTestApp();
});
x.after(() => test.close());

x('creates months ahead, drops months past every retention, and deletes what only one plan does not keep', async () => {
  const now = new Date('2031-06-15T12:00:00Z');
  const [hobby, pro] = [randomUUID(), randomUUID()];
  await test.app.pool.query(`insert into project_plan (project_id, plan, updated_at) values ($1, 'pro', now())`, [pro]);
  for (const days of [800, 200, 10])
    await ensureEventPartitions(test.app.pool, new Date(now.getTime() - days * DAY_MS));
  for (const days of [800, 200, 10]) {
    await insert(hobby, new Date(now.getTime() - days * DAY_MS));
    await insert(pro, new Date(now.getTime() - days * DAY_MS));
  }
  await test.app.services.eventUpkeep.keepPartitions(now);
  const left = await test.app.pool.query('select project_id, count(*)::int as n from event group by 1');
  const counts = new Map(left.rows.map(({ project_id, n }) => [project_id, n]));
  assert.equal([counts.get(hobby), counts.get(pro)], [1, 2]);
  const names = await months();
  assert.not.ok(names.includes('event_2029_04'), 'a month older than the longest retention is gone');
  assert.ok(names.includes('event_2031_08'), 'the month after next is there');
});

x(
  'completes what an earlier run left half or only detached, and meanwhile deletes what one plan does not keep',
  async () => {
    const { pool, services, parts } = test.app;
    const now = new Date('2032-06-15T12:00:00Z');
    const [hobby, pro] = [randomUUID(), randomUUID()];
    await pool.query(`insert into project_plan (project_id, plan, updated_at) values ($1, 'pro', now())`, [pro]);
    const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
    for (const days of [830, 200, 10]) await ensureEventPartitions(pool, ago(days));
    for (const projectId of [hobby, pro]) await insert(projectId, ago(200));
    await pool.query('create table event_2020_01 (like event)');
    await pool.query(`comment on table event_2020_01 is 'Quarterdeck drops this month of events'`);
    await pool.query('create table event_2020_01_copy (like event)');
    await pool.query('create view in_the_way as select from event_2020_01');
    await pool.query(`comment on table event_2030_02 is 'Quarterdeck drops this month of events'`);
    const detach = `set lock_timeout = '100ms'; alter table event detach partition event_2030_02 concurrently`;
    const client = new pg.Client({ connectionString: parts.databaseUrl });
    await client.connect();
    await whileLocked(parts.databaseUrl, 'lock table event in access share mode', async () => {
      for (const statement of detach.split('; ')) await client.query(statement).catch(() => undefined);
    });
    await client.end();
    const { rows: pending } = await pool.query(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'event'::regclass and inhdetachpending`,
    );
    assert.equal(pending, [{ name: 'event_2030_02' }]);

    assert.match(String(await services.eventUpkeep.keepPartitions(now).catch(String)), 'depend');
    const { rows } = await pool.query('select project_id from event where project_id in ($1, $2)', [hobby, pro]);
    assert.equal(rows, [{ project_id: pro }]);

    await pool.query('drop view in_the_way');
    await services.eventUpkeep.keepPartitions(now);
    assert.not.ok((await months()).some((name) => name === 'event_2020_01' || name === 'event_2030_02'));
    assert.is((await pool.query('drop table event_2020_01_copy')).command, 'DROP');
  },
);

x('deletes what other plans do not keep, even if the events of some projects cannot be deleted', async () => {
  const { pool, services } = test.app;
  const now = new Date('2038-06-15T12:00:00Z');
  const [pro, ...hobby] = Array.from({ length: 6 }, () => randomUUID()).sort();
  await pool.query(`insert into project_plan (project_id, plan, updated_at) values ($1, 'pro', now())`, [pro]);
  const old = new Date(now.getTime() - 200 * DAY_MS);
  for (const at of [old, now]) await ensureEventPartitions(pool, at);
  for (const projectId of hobby) await insert(projectId, old);
  await insert(pro as string, now);
  const stuck = hobby.slice(0, 2);
  const allow = await refuseRows(pool, 'event', `old.project_id in ('${stuck.join("', '")}')`, 'delete');
  try {
    const failure = await services.eventUpkeep.keepPartitions(now).catch((error: unknown) => error);
    assert.instance(failure, AggregateError);
    assert.match((failure as AggregateError).message, /^2 failed; .*refused/);
    const { rows } = await pool.query('select project_id from event where project_id = any($1) order by 1', [hobby]);
    assert.equal(
      rows.map(({ project_id }) => project_id),
      stuck,
    );
  } finally {
    await allow();
  }
});

x('leaves a month alone that an operator detached', async () => {
  const { pool, services } = test.app;
  await ensureEventPartitions(pool, new Date('2026-02-15T12:00:00Z'));
  await pool.query('alter table event detach partition event_2026_02');
  await services.eventUpkeep.keepPartitions(new Date('2033-06-15T12:00:00Z'));
  const kept = await months();
  assert.ok(kept.includes('event_2026_02'));
  assert.not.ok(kept.includes('event_2026_03'));
  await pool.query('drop table event_2026_02');
});

x('leaves a month alone that an operator detached after a run failed to', async () => {
  const { pool, services } = test.app;
  const now = new Date('2034-06-15T12:00:00Z');
  for (const month of ['2027-02-15', '2034-06-15']) await ensureEventPartitions(pool, new Date(`${month}T12:00:00Z`));
  await insert(randomUUID(), now);
  // With a default partition, nothing can be detached concurrently.
  await pool.query('create table event_rest partition of event default');
  assert.match(String(await services.eventUpkeep.keepPartitions(now).catch(String)), 'default partition');
  await pool.query('drop table event_rest');
  await pool.query('alter table event detach partition event_2027_02');
  await services.eventUpkeep.keepPartitions(now);
  const kept = await months();
  assert.ok(kept.includes('event_2027_02'));
  assert.not.ok(kept.includes('event_2027_03'));
  await pool.query('drop table event_2027_02');
});

x('restores a month that was being dropped when a new plan keeps it', async () => {
  const { pool, services } = test.app;
  const now = new Date('2034-06-15T12:00:00Z');
  const projectId = randomUUID();
  await pool.query(`insert into project_plan (project_id, plan, updated_at) values ($1, 'pro', now())`, [projectId]);
  await ensureEventPartitions(pool, new Date('2034-01-15T12:00:00Z'));
  for (const day of ['2033-12-01T00:00:00Z', '2033-12-31T23:59:59Z', now]) await insert(projectId, new Date(day));
  await pool.query(`comment on table event_2033_12 is 'Quarterdeck drops this month of events'`);
  await pool.query('alter table event detach partition event_2033_12 concurrently');
  await services.eventUpkeep.keepPartitions(now);
  const { rows } = await pool.query('select count(*)::int as n from event where project_id = $1', [projectId]);
  assert.is(rows[0].n, 3);
  const marks = await pool.query(`select obj_description('event_2033_12'::regclass, 'pg_class') as mark`);
  assert.is(marks.rows[0].mark, null);
});

x("restores a month that holds a project's only events, but none of a person deleted meanwhile", async () => {
  const { pool, services, tx } = test.app;
  const now = new Date('2036-06-15T12:00:00Z');
  const month = 'event_2035_12';
  const projectId = randomUUID();
  await pool.query(`insert into project_plan (project_id, plan, updated_at) values ($1, 'pro', now())`, [projectId]);
  for (const at of [new Date('2036-01-15T12:00:00Z'), now]) await ensureEventPartitions(pool, at);
  for (const day of ['2035-12-03T00:00:00Z', '2035-12-04T00:00:00Z']) await insert(projectId, new Date(day));
  await pool.query(`update ${month} set distinct_id = 'gone' where id < event_id_floor('2035-12-04')`);
  await insert(randomUUID(), now);
  await pool.query(`comment on table ${month} is 'Quarterdeck drops this month of events'`);
  await pool.query(`alter table event detach partition ${month} concurrently`);
  await tx.write(systemCaller('test'), (ctx) =>
    services.personErasures.begin(ctx, { projectId, environment: 'live', ids: ['gone'] }),
  );
  await until('the person is erased', async () => (await pool.query('select from person_erasure')).rowCount === 0);
  await services.eventUpkeep.keepPartitions(now);
  const { rows } = await pool.query('select distinct_id from event where project_id = $1', [projectId]);
  assert.equal(rows, [{ distinct_id: 'u' }]);
});

x('leaves a month alone that an operator detached after a run stopped early and a plan kept it', async () => {
  const { pool, services } = test.app;
  const projectId = randomUUID();
  await pool.query(`insert into project_plan (project_id, plan, updated_at) values ($1, 'pro', now())`, [projectId]);
  await ensureEventPartitions(pool, new Date('2037-01-15T12:00:00Z'));
  await insert(projectId, new Date('2036-12-15T12:00:00Z'));
  await pool.query(`comment on table event_2036_12 is 'Quarterdeck drops this month of events'`);
  await services.eventUpkeep.keepPartitions(new Date('2037-06-15T12:00:00Z'));
  await pool.query('alter table event detach partition event_2036_12');
  const later = new Date('2044-06-15T12:00:00Z');
  await ensureEventPartitions(pool, later);
  await insert(randomUUID(), later);
  await services.eventUpkeep.keepPartitions(later);
  const kept = await months();
  assert.ok(kept.includes('event_2036_12'));
  assert.not.ok(kept.includes('event_2037_01'));
  await pool.query('drop table event_2036_12');
});

x('counts the hours of a restored month', async () => {
  const { pool, services } = test.app;
  const now = new Date('2020-06-15T12:00:00Z');
  const projectId = randomUUID();
  await pool.query(`insert into project_plan (project_id, plan, updated_at) values ($1, 'pro', now())`, [projectId]);
  await ensureEventPartitions(pool, new Date('2020-01-15T12:00:00Z'));
  for (const day of ['2019-12-01T00:00:00Z', '2019-12-31T23:59:59Z', '2020-01-01T00:00:00Z'])
    await insert(projectId, new Date(day));
  await pool.query(`insert into event_hours values ($1, 'live', date_trunc('hour', now()))`, [projectId]);
  await pool.query(`comment on table event_2019_12 is 'Quarterdeck drops this month of events'`);
  await pool.query('alter table event detach partition event_2019_12 concurrently');
  await pool.query(`insert into event_hours values ($1, 'live', date_trunc('hour', now()))`, [randomUUID()]);
  await services.eventUpkeep.keepPartitions(now);
  const noted = await pool.query(`select distinct project_id from event_hour_note where received >= '2019-12-01'`);
  assert.equal(noted.rows, [{ project_id: projectId }], 'a project without events in the month is not recounted');
  await services.eventHours.count();
  const { rows } = await pool.query(
    `select to_char(received at time zone 'UTC', 'YYYY-MM-DD HH24') as hour, count::int from event_hour where project_id = $1 order by 1`,
    [projectId],
  );
  assert.equal(rows, [
    { hour: '2019-12-01 00', count: 1 },
    { hour: '2019-12-31 23', count: 1 },
  ]);
  assert.is((await pool.query('select from event_hour_note')).rowCount, 0);
});

x('counts what one plan keeps of an hour that was counted while the rest was being deleted', async () => {
  const { pool, services, parts } = test.app;
  const now = new Date('2020-06-15T12:30:00Z');
  const [hobby, pro] = [randomUUID(), randomUUID()];
  await pool.query(`insert into project_plan (project_id, plan, updated_at) values ($1, 'pro', now())`, [pro]);
  const before = new Date(now.getTime() - PLAN_LIMITS.hobby.retentionDays * DAY_MS);
  for (const at of [before, now]) await ensureEventPartitions(pool, at);
  for (const minutes of [-10, 10]) await insert(hobby, new Date(before.getTime() + minutes * 60_000));
  await insert(pro, now);
  for (const projectId of [hobby, pro])
    await pool.query(`insert into event_hours values ($1, 'live', date_trunc('hour', now()))`, [projectId]);
  const noted = [hobby, before];
  await pool.query(
    `insert into event_hour_note (project_id, environment, received) values ($1, 'live', hour_of($2))`,
    noted,
  );
  await services.eventHours.count();
  const counted = async () => {
    const { rows } = await pool.query('select sum(count)::int as n from event_hour where project_id = $1', [hobby]);
    return rows[0].n;
  };
  assert.is(await counted(), 2);
  let upkeep: Promise<void> | undefined;
  await whileLocked(parts.databaseUrl, `select from event where project_id = '${hobby}' for update`, async () => {
    upkeep = services.eventUpkeep.keepPartitions(now);
    await until('its hour is to be recounted', async () => {
      const { rowCount } = await pool.query(
        'select from event_hour_note where project_id = $1 and received = hour_of($2)',
        noted,
      );
      return rowCount !== 0;
    });
    // It does not wait for transactions that began before it.
    await new EventHours(pool, 0).count();
  });
  await upkeep;
  await services.eventHours.count();
  assert.is(await counted(), 1);
});

x('keeps no event longer than its plan if no other project has a longer one', async () => {
  const { pool, services } = test.app;
  await pool.query('delete from event');
  const now = new Date('2041-06-15T12:30:00Z');
  const projectId = randomUUID();
  const before = new Date(now.getTime() - PLAN_LIMITS.hobby.retentionDays * DAY_MS);
  for (const at of [before, now]) await ensureEventPartitions(pool, at);
  for (const minutes of [-10, 10]) await insert(projectId, new Date(before.getTime() + minutes * 60_000));
  await pool.query(`insert into event_hours values ($1, 'live', hour_of($2))`, [projectId, now]);
  await services.eventUpkeep.keepPartitions(now);
  const { rows } = await pool.query('select event_id_hour(id) as hour from event');
  assert.is(rows.length, 1);
  await services.eventHours.count();
  const counted = await pool.query('select received as hour, count::int from event_hour where project_id = $1', [
    projectId,
  ]);
  assert.equal(counted.rows, [{ ...rows[0], count: 1 }]);
});

x('forgets keys and insert ids after a day', async () => {
  const row = [randomUUID(), randomUUID()];
  const old = new Date(Date.now() - 26 * 3_600_000);
  const add = `insert into ingest_insert_id (project_id, environment, id_hash, seen_at) values ($1, 'live', $2, $3)`;
  await test.app.pool.query(add, [...row, old]);
  await test.app.pool.query(add, [row[1], row[0], new Date()]);
  await test.app.services.eventUpkeep.forget(new Date());
  const { rows } = await test.app.pool.query('select count(*)::int as n from ingest_insert_id');
  assert.is(rows[0].n, 1);
});

x('forgets after two hours whose facts changed', async () => {
  const { pool, services } = test.app;
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  const add = `insert into person_change (project_id, environment, person_ids, changed_at) values ($1, 'live', '{prs_1}', $2)`;
  const projectId = randomUUID();
  for (const hours of [1, 3]) await pool.query(add, [projectId, hoursAgo(hours)]);
  await services.eventUpkeep.forget(new Date());
  const { rows } = await pool.query('select count(*)::int as n from person_change where project_id = $1', [projectId]);
  assert.is(rows[0].n, 1);
});

/** As for a server that has run for months without a worker, or whose clock was wrong when it started. */
const dropThisMonth = async (): Promise<void> => {
  const name = `event_${new Date().toISOString().slice(0, 7).replace('-', '_')}`;
  await test.app.pool.query(`drop table if exists ${name}`);
};

x('stores events of a month that has no partition yet, in a small body and in a large one', async () => {
  const { live } = await buildWorld(test);
  const send = (count: number, properties: object) => {
    const payload = { event_name: 'e', distinct_id: 'late', properties };
    return live.post('/api/v1/batch', {
      operations: Array.from({ length: count }, () => ({ type: 'track', payload })),
    });
  };
  await dropThisMonth();
  const answers = await Promise.all([send(1, {}), send(2, {}), send(3, {})]);
  assert.equal(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  await dropThisMonth();
  const large = () => send(40, { text: 'x'.repeat(50_000) });
  // What was read of it is gone, and the client repeats it.
  assert.equal([(await large()).status, (await large()).status], [503, 200]);
  const { rows } = await test.app.pool.query("select count(*)::int as n from event where distinct_id = 'late'");
  assert.is(rows[0].n, 40);
});

x.run();
