import * as assert from 'uvu/assert';
import { systemCaller } from '../../src/kernel/context.js';
import { newUuid } from '../../src/kernel/ids.js';
import { DAY_MS } from '../../src/kernel/values/durations.js';
import { keepAttemptPartitions } from '../../src/modules/webhooks/log/attempt-partitions.js';
import { whileLocked } from '../support/database.js';
import { buildWorld } from '../support/factories/factories.js';
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

cleanUp('dead letters are deleted after 30 days', async ({ test }) => {
  const { projectId } = await buildWorld(test);
  const bury = async (days: number): Promise<string> => {
    const id = newUuid();
    await test.app.pool.query(
      `insert into webhook_dead_letter (id, project_id, subscription_id, event_id, kind, attempts, reason, created_at, died_at)
       values ($1, $2, 'whk_1', 'evt_1', 'config.item.changed', 10, 'attempts_exhausted', $3, $3)`,
      [id, projectId, new Date(test.clock.now().getTime() - days * DAY_MS)],
    );
    return id;
  };
  const [kept] = [await bury(29.9), await bury(30.1)];
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

async function logAttempt({ app }: TestApp, at: Date): Promise<void> {
  const time = at.getTime().toString(16).padStart(12, '0');
  await app.pool.query(
    `insert into webhook_attempt (delivery_id, number, subscription_id, event_id, kind, at, latency_ms, answer, outcome)
     values ($1, 1, 'whk_1', 'evt_1', 'config.item.changed', $2, 1, '', 'delivered')`,
    [`${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`, at],
  );
}

async function attemptsIn({ app }: TestApp): Promise<Record<string, number>> {
  const { rows } = await app.pool.query<{ name: string; count: number }>(
    'select tableoid::regclass::text as name, count(*)::integer as count from webhook_attempt group by 1',
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
