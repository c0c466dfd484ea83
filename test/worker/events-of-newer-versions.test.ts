import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EVENT_KINDS } from '../../src/events/catalog.js';
import { createDispatcher } from '../../src/worker.js';
import { buildWorld } from '../support/factories/factories.js';
import { buildSubscription, draftEntries } from '../support/factories/webhook-factory.js';
import { type DeliveryTestApp, openDeliveryApp } from '../support/receivers/delivery-app.js';
import { answer, hostileReceiver } from '../support/receivers/hostile-receiver.js';
import { recordStatements } from '../support/statements.js';

const NEW_KIND = 'changelog.entry.created';
const OLD_KINDS = Object.keys(EVENT_KINDS).filter((kind) => kind !== NEW_KIND);

const upgrade = suite<{ test: DeliveryTestApp }>('events that only a newer version knows');

upgrade.before(async (context) => {
  context.test = await openDeliveryApp();
});
upgrade.after(({ test }) => test.close());

upgrade('wait for its dispatcher and then reach the webhooks, each once', async ({ test }) => {
  const older = createDispatcher(test.app, OLD_KINDS);
  const receiver = await hostileReceiver(answer(200));
  try {
    const world = await buildWorld(test);
    await buildSubscription(world, receiver.url, ['changelog.*', 'webhooks.subscription.created']);
    await draftEntries(world, 3);
    await older.drain();
    await test.deliveries.drain();
    assert.equal(receiver.requests.length, 1, 'the older dispatcher delivers what it knows');
    assert.is(await waiting(test), 3);
    await test.settle();
    assert.equal(receiver.requests.length, 4);
    assert.is(await waiting(test), 0);
  } finally {
    await receiver.close();
  }
});

upgrade('do not slow an older dispatcher, however many wait', async ({ test }) => {
  const older = createDispatcher(test.app, OLD_KINDS);
  await older.drain();
  await test.app.pool.query(
    `insert into event_log (id, kind, organization_id, object_type, object_id, actor_id, actor_email, request_id, data, created_at)
     select 'evt_new_' || n, $1, gen_random_uuid(), 'entry', 'x', 'x', 'x', 'x', '{"entry_id":"x","title":"x"}', now()
       from generate_series(1, 6000) n`,
    [NEW_KIND],
  );
  await test.app.pool.query('analyze event_log');
  const { result, statements } = await recordStatements(() => older.drain());
  assert.is(result, 0);
  const taking = statements.find(({ text }) => text.includes('skip locked'));
  assert.ok(taking);
  const { rows } = await test.app.pool.query(`explain (analyze, format json) ${taking.text}`, taking.values);
  const thrownAway = [...JSON.stringify(rows).matchAll(/"Rows Removed by [A-Za-z ]+":(\d+)/g)];
  assert.is(
    thrownAway.reduce((sum, [, count]) => sum + Number(count), 0),
    0,
    'rows of other kinds are not even read',
  );
  assert.is(await test.dispatcher.drain(), 6_000);
});

upgrade.run();

async function waiting(test: DeliveryTestApp): Promise<number> {
  const { rows } = await test.app.pool.query(
    'select count(*)::int as n from event_log where dispatched_at is null and kind = $1',
    [NEW_KIND],
  );
  return rows[0].n;
}
