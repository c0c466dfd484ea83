import * as assert from 'uvu/assert';
import { systemCaller } from '../../src/kernel/context.js';
import { firstUuidOf, newUuid } from '../../src/kernel/ids.js';
import { DAY_MS } from '../../src/kernel/values/durations.js';
import { keepAttemptPartitions } from '../../src/modules/webhooks/log/attempt-partitions.js';
import { whileLocked } from '../support/database.js';
import { buildWorld } from '../support/factories/factories.js';
import { buildSubscription } from '../support/factories/webhook-factory.js';
import { appSuite } from '../support/factories/world-suite.js';
import type { TestApp } from '../support/test-app.js';

const cleanUp = appSuite('clean-up of webhooks');

cleanUp('partitions of the attempt log are created ahead and dropped after 35 days', async ({ test }) => {
  await keep(test);
  const made = await partitions(test);
  assert.is(made.length, 3);
  await keep(test);
  assert.equal(await partitions(test), made);
  const now = test.clock.now().getTime();
  await logAttempt(test, new Date(now));
  await logAttempt(test, new Date(now + 7 * DAY_MS));
  assert.equal(await attemptsIn(test), {
    webhook_attempt_other: 1,
    [made.find((name) => name !== 'webhook_attempt_other') ?? '']: 1,
  });
  test.clock.advance(60 * DAY_MS);
  await keep(test);
  const later = await partitions(test);
  assert.equal(await attemptsIn(test), {});
  assert.is(later.length, 3);
  assert.is(later.filter((name) => made.includes(name)).length, 1);
  test.clock.advance(-60 * DAY_MS);
});

cleanUp(
  'attempts stay for as long as their delivery waits or is a dead letter, however old they are',
  async ({ test }) => {
    const world = await buildWorld(test);
    const { id: subscriptionId } = await buildSubscription(world, 'https://hooks.example/x');
    await keep(test);
    const start = test.clock.now().getTime();
    const times = [start, start + 7 * DAY_MS, start + 14 * DAY_MS].map((time) => new Date(time));
    for (const at of times) await logAttempt(test, at);
    const [waiting, dead] = times.map(deliveryAt);
    await test.app.pool.query(
      `insert into webhook_queue (id, subscription_id, event_id, kind, due_at, created_at) values ($1, $2, 'evt_1', 'k', $3, $3)`,
      [waiting, subscriptionId, times[0]],
    );
    await bury(test, world.projectId, dead as string, new Date(start + 60 * DAY_MS));
    test.clock.advance(70 * DAY_MS);
    await keep(test);
    const { rows } = await test.app.pool.query('select delivery_id as id from webhook_attempt order by 1');
    assert.equal(rows, [{ id: waiting }, { id: dead }]);
    await test.app.pool.query('delete from webhook_queue');
    await test.app.pool.query('delete from webhook_dead_letter');
    await keep(test);
    assert.equal(await attemptsIn(test), {});
    test.clock.advance(-70 * DAY_MS);
  },
);

cleanUp(
  'a week is created during a transaction on the log, and gives way if it also holds its rows',
  async ({ test }) => {
    await keep(test);
    const before = await partitions(test);
    test.clock.advance(7 * DAY_MS);
    await whileLocked(test.app.parts.databaseUrl, 'lock table only webhook_attempt in access share mode', async () => {
      await keep(test);
      assert.is((await partitions(test)).length, before.length + 1);
    });
    test.clock.advance(7 * DAY_MS);
    await whileLocked(test.app.parts.databaseUrl, 'lock table webhook_attempt in access share mode', async () => {
      assert.match(String(await keep(test).catch(String)), 'lock timeout');
    });
    await keep(test);
    assert.is((await partitions(test)).length, before.length + 2);
    test.clock.advance(-14 * DAY_MS);
  },
);

cleanUp('dead letters are deleted after 30 days, or if they were delivered after all', async ({ test }) => {
  const { projectId } = await buildWorld(test);
  const now = test.clock.now().getTime();
  const [kept, expired, delivered] = [newUuid(), newUuid(), deliveryAt(new Date(now))];
  await bury(test, projectId, kept, new Date(now - 29.9 * DAY_MS));
  await bury(test, projectId, expired, new Date(now - 30.1 * DAY_MS));
  await bury(test, projectId, delivered, new Date(now));
  await logAttempt(test, new Date(now));
  await test.app.tx.write(systemCaller('clean-up'), (ctx) => test.app.services.deadLetters.deleteExpired(ctx));
  const { rows } = await test.app.pool.query('select id from webhook_dead_letter');
  assert.equal(rows, [{ id: kept }]);
});

cleanUp.run();

async function keep({ app }: TestApp): Promise<void> {
  await keepAttemptPartitions(app.tx);
}

async function partitions({ app }: TestApp): Promise<string[]> {
  const { rows } = await app.pool.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'webhook_attempt'::regclass order by 1`,
  );
  return rows.map(({ name }) => name);
}

const deliveryAt = (at: Date): string => firstUuidOf(at.getTime());

async function bury({ app }: TestApp, projectId: string, id: string, diedAt: Date): Promise<void> {
  await app.pool.query(
    `insert into webhook_dead_letter (id, project_id, subscription_id, event_id, kind, attempts, reason, created_at, died_at)
     values ($1, $2, 'whk_1', 'evt_1', 'config.item.changed', 10, 'attempts_exhausted', $3, $3)`,
    [id, projectId, diedAt],
  );
}

async function logAttempt({ app }: TestApp, at: Date): Promise<void> {
  await app.pool.query(
    `insert into webhook_attempt (delivery_id, number, subscription_id, event_id, kind, at, latency_ms, answer, outcome)
     values ($1, 1, 'whk_1', 'evt_1', 'config.item.changed', $2, 1, '', 'delivered')`,
    [deliveryAt(at), at],
  );
}

async function attemptsIn({ app }: TestApp): Promise<Record<string, number>> {
  const { rows } = await app.pool.query<{ name: string; count: number }>(
    'select tableoid::regclass::text as name, count(*)::integer as count from webhook_attempt group by 1',
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
