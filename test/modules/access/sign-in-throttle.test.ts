import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { networkOf } from '../../../src/kernel/requests/client-address.js';
import { type Attempt, SignInThrottle } from '../../../src/modules/access/people/sign-in-throttle.js';
import { ProcessCounters } from '../../../src/storage/shared/counters.js';
import { TestClock } from '../../support/clocks/clock.js';

const throttle = suite('sign-in throttle');

const attempt = (email: string, address: string): Attempt => ({ email, network: networkOf(address) });

/** How many failing attempts are let through before the first refusal. */
async function letThrough(attempts: Iterable<Attempt>, clock = new TestClock()): Promise<number> {
  clock.set('2027-01-01T00:00:10Z');
  const guarded = new SignInThrottle(new ProcessCounters(clock));
  let passed = 0;
  for (const one of attempts) {
    const refused = await guarded.check(one).then(
      () => null,
      (error) => error.code,
    );
    if (refused !== null) {
      assert.is(refused, 'too_many_attempts');
      return passed;
    }
    await guarded.fail(one);
    passed += 1;
  }
  return passed;
}

function* many(make: (n: number) => Attempt): Generator<Attempt> {
  for (let n = 0; n < 200; n++) yield make(n);
}

throttle('by email and address together: 10 a minute', async () => {
  assert.is(await letThrough(many(() => attempt('ada@example.com', '203.0.113.1'))), 10);
});

throttle('by address, whatever the email: 30', async () => {
  assert.is(await letThrough(many((n) => attempt(`${n}@example.com`, '203.0.113.1'))), 30);
});

throttle('only until the minute is over', async () => {
  const clock = new TestClock();
  const attempts = function* (): Generator<Attempt> {
    for (let n = 0; n < 30; n++) {
      if (n === 10) clock.set('2027-01-01T00:01:00Z');
      yield attempt('ada@example.com', '203.0.113.1');
    }
  };
  assert.is(await letThrough(attempts(), clock), 20);
});

throttle('by email, from any address: 100', async () => {
  assert.is(await letThrough(many((n) => attempt('ada@example.com', `203.0.113.${n}`))), 100);
});

throttle('an IPv6 /64 network counts as one address', async () => {
  assert.is(await letThrough(many((n) => attempt('ada@example.com', `2001:db8::${n.toString(16)}`))), 10);
  assert.is(await letThrough(many((n) => attempt('ada@example.com', `2001:db8:0:${n.toString(16)}::1`))), 100);
});

throttle("an email that reads like another counter's key does not count towards it", async () => {
  const forged = function* (): Generator<Attempt> {
    for (let n = 0; n < 10; n++) yield attempt('ada@example.com 203.0.113.1', '198.51.100.1');
    for (let n = 0; n < 10; n++) yield attempt('203.0.113.1 ada@example.com', '198.51.100.2');
    yield attempt('ada@example.com', '203.0.113.1');
  };
  assert.is(await letThrough(forged()), 21);
});

throttle.run();
