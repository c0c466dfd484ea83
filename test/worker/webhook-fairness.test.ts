import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newPrefixedId } from '../../src/kernel/ids.js';
import { SecretSeal } from '../../src/modules/webhooks/subscriptions/secret-seal.js';
import { createDispatcher } from '../../src/worker.js';
import { buildWorld } from '../support/factories/factories.js';
import { buildSubscription, draftEntries, type TestSubscription } from '../support/factories/webhook-factory.js';
import { answer, hostileReceiver, silent } from '../support/receivers/hostile-receiver.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const ENDPOINTS = 1_000;

const fairness = suite('fair deliveries');

fairness('a thousand endpoints that hang forever do not delay a healthy one', async () => {
  const test = await openTestApp({ settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.5' } });
  const hanging = await hostileReceiver(silent);
  const healthy = await hostileReceiver(answer(200));
  const deliveries = test.app.services.createDeliveryWorker({ timeoutMs: 3_600_000 });
  const dispatcher = createDispatcher(test.app);
  try {
    const world = await buildWorld(test);
    const model = await buildSubscription(world, `http://127.0.0.5:${hanging.port}/0`, ['changelog.*']);
    await buildSubscription(world, healthy.url, ['changelog.*']);
    await copySubscriptions(test, model);
    await draftEntries(world, 3);
    await dispatcher.drain();
    deliveries.start();
    await until('all endpoints to hang', () => hanging.requests.length >= ENDPOINTS);
    for (let round = 1; round <= 3; round++) {
      await draftEntries(world, 5);
      await dispatcher.drain();
      await until('the healthy deliveries', () => healthy.requests.length === 3 + round * 5);
    }
    await until('their attempts are logged', async () => (await attemptsEnded(test)) === healthy.requests.length);
    assert.ok(hanging.open.size >= ENDPOINTS, 'all of them still hang');
  } finally {
    await hanging.close();
    await deliveries.stop();
    await healthy.close();
    await test.close();
  }
});

fairness.run();

/** Host names of their own would need a name server; their paths tell them apart just as well. */
async function copySubscriptions(test: TestApp, model: TestSubscription): Promise<void> {
  const seal = new SecretSeal(test.jwtSecret);
  const ids = Array.from({ length: ENDPOINTS - 1 }, () => newPrefixedId('whk'));
  await test.app.pool.query(
    `insert into webhook_subscription (id, organization_id, project_id, url, patterns, sealed_secret, created_at, updated_at)
     select t.id, s.organization_id, s.project_id, s.url || t.id, s.patterns, t.sealed, s.created_at, s.updated_at
       from webhook_subscription s, unnest($2::text[], $3::text[]) as t(id, sealed) where s.id = $1`,
    [model.id, ids, ids.map((id) => seal.seal(model.secret, id))],
  );
}

async function attemptsEnded(test: TestApp): Promise<number> {
  const { rows } = await test.app.pool.query(
    "select count(*)::integer as n from webhook_attempt where outcome = 'delivered'",
  );
  return rows[0].n;
}
