import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildWorld } from '../../../support/factories/factories.js';
import { buildFlag } from '../../../support/factories/flag-factory.js';
import { buildSubscription } from '../../../support/factories/webhook-factory.js';
import { ownMilliseconds } from '../../../support/processor-time.js';
import { openDeliveryApp } from '../../../support/receivers/delivery-app.js';
import { answer, hostileReceiver } from '../../../support/receivers/hostile-receiver.js';

const HALTS = 8;

const bodies = suite('the bodies of deliveries');

bodies('take time in proportion to what callers wrote, and contain no address', async () => {
  const test = await openDeliveryApp();
  const receiver = await hostileReceiver(answer(200));
  try {
    const world = await buildWorld(test);
    await buildSubscription(world, receiver.url, ['switch.flag.halted']);
    const letters = 'a'.repeat(60_000);
    for (let halt = 0; halt < HALTS; halt++) {
      const { key } = await buildFlag(world);
      const reason = `${letters} @ told ada@example.com and grace%40example.com`;
      assert.is((await world.live.post('/api/switch/halt-webhook', { flag_key: key, reason })).status, 200);
    }
    // In time that grows with the square of the length, the halts together would take ten seconds.
    const spent = await ownMilliseconds(() => test.settle(), 1);
    assert.ok(spent < 5_000, `${spent} ms`);
    const reasons = receiver.requests.map(({ body }) => (JSON.parse(body) as { data: { reason: string } }).data.reason);
    assert.equal(reasons, Array(HALTS).fill(`${letters} @ told [redacted] and [redacted]`));
  } finally {
    await receiver.close();
    await test.close();
  }
});

bodies.run();
