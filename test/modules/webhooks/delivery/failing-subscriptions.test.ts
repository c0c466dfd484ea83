import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildWorld, type World } from '../../../support/factories/factories.js';
import { buildSubscription, draftEntries } from '../../../support/factories/webhook-factory.js';
import { type DeliveryTestApp, openDeliveryApp } from '../../../support/receivers/delivery-app.js';
import { answer, hostileReceiver } from '../../../support/receivers/hostile-receiver.js';

const HOUR = 3_600_000;
const failing = suite('subscriptions that keep failing');
let test: DeliveryTestApp;
let world: World;

failing.before(async () => {
  test = await openDeliveryApp();
});
failing.before.each(async () => {
  world = await buildWorld(test);
});
failing.after(() => test.close());

failing(
  'a subscription that failed for five days is switched off; one success in between restarts the count',
  async () => {
    let status = 500;
    const receiver = await hostileReceiver((socket, request) => answer(status)(socket, request));
    const { id } = await buildSubscription(world, receiver.url);
    const attempt = async (): Promise<void> => {
      await draftEntries(world, 1);
      await test.settle();
    };
    await attempt();
    test.clock.advance(4 * 24 * HOUR);
    await attempt();
    assert.equal(await stateOf(id), { enabled: true, disabledReason: null });
    status = 200;
    await attempt();
    status = 500;
    test.clock.advance(2 * 24 * HOUR);
    await attempt();
    assert.equal(await stateOf(id), { enabled: true, disabledReason: null });
    for (let day = 1; day < 5; day++) {
      test.clock.advance(24 * HOUR);
      await attempt();
    }
    assert.equal(await stateOf(id), { enabled: true, disabledReason: null });
    test.clock.advance(24 * HOUR + 1);
    await attempt();
    assert.equal(await stateOf(id), { enabled: false, disabledReason: 'failing' });
    test.clock.set(new Date());
    await receiver.close();
  },
);

failing('days in which nothing was tried, because no worker ran, do not count as failing', async () => {
  const receiver = await hostileReceiver(answer(500));
  const { id } = await buildSubscription(world, receiver.url);
  const attemptAfter = async (hours: number): Promise<void> => {
    test.clock.advance(hours * HOUR);
    await draftEntries(world, 1);
    await test.settle();
  };
  await attemptAfter(0);
  // Of six days one counts: that is the longest pause between attempts.
  await attemptAfter(6 * 24);
  for (let day = 2; day < 5; day++) await attemptAfter(24);
  await attemptAfter(23);
  assert.equal(await stateOf(id), { enabled: true, disabledReason: null });
  await attemptAfter(1);
  assert.equal(await stateOf(id), { enabled: false, disabledReason: 'failing' });
  test.clock.set(new Date());
  await receiver.close();
});

failing.run();

async function stateOf(id: string): Promise<{ enabled: boolean; disabledReason: string | null } | undefined> {
  const { webhookSubscriptions } = await world.owner.client.graphql<{
    webhookSubscriptions: { nodes: { id: string; enabled: boolean; disabledReason: string | null }[] };
  }>('query($id: ID!) { webhookSubscriptions(projectId: $id) { nodes { id enabled disabledReason } } }', {
    id: world.projectId,
  });
  const found = webhookSubscriptions.nodes.find((node) => node.id === id);
  return found && { enabled: found.enabled, disabledReason: found.disabledReason };
}
