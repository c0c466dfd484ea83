import { randomBytes, scryptSync } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HashingLane } from '../../../src/modules/access/people/hashing-lane.js';
import { PasswordChecks } from '../../../src/modules/access/people/password-checks.js';
import { SignInThrottle } from '../../../src/modules/access/people/sign-in-throttle.js';
import { ProcessCounters } from '../../../src/storage/shared/counters.js';
import { TestClock } from '../../support/clocks/clock.js';

const checks = suite('password checks');

const SALT = randomBytes(16);

/** A hash that costs next to nothing. */
function cheap(password: string, salt = SALT): string {
  const key = scryptSync(password, salt, 32, { N: 2, r: 8, p: 1 });
  return ['scrypt', 2, 8, 1, salt.toString('base64url'), key.toString('base64url')].join('$');
}

function open(): (password: string, hashes: string[]) => Promise<boolean[] | string> {
  const clock = new TestClock();
  clock.set('2027-01-01T00:00:10Z');
  const made = new PasswordChecks(new HashingLane(), new SignInThrottle(new ProcessCounters(clock)));
  const attempt = { email: 'ada@example.com', network: '203.0.113.1' };
  return (password, hashes) => made.match(attempt, password, hashes).catch((error) => error.code);
}

checks('tell which accounts a password opens, with one salt or several', async () => {
  const match = open();
  const hashes = [cheap('one'), cheap('two'), cheap('two', randomBytes(16))];
  assert.equal(await match('two', hashes), [false, true, true]);
  assert.equal(await match('three', hashes), [false, false, false]);
});

checks('count a password that opens one account as a guess at the others', async () => {
  const match = open();
  const hashes = [cheap("the person's own"), cheap('chosen by the guesser')];
  for (let n = 0; n < 10; n++) assert.equal(await match('chosen by the guesser', hashes), [false, true]);
  assert.is(await match('chosen by the guesser', hashes), 'too_many_attempts');
});

checks('do not count a password that opens all of them', async () => {
  const match = open();
  for (let n = 0; n < 20; n++) assert.equal(await match('one', [cheap('one'), cheap('one')]), [true, true]);
});

checks.run();
