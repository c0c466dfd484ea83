import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newUuid } from '../../../../src/kernel/ids.js';
import { buildWorld, type World } from '../../../support/factories/factories.js';
import { buildSubscription, draftEntries, type TestSubscription } from '../../../support/factories/webhook-factory.js';
import { type DeliveryTestApp, openDeliveryApp } from '../../../support/receivers/delivery-app.js';
import { answer, type HostileReceiver, hostileReceiver } from '../../../support/receivers/hostile-receiver.js';
import { recordReads } from '../../../support/statements.js';

interface Delivery {
  id: string;
  status: string;
  attempts: number;
  attemptLog: { number: number; status: number }[];
}

interface Context {
  test: DeliveryTestApp;
  world: World;
  receiver: HostileReceiver;
  /** What the receiver answers. */
  status: number;
  subscription: TestSubscription;
}

const replays = suite<Context>('deliveries that are sent again');

replays.before(async (context) => {
  context.test = await openDeliveryApp();
});
replays.before.each(async (context) => {
  context.test.clock.set(new Date());
  context.world = await buildWorld(context.test);
  context.receiver = await hostileReceiver((socket, request) => answer(context.status, 'read')(socket, request));
  context.subscription = await buildSubscription(context.world, context.receiver.url);
  await draftEntries(context.world, 1);
});
replays.after.each(({ receiver }) => receiver.close());
replays.after(({ test }) => test.close());

const FIELDS = 'id status attempts attemptLog { number status }';

async function listed({ world }: Context, filter = ''): Promise<{ nodes: Delivery[]; totalCount: number }> {
  const query = `query($id: ID!) { webhookDeliveries(projectId: $id ${filter}) { totalCount nodes { ${FIELDS} } } }`;
  const { webhookDeliveries } = await world.owner.client.graphql<{
    webhookDeliveries: { nodes: Delivery[]; totalCount: number };
  }>(query, { id: world.projectId });
  return webhookDeliveries;
}

interface Answer {
  object: Delivery | null;
  error: { code: string } | null;
}

async function replay({ world }: Context, ids: readonly string[]): Promise<Answer[]> {
  const { replayDeliveries } = await world.owner.client.graphql<{ replayDeliveries: Answer[] }>(
    `mutation($ids: [ID!]!) { replayDeliveries(input: { ids: $ids }) { object { ${FIELDS} } error { code } } }`,
    { ids },
  );
  return replayDeliveries;
}

replays('a delivered event is resent with its own ids, on its own schedule', async (context) => {
  const { test, receiver, world, subscription } = context;
  context.status = 200;
  await test.settle();
  const [delivery] = (await listed(context)).nodes as [Delivery];
  assert.equal([delivery.status, delivery.attempts], ['delivered', 1]);

  context.status = 500;
  const [first, second] = [await replay(context, [delivery.id]), await replay(context, [delivery.id])];
  for (const [answered] of [first, second]) assert.is(answered?.object?.status, 'pending');
  assert.is(first[0]?.object?.attempts, 1);
  assert.equal((await listed(context, 'status: delivered')).totalCount, 0, 'it is in one place at a time');
  await test.settle();
  assert.is(receiver.requests.length, 2);
  assert.equal(receiver.requests[1]?.body, receiver.requests[0]?.body);
  assert.is(receiver.requests[1]?.headers.get('webhook-id'), receiver.requests[0]?.headers.get('webhook-id'));

  context.status = 200;
  test.clock.advance(7_000);
  await test.settle();
  const { nodes, totalCount } = await listed(context, 'status: delivered');
  assert.is(totalCount, 1);
  assert.is(nodes[0]?.id, delivery.id);
  assert.equal(
    nodes[0]?.attemptLog.map(({ number, status }) => [number, status]),
    [
      [1, 200],
      [2, 500],
      [3, 200],
    ],
  );
  const { auditLog } = await world.owner.client.graphql<{ auditLog: { nodes: { data: object }[] } }>(
    '{ auditLog(filter: { kind: { eq: "webhooks.delivery.replayed" } }) { nodes { data } } }',
  );
  assert.equal(auditLog.nodes[0]?.data, { subscription_id: subscription.id, kind: 'changelog.entry.created' });
});

replays('a delivery that waits for its next attempt is tried at once', async (context) => {
  const { test, receiver } = context;
  context.status = 503;
  await test.settle();
  const [waiting] = (await listed(context)).nodes as [Delivery];
  assert.equal([waiting.status, waiting.attempts], ['pending', 1]);
  context.status = 200;
  await test.settle();
  assert.is(receiver.requests.length, 1);
  const [answered] = await replay(context, [waiting.id]);
  assert.is(answered?.object?.status, 'pending');
  await test.settle();
  const [made] = (await listed(context)).nodes;
  assert.equal([receiver.requests.length, made?.status, made?.attempts], [2, 'delivered', 2]);
});

replays('finding many takes as many statements as finding one', async (context) => {
  const { test, world, receiver } = context;
  context.status = 200;
  for (let more = 0; more < 4; more++) await buildSubscription(world, receiver.url);
  await draftEntries(world, 2);
  await test.settle();
  const ids = (await listed(context)).nodes.map(({ id }) => id);
  assert.ok(ids.length > 10);
  const looked = async (some: readonly string[]): Promise<number> => {
    const { result, statements } = await recordReads(() => replay(context, some));
    assert.ok(result.every(({ object }) => object));
    return statements.filter(({ text }) => text.includes('webhook_dead_letter')).length;
  };
  assert.is(await looked(ids.slice(0, 1)), 2);
  assert.is(await looked(ids), 2);
  const twice = await replay(context, [ids[0] ?? '', ids[0] ?? '', newUuid(), 'none']);
  assert.equal(
    twice.map(({ object, error }) => object?.id ?? error?.code),
    [ids[0], 'DELIVERY_NOT_FOUND', 'DELIVERY_NOT_FOUND'],
  );
});

replays('nothing is sent to a subscription that is switched off', async (context) => {
  const { test, world, subscription, receiver } = context;
  context.status = 200;
  await test.settle();
  const [delivery] = (await listed(context)).nodes as [Delivery];
  await world.owner.client.graphql(
    'mutation($input: UpdateWebhookSubscriptionInput!) { updateWebhookSubscription(input: $input) { id } }',
    { input: { id: subscription.id, enabled: false } },
  );
  assert.equal(await replay(context, [delivery.id]), [{ object: null, error: { code: 'SUBSCRIPTION_OFF' } }]);
  await test.settle();
  assert.is(receiver.requests.length, 1);
  assert.is((await listed(context)).nodes[0]?.status, 'delivered');
});

replays.run();
