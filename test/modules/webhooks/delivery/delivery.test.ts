import { Webhook } from 'standardwebhooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HOUR_MS } from '../../../../src/kernel/values/durations.js';
import { refusalOf } from '../../../support/client.js';
import { buildProject, buildWorld, type World } from '../../../support/factories/factories.js';
import { buildSubscription, draftEntries } from '../../../support/factories/webhook-factory.js';
import { type DeliveryTestApp, openDeliveryApp } from '../../../support/receivers/delivery-app.js';
import {
  answer,
  type Behaviour,
  type HostileReceiver,
  hostileReceiver,
} from '../../../support/receivers/hostile-receiver.js';

const deliveries = suite('webhook deliveries');
let test: DeliveryTestApp;
let world: World;
const receivers: HostileReceiver[] = [];

deliveries.before(async () => {
  test = await openDeliveryApp();
});
deliveries.before.each(async () => {
  world = await buildWorld(test);
});
deliveries.after.each(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});
deliveries.after(() => test.close());

deliveries('an event arrives signed, with the specified body, and only where it was requested', async () => {
  const receiver = await started(answer(200, 'ok'));
  const deaf = await started(answer(200));
  const { id, secret } = await buildSubscription(world, receiver.url, ['changelog.entry.*']);
  await buildSubscription(world, deaf.url, ['config.*']);
  const foreign = await buildWorld(test);
  await buildSubscription(foreign, deaf.url, ['*']);
  const [entryId] = await draftEntries(world, 1, 'Mail bob@example.com today:');
  await test.settle();
  assert.is(receiver.requests.length, 1);
  assert.is(deaf.requests.filter(({ body }) => body.includes(world.projectId)).length, 0);
  const [request] = receiver.requests;
  const headers = Object.fromEntries(request?.headers ?? []);
  const body = new Webhook(secret).verify(request?.body ?? '', headers) as Record<string, unknown>;
  assert.equal(Object.keys(body), [
    'type',
    'timestamp',
    'data',
    'id',
    'organization_id',
    'project_id',
    'environment',
    'object',
    'sequence',
  ]);
  assert.is(body.type, 'changelog.entry.created');
  assert.equal(body.data, { title: 'Mail [redacted] today: 0', entry_id: entryId });
  assert.is(body.id, headers['webhook-id']);
  assert.match(String(body.id), /^evt_/);
  assert.is(body.project_id, world.projectId);
  assert.is(body.environment, null);
  assert.equal(body.object, { type: 'changelog_entry', id: entryId });
  const [delivery] = await deliveriesOf();
  assert.equal(
    { ...delivery, attemptLog: delivery?.attemptLog.map(({ answer: text, status }) => [status, text]) },
    {
      subscriptionId: id,
      eventId: body.id,
      kind: 'changelog.entry.created',
      status: 'delivered',
      attempts: 1,
      nextAttemptAt: null,
      attemptLog: [[200, 'ok']],
    },
  );
});

deliveries("an object's events carry a growing sequence", async () => {
  const receiver = await started(answer(200));
  await buildSubscription(world, receiver.url);
  const [id] = await draftEntries(world, 1);
  await publish(id ?? '');
  await test.settle();
  const bodies = receiver.requests.map(
    ({ body }) => JSON.parse(body) as { type: string; sequence: number; object: { id: string } },
  );
  assert.equal(bodies.map(({ type }) => type).sort(), ['changelog.entry.created', 'changelog.entry.published']);
  const sequenceOf = (kind: string): number => bodies.find(({ type }) => type === kind)?.sequence ?? Number.NaN;
  assert.ok(sequenceOf('changelog.entry.created') < sequenceOf('changelog.entry.published'));
});

deliveries('the full schedule: ten attempts at their times, then a dead letter; a replay keeps the id', async () => {
  const times: number[] = [];
  let healthy = false;
  const receiver = await started((socket, request) => {
    times.push(test.clock.now().getTime());
    answer(healthy ? 200 : 500, 'no')(socket, request);
  });
  const begun = new Date(Math.ceil(Date.now() / 1000) * 1000);
  test.clock.set(begun);
  const { id, secret } = await buildSubscription(world, receiver.url);
  await draftEntries(world, 1);
  await test.settle();
  const pauses = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000].map((seconds) => seconds * 1000);
  for (const pause of pauses) {
    test.clock.advance(pause - 1);
    await test.settle();
    test.clock.advance(1);
    await test.settle();
  }
  assert.equal(times, expectedTimes(begun.getTime(), pauses));
  test.clock.advance(100 * HOUR_MS);
  await test.settle();
  assert.is(times.length, 10);
  assert.is(new Set(receiver.requests.map(({ headers }) => headers.get('webhook-id'))).size, 1);
  assert.is(new Set(receiver.requests.map(({ headers }) => headers.get('webhook-timestamp'))).size, 10);
  assert.is(new Set(receiver.requests.map(({ body }) => body)).size, 1);

  const [letter, ...others] = await lettersOf();
  assert.is(others.length, 0);
  assert.equal([letter?.reason, letter?.attempts, letter?.subscriptionId], ['attempts_exhausted', 10, id]);
  healthy = true;
  await world.owner.client.graphql('mutation($id: ID!) { replayDeadLetter(input: {id: $id}) { status } }', {
    id: letter?.id,
  });
  await test.settle();
  const replayed = receiver.requests.at(-1);
  assert.is(receiver.requests.length, 11);
  assert.is(replayed?.headers.get('webhook-id'), receiver.requests[0]?.headers.get('webhook-id'));
  assert.is(replayed?.headers.get('webhook-timestamp'), String(Math.floor(test.clock.now().getTime() / 1000)));
  assert.ok(secret);
  const [delivery] = await deliveriesOf();
  assert.equal([delivery?.status, delivery?.attempts, delivery?.attemptLog.length], ['delivered', 11, 11]);
  assert.is((await lettersOf()).length, 0);
  test.clock.set(new Date());
});

deliveries(
  '410 ends the delivery, switches the subscription off and buries what waits; all of it can be replayed',
  async () => {
    let status = 500;
    const receiver = await started((socket, request) => answer(status)(socket, request));
    const { id } = await buildSubscription(world, receiver.url);
    const listening = await started(answer(200));
    await buildSubscription(world, listening.url, ['webhooks.*']);
    await draftEntries(world, 3);
    await test.settle();
    status = 410;
    test.clock.advance(5_000);
    await test.settle();
    assert.equal(
      (await lettersOf())
        .map(({ reason }) => reason)
        .sort()
        .at(0),
      'gone',
    );
    assert.is((await lettersOf()).length, 3);
    assert.equal(await subscriptionState(id), { enabled: false, disabledReason: 'gone' });
    await test.settle();
    const heard = listening.requests.map(
      ({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> },
    );
    const disabled = heard.filter(({ type }) => type === 'webhooks.subscription.disabled');
    assert.is(disabled.length, 1);
    assert.equal(disabled[0]?.data, { subscription_id: id, url: new URL(receiver.url).origin, reason: 'gone' });
    const count = receiver.requests.length;
    await draftEntries(world, 1);
    await test.settle();
    assert.is(receiver.requests.length, count);

    status = 200;
    const replay = 'mutation($input: ReplayDeadLettersInput!) { replayDeadLetters(input: $input) { count kept } }';
    const input = { projectId: world.projectId };
    assert.equal(await world.owner.client.graphql(replay, { input }), { replayDeadLetters: { count: 0, kept: 3 } });
    await world.owner.client.graphql(
      'mutation($id: ID!) { updateWebhookSubscription(input: {id: $id, enabled: true}) { enabled } }',
      { id },
    );
    assert.equal(await world.owner.client.graphql(replay, { input: { ...input, kind: 'config.item.created' } }), {
      replayDeadLetters: { count: 0, kept: 0 },
    });
    assert.equal(
      await world.owner.client.graphql(replay, { input: { ...input, since: new Date(Date.now() + HOUR_MS) } }),
      { replayDeadLetters: { count: 0, kept: 0 } },
    );
    const elsewhere = await buildSubscription(await buildProject(world), receiver.url);
    for (const subscriptionId of [elsewhere.id, `${id}0`, '']) {
      const wrong = world.owner.client.graphql(replay, { input: { ...input, subscriptionId } });
      assert.is((await refusalOf(wrong)).code, 'SUBSCRIPTION_NOT_FOUND', subscriptionId);
    }
    assert.equal(
      await world.owner.client.graphql(replay, {
        input: { ...input, kind: 'changelog.entry.created', subscriptionId: id },
      }),
      { replayDeadLetters: { count: 3, kept: 0 } },
    );
    await test.settle();
    assert.is(receiver.requests.length, count + 3);
  },
);

deliveries('a rotation during retries: both signatures for 24 hours, then only the new one', async () => {
  let status = 500;
  const receiver = await started((socket, request) => answer(status)(socket, request));
  const { id, secret: before } = await buildSubscription(world, receiver.url);
  await draftEntries(world, 1);
  await test.settle();
  const { rotateWebhookSecret } = await world.owner.client.graphql<{ rotateWebhookSecret: { secret: string } }>(
    'mutation($id: ID!) { rotateWebhookSecret(input: {id: $id}) { secret } }',
    { id },
  );
  const after = rotateWebhookSecret.secret;
  status = 200;
  test.clock.advance(6_000);
  await test.settle();
  const during = Object.fromEntries(receiver.requests.at(-1)?.headers ?? []);
  const body = receiver.requests.at(-1)?.body ?? '';
  for (const secret of [before, after]) new Webhook(secret).verify(body, during);
  test.clock.advance(24 * HOUR_MS);
  await draftEntries(world, 1);
  await test.settle();
  assert.is(receiver.requests.at(-1)?.headers.get('webhook-signature')?.split(' ').length, 1);
  test.clock.set(new Date());
});

deliveries('switching off in the middle of retries stops attempts, and what waited can be replayed', async () => {
  const receiver = await started(answer(500));
  const { id } = await buildSubscription(world, receiver.url);
  await draftEntries(world, 1);
  await test.settle();
  await world.owner.client.graphql(
    'mutation($id: ID!) { updateWebhookSubscription(input: {id: $id, enabled: false}) { enabled } }',
    { id },
  );
  test.clock.advance(10_000);
  await test.settle();
  assert.is(receiver.requests.length, 1);
  const [letter] = await lettersOf();
  assert.equal([letter?.reason, letter?.attempts], ['subscription_off', 1]);
});

deliveries('a test delivery goes only to its subscription, whatever its patterns', async () => {
  const receiver = await started(answer(200));
  const other = await started(answer(200));
  const { id } = await buildSubscription(world, receiver.url, ['config.*']);
  await buildSubscription(world, other.url, ['*']);
  const { testWebhookSubscription } = await world.owner.client.graphql<{
    testWebhookSubscription: { eventId: string };
  }>('mutation($id: ID!) { testWebhookSubscription(input: {id: $id}) { eventId } }', { id });
  await test.settle();
  assert.is(receiver.requests.at(-1)?.headers.get('webhook-id'), testWebhookSubscription.eventId);
  assert.is(receiver.requests.length, 1);
  assert.ok(other.requests.length > 0);
  assert.not.ok(other.requests.some(({ headers }) => headers.get('webhook-id') === testWebhookSubscription.eventId));
});

deliveries('deleting a subscription also deletes everything that waited for it', async () => {
  const receiver = await started(answer(500));
  const { id } = await buildSubscription(world, receiver.url);
  await draftEntries(world, 2);
  await test.settle();
  await world.owner.client.graphql('mutation($id: ID!) { deleteWebhookSubscription(input: {id: $id}) { id } }', { id });
  test.clock.advance(10_000);
  await test.settle();
  assert.is(receiver.requests.length, 2);
  const { rows } = await test.app.pool.query('select from webhook_queue where subscription_id = $1', [id]);
  assert.is(rows.length, 0);
});

deliveries('a clock that jumps an hour either way loses nothing and invents no id', async () => {
  let status = 500;
  const receiver = await started((socket, request) => answer(status)(socket, request));
  await buildSubscription(world, receiver.url);
  await draftEntries(world, 1);
  await test.settle();
  test.clock.advance(-HOUR_MS);
  await test.settle();
  assert.is(receiver.requests.length, 1);
  // Set before the second event exists, because it may be sent at once.
  status = 200;
  test.clock.advance(HOUR_MS);
  await draftEntries(world, 1);
  test.clock.advance(HOUR_MS);
  await test.settle();
  test.clock.advance(-HOUR_MS);
  await test.settle();
  assert.is(receiver.requests.length, 3);
  assert.is(new Set(receiver.requests.map(({ headers }) => headers.get('webhook-id'))).size, 2);
  assert.equal(
    (await deliveriesOf()).map((delivery) => delivery.status),
    ['delivered', 'delivered'],
  );
});

deliveries.run();

function expectedTimes(begun: number, pauses: readonly number[]): number[] {
  const times = [begun];
  for (const pause of pauses) times.push((times.at(-1) ?? begun) + pause);
  return times;
}

async function started(behaviour: Behaviour): Promise<HostileReceiver> {
  const receiver = await hostileReceiver(behaviour);
  receivers.push(receiver);
  return receiver;
}

interface ShownDelivery {
  subscriptionId: string;
  eventId: string;
  kind: string;
  status: string;
  attempts: number;
  nextAttemptAt: string | null;
  attemptLog: { status: number | null; answer: string }[];
}

async function deliveriesOf(): Promise<ShownDelivery[]> {
  const { webhookDeliveries } = await world.owner.client.graphql<{ webhookDeliveries: { nodes: ShownDelivery[] } }>(
    `query($id: ID!) { webhookDeliveries(projectId: $id) {
       nodes { subscriptionId eventId kind status attempts nextAttemptAt attemptLog { status answer } } } }`,
    { id: world.projectId },
  );
  return webhookDeliveries.nodes;
}

async function lettersOf(): Promise<{ id: string; reason: string; attempts: number; subscriptionId: string }[]> {
  const { deadLetters } = await world.owner.client.graphql<{
    deadLetters: { nodes: { id: string; reason: string; attempts: number; subscriptionId: string }[] };
  }>('query($id: ID!) { deadLetters(projectId: $id) { nodes { id reason attempts subscriptionId } } }', {
    id: world.projectId,
  });
  return deadLetters.nodes;
}

async function subscriptionState(id: string): Promise<{ enabled: boolean; disabledReason: string | null } | undefined> {
  const { webhookSubscriptions } = await world.owner.client.graphql<{
    webhookSubscriptions: { nodes: { id: string; enabled: boolean; disabledReason: string | null }[] };
  }>('query($id: ID!) { webhookSubscriptions(projectId: $id) { nodes { id enabled disabledReason } } }', {
    id: world.projectId,
  });
  const found = webhookSubscriptions.nodes.find((node) => node.id === id);
  return found && { enabled: found.enabled, disabledReason: found.disabledReason };
}

async function publish(id: string): Promise<void> {
  await world.owner.client.graphql('mutation($id: ID!) { publishChangelogEntry(input: {id: $id}) { id } }', { id });
}
