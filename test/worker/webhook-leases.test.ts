import * as assert from 'uvu/assert';
import { DeliveryQueue } from '../../src/modules/webhooks/delivery/delivery-queue.js';
import { WorkerPresence } from '../../src/modules/webhooks/delivery/worker-presence.js';
import { buildWorld } from '../support/factories/factories.js';
import { buildSubscription } from '../support/factories/webhook-factory.js';
import { appSuite } from '../support/factories/world-suite.js';
import { answer, hostileReceiver } from '../support/receivers/hostile-receiver.js';
import { suspiciousReceiver } from '../support/receivers/suspicious-receiver.js';
import { queueDeliveries } from '../support/receivers/waiting-deliveries.js';
import type { TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const FRIENDLY = { failing: 0, resetting: 0, slow: 0 };
const ALL = { perLane: new Map<string, number>(), other: 1_000, total: 1_000 };

const leases = appSuite('delivery leases', { settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' } });

/** The number of a worker whose process is gone: its row exists, its lock does not. */
async function deadWorker(test: TestApp): Promise<number> {
  const { rows } = await test.app.pool.query<{ id: number }>(
    "insert into webhook_worker (id) values (nextval('webhook_worker_id_seq')::integer) returning id",
  );
  return rows[0]?.id ?? 0;
}

leases('a dead worker loses its leases at once; a living one keeps them', async ({ test }) => {
  const receiver = await suspiciousReceiver(FRIENDLY);
  const world = await buildWorld(test);
  const { id, secret } = await buildSubscription(world, receiver.url, ['config.*']);
  receiver.secrets.push(secret);
  await queueDeliveries(test.app.pool, id, 20);
  const presence = new WorkerPresence(test.databaseUrl, () => {});
  await presence.join();
  const queue = new DeliveryQueue(test.app.pool);
  assert.is((await queue.claim(presence.number, new Date(), ALL)).length, 20);
  const ahead = new Date(Date.now() + 120_000);
  assert.is((await queue.claim(presence.number + 1, ahead, ALL)).length, 0, 'a clock that is ahead ends no lease');
  // So long that only the death of the worker can end them.
  await test.app.pool.query(
    "update webhook_queue set leased_until = now() + interval '1 day' where subscription_id = $1",
    [id],
  );
  assert.is((await queue.claim(presence.number + 1, new Date(), ALL)).length, 0);

  // A delivery that a dead worker leased arrives only after this worker has swept and claimed.
  const other = await suspiciousReceiver(FRIENDLY);
  const abandoned = await buildSubscription(world, other.url, ['config.*']);
  other.secrets.push(abandoned.secret);
  await queueDeliveries(test.app.pool, abandoned.id, 1);
  const dead = await deadWorker(test);
  assert.is((await queue.claim(dead, new Date(), ALL)).length, 1);
  const deliveries = test.app.services.createDeliveryWorker();
  deliveries.start();
  await until('the delivery of a dead worker', () => other.heard.size === 1);
  const leased = 'select from webhook_queue where subscription_id = $1 and lease_owner = $2 and leased_until > now()';
  assert.is((await test.app.pool.query(leased, [id, presence.number])).rowCount, 20);
  assert.is(receiver.heard.size, 0);
  await test.app.pool.query('select pg_terminate_backend(pid) from pg_locks where locktype = $1 and objid = $2', [
    'advisory',
    presence.number,
  ]);
  await until('the deliveries', () => receiver.heard.size === 20);
  await deliveries.stop();
  await Promise.all([receiver.close(), other.close()]);
});

leases('two workers side by side deliver everything once', async ({ test }) => {
  const receiver = await suspiciousReceiver(FRIENDLY);
  const world = await buildWorld(test);
  const { id, secret } = await buildSubscription(world, receiver.url, ['config.*']);
  receiver.secrets.push(secret);
  await queueDeliveries(test.app.pool, id, 1_000);
  const workers = [test.app.services.createDeliveryWorker(), test.app.services.createDeliveryWorker()];
  for (const worker of workers) worker.start();
  await until('the deliveries', () => receiver.heard.size === 1_000);
  await Promise.all(workers.map((worker) => worker.stop()));
  assert.ok([...receiver.heard.values()].every(({ times }) => times === 1));
  const { rows } = await test.app.pool.query('select from webhook_queue where subscription_id = $1', [id]);
  assert.is(rows.length, 0);
  await receiver.close();
});

leases('2,000 deliveries through a rotation: either secret verifies every one of them', async ({ test }) => {
  const [withOld, withNew] = [await suspiciousReceiver(FRIENDLY), await suspiciousReceiver(FRIENDLY)];
  const world = await buildWorld(test);
  const { id, secret } = await buildSubscription(world, withOld.url, ['config.*']);
  withOld.secrets.push(secret);
  await queueDeliveries(test.app.pool, id, 2_000);
  const deliveries = test.app.services.createDeliveryWorker();
  deliveries.start();
  await until('the deliveries', () => withOld.heard.size > 300);
  const { rotateWebhookSecret } = await world.owner.client.graphql<{ rotateWebhookSecret: { secret: string } }>(
    'mutation($id: ID!) { rotateWebhookSecret(input: {id: $id}) { secret } }',
    { id },
  );
  await until('the deliveries', () => withOld.heard.size === 2_000);
  assert.is(withOld.badSignatures, 0);
  withNew.secrets.push(rotateWebhookSecret.secret);
  await world.owner.client.graphql(
    'mutation($id: ID!, $url: String!) { updateWebhookSubscription(input: {id: $id, url: $url}) { id } }',
    { id, url: withNew.url },
  );
  await queueDeliveries(test.app.pool, id, 100);
  await until('the deliveries', () => withNew.heard.size === 100);
  assert.is(withNew.badSignatures, 0);
  await deliveries.stop();
  await Promise.all([withOld.close(), withNew.close()]);
});

leases(
  'an attempt that cannot be recorded causes no other to be repeated, and a count at its maximum stays',
  async ({ test }) => {
    const receiver = await suspiciousReceiver(FRIENDLY);
    const world = await buildWorld(test);
    const { id, secret } = await buildSubscription(world, receiver.url, ['config.*']);
    receiver.secrets.push(secret);
    const [full, refused] = await queueDeliveries(test.app.pool, id, 20);
    await test.app.pool.query(
      'update webhook_queue set attempts = 32767, earlier_attempts = 32767 where event_id = $1',
      [full],
    );
    await test.app.pool.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
     create trigger refuse before insert on webhook_attempt for each row when (new.event_id = '${refused}') execute function refuse()`,
    );
    const deliveries = test.app.services.createDeliveryWorker();
    deliveries.start();
    const left = async () =>
      (await test.app.pool.query('select event_id from webhook_queue where subscription_id = $1', [id])).rows;
    await until('all others are recorded', async () => (await left()).length === 1);
    assert.equal(await left(), [{ event_id: refused }]);
    await deliveries.stop();
    await test.app.pool.query('drop function refuse cascade');
    const { rows } = await test.app.pool.query('select number from webhook_attempt where event_id = $1', [full]);
    assert.equal(rows, [{ number: 32_767 }]);
    await receiver.close();
  },
);

leases('a target that answers 410 is switched off even if the database first refuses that', async ({ test }) => {
  const receiver = await hostileReceiver(answer(410), { host: '127.0.0.1' });
  const { id } = await buildSubscription(await buildWorld(test), receiver.url, ['config.*']);
  await queueDeliveries(test.app.pool, id, 1);
  await test.app.pool.query(
    `create sequence refusals;
     create function refuse_off() returns trigger language plpgsql as $$ begin perform nextval('refusals'); raise 'refused'; end $$;
     create trigger refuse_off before update on webhook_subscription for each row
       when (new.id = '${id}' and not new.is_enabled) execute function refuse_off()`,
  );
  const deliveries = test.app.services.createDeliveryWorker();
  deliveries.start();
  const refusals = () => test.app.pool.query('select from refusals where is_called');
  await until('it is refused', async () => (await refusals()).rowCount === 1);
  const on = () => test.app.pool.query('select from webhook_subscription where id = $1 and is_enabled', [id]);
  assert.is((await on()).rowCount, 1);
  await test.app.pool.query('drop function refuse_off cascade; drop sequence refusals');
  await until('it is switched off', async () => (await on()).rowCount === 0);
  assert.is(receiver.requests.length, 1);
  await deliveries.stop();
  await receiver.close();
});

leases('attempts are logged once even if their subscription cannot be marked as failing', async ({ test }) => {
  const receiver = await hostileReceiver(answer(500), { host: '127.0.0.1' });
  const { id } = await buildSubscription(await buildWorld(test), receiver.url, ['config.*']);
  await queueDeliveries(test.app.pool, id, 5);
  await test.app.pool.query(
    `create function refuse_mark() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
     create trigger refuse_mark before update of failing_since on webhook_subscription for each row
       when (new.id = '${id}') execute function refuse_mark()`,
  );
  const deliveries = test.app.services.createDeliveryWorker();
  deliveries.start();
  await until('all were tried', () => receiver.requests.length === 5);
  await deliveries.drain();
  await deliveries.stop();
  await test.app.pool.query('drop function refuse_mark cascade');
  const attempts = 'select from webhook_attempt where subscription_id = $1';
  assert.is((await test.app.pool.query(attempts, [id])).rowCount, 5);
  await receiver.close();
});

leases.run();
