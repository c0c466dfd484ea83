import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DeliveryLanes, type LaneItem } from '../../../../src/modules/webhooks/delivery/delivery-lanes.js';

interface Item extends LaneItem {
  n: number;
}

const SETTINGS = { inFlight: 1_000, firstWindow: 2, widestWindow: 16, readyFactor: 4 };
const lanes = suite('delivery lanes');

lanes('an unknown endpoint gets two concurrent attempts; a timeout narrows it to one', () => {
  const one = new DeliveryLanes<Item>(SETTINGS);
  one.add(items('a', 10));
  assert.equal(started(one), ['a0', 'a1']);
  assert.equal(
    one.finished('a', 'silence').map(({ n }) => n),
    [2, 3, 4, 5, 6, 7, 8, 9],
  );
  one.add(items('a', 10));
  assert.equal(started(one), []);
  one.finished('a', 'silence');
  one.add(items('a', 10));
  assert.equal(started(one), ['a0']);
});

lanes('success opens the window up to its limit, and then more are held ready', () => {
  const one = new DeliveryLanes<Item>(SETTINGS);
  one.add(items('a', 200));
  for (let done = 0; done < 40; done++) {
    started(one);
    one.finished('a', 'success');
  }
  started(one);
  assert.is(one.inFlight, 16);
  assert.is(one.demand().perLane.get('a'), Math.max(0, 16 * 4 - one.inFlight - one.ready));
});

lanes('failures halve the window, and a lane at its narrowest returns what it held ready', () => {
  const one = new DeliveryLanes<Item>(SETTINGS);
  one.add(items('a', 20));
  for (let done = 0; done < 6; done++) {
    started(one);
    one.finished('a', 'success');
  }
  started(one);
  assert.is(one.inFlight, 8);
  assert.equal([one.finished('a', 'failure'), one.finished('a', 'failure')].flat(), []);
  assert.is(one.finished('a', 'failure').length, 6);
});

lanes('lanes take turns', () => {
  const three = new DeliveryLanes<Item>(SETTINGS);
  three.add([...items('a', 3), ...items('b', 3), ...items('c', 1)]);
  assert.equal(started(three), ['a0', 'b0', 'c0', 'a1', 'b1']);
});

lanes('a thousand endpoints that never answer leave room for one that does', () => {
  const many = new DeliveryLanes<Item>({ ...SETTINGS, inFlight: 4_096 });
  for (let endpoint = 0; endpoint < 1_000; endpoint++) many.add(items(`hang${endpoint}`, 2));
  started(many);
  assert.is(many.inFlight, 2_000);
  const demand = many.demand();
  assert.ok([...demand.perLane.values()].every((wanted) => wanted === 0));
  assert.is(demand.other, 2);
  assert.ok(demand.total > 0);
  many.add(items('healthy', 2));
  assert.equal(started(many), ['healthy0', 'healthy1']);
});

lanes('the overall limit holds, and what was not started can be taken back', () => {
  const few = new DeliveryLanes<Item>({ ...SETTINGS, inFlight: 3 });
  few.add([...items('a', 2), ...items('b', 2)]);
  assert.is(started(few).length, 3);
  assert.is(few.demand().total, 0);
  assert.is(few.takeBack().length, 1);
  assert.is(few.ready, 0);
  assert.is(few.next(), null);
});

lanes.run();

function items(subscriptionId: string, count: number): Item[] {
  return Array.from({ length: count }, (_, n) => ({ subscriptionId, n }));
}

function started(from: DeliveryLanes<Item>): string[] {
  const out: string[] = [];
  for (let item = from.next(); item !== null; item = from.next()) out.push(`${item.subscriptionId}${item.n}`);
  return out;
}
