import type { Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EVENTS } from '../../../../src/events/event-notices.js';
import { buildWorld, type World } from '../../../support/factories/factories.js';
import { buildSubscription } from '../../../support/factories/webhook-factory.js';
import { type DeliveryTestApp, openDeliveryApp } from '../../../support/receivers/delivery-app.js';
import { answer, type HostileReceiver, hostileReceiver } from '../../../support/receivers/hostile-receiver.js';
import { queueDeliveries } from '../../../support/receivers/waiting-deliveries.js';
import { until } from '../../../support/until.js';

const QUEUED = 100;
/** Answers before the receiver falls silent: enough for a worker to hold many more than it sends. */
const ANSWERED = 10;

const x = suite<{ test: DeliveryTestApp; world: World }>('deliveries of a subscription that changes');

x.before(async (context) => {
  context.test = await openDeliveryApp();
  context.world = await buildWorld(context.test);
});
x.after(({ test }) => test.close());

/** A subscription in the middle of its deliveries: some answered, some in flight, some only claimed, others untouched. */
async function underWay(test: DeliveryTestApp, world: World) {
  const held: Socket[] = [];
  const receiver = await hostileReceiver((socket, request) => {
    if (receiver.requests.length <= ANSWERED) answer(200)(socket, request);
    else held.push(socket);
  });
  const { id } = await buildSubscription(world, receiver.url, ['config.*']);
  const events = await queueDeliveries(test.app.pool, id, QUEUED);
  test.deliveries.wake();
  await until('an attempt for each slot', () => held.length > 0 && test.deliveries.inFlight === held.length);
  const count = async (condition: string): Promise<number> => {
    const { rows } = await test.app.pool.query(
      `select count(*)::int as n from webhook_queue where subscription_id = $1 and ${condition}`,
      [id],
    );
    return rows[0].n;
  };
  await until('the answered ones are recorded', async () => (await count('true')) === QUEUED - ANSWERED);
  await until('more are claimed', async () => (await count('leased_until > now()')) > held.length);
  const sent = receiver.requests.length;
  const goOn = () => {
    for (const socket of held) answer(200)(socket, receiver.requests[0] as never);
  };
  return { id, receiver, events, sent, count, goOn };
}

const change = (world: World, input: object) =>
  world.owner.client.graphql(
    'mutation($input: UpdateWebhookSubscriptionInput!) { updateWebhookSubscription(input: $input) { id } }',
    { input },
  );

const idsOf = ({ requests }: HostileReceiver): (string | undefined)[] =>
  requests.map(({ headers }) => headers.get('webhook-id'));

x('go only to its new address from then on', async ({ test, world }) => {
  const { id, receiver, events, sent, count, goOn } = await underWay(test, world);
  const moved = await hostileReceiver(answer(200));
  await change(world, { id, url: moved.url });
  goOn();
  await until('all are delivered', async () => (await count('true')) === 0);
  assert.is(receiver.requests.length, sent);
  assert.equal([...idsOf(receiver), ...idsOf(moved)].sort(), [...events].sort());
  await Promise.all([receiver.close(), moved.close()]);
});

x(
  'are no longer sent once it is switched off, and all that do not arrive become dead letters',
  async ({ test, world }) => {
    const { id, receiver, sent, goOn } = await underWay(test, world);
    await change(world, { id, enabled: false });
    await change(world, { id, enabled: true });
    goOn();
    await until('the end of the attempts', () => test.deliveries.inFlight === 0);
    assert.is(receiver.requests.length, sent);
    await test.deliveries.drain();
    const { rows } = await test.app.pool.query('select from webhook_dead_letter where subscription_id = $1', [id]);
    assert.is(rows.length, QUEUED - sent);
    await receiver.close();
  },
);

x('are no longer sent once it is deleted', async ({ test, world }) => {
  const { id, receiver, sent, goOn } = await underWay(test, world);
  await world.owner.client.graphql('mutation($id: ID!) { deleteWebhookSubscription(input: {id: $id}) { id } }', { id });
  goOn();
  await until('the end of the attempts', () => test.deliveries.inFlight === 0);
  assert.is(receiver.requests.length, sent);
  await receiver.close();
});

x('are all sent even if an older release keeps reporting changes', async ({ test, world }) => {
  const receiver = await hostileReceiver(answer(200));
  const { id } = await buildSubscription(world, receiver.url, ['config.*']);
  const { broadcast } = test.app.parts.shared;
  const telling = setInterval(() => {
    for (const kind of ['pulse.response.submitted', 'webhooks.subscription.changed']) broadcast.publish(EVENTS, kind);
  }, 1);
  const events = await queueDeliveries(test.app.pool, id, QUEUED);
  test.deliveries.wake();
  await until('all are delivered', () => new Set(idsOf(receiver)).size === events.length).finally(() =>
    clearInterval(telling),
  );
  await receiver.close();
});

x.run();
