import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FairTurns } from '../../src/kernel/turns/fair-turns.js';

const turns = suite('turns of tenants');

function open(longestWaitMs: number): FairTurns {
  return new FairTurns({ places: 2, room: 10, longestWaitMs, failure: () => new Error('busy') });
}

turns('give each tenant at most one slot, so that the others get theirs', async () => {
  const given = open(60_000);
  const { promise, resolve } = Promise.withResolvers<void>();
  const done: string[] = [];
  const first = given.take('a', () => promise);
  const second = given.take('a', async () => done.push('a'));
  await given.take('b', async () => done.push('b'));
  resolve();
  await Promise.all([first, second]);
  assert.equal(done, ['b', 'a']);
});

turns('reject calls that have waited too long, and serve the others', async () => {
  const given = open(20);
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = given.take('a', () => promise);
  const refused = await given.take('a', async () => 'served').catch((error: Error) => error.message);
  assert.is(refused, 'busy');
  assert.is(await given.take('b', async () => 'served'), 'served');
  resolve();
  await first;
  assert.is(await given.take('a', async () => 'served'), 'served');
});

turns('are crowded when a tenant waits for others, not just for itself', async () => {
  const given = open(60_000);
  const { promise, resolve } = Promise.withResolvers<void>();
  const served = ['a', 'b'].map((tenant) => given.take(tenant, () => promise));
  const again = given.take('a', async () => undefined);
  assert.not.ok(given.isCrowded);
  const other = given.take('c', async () => undefined);
  assert.ok(given.isCrowded);
  resolve();
  await Promise.all([...served, again, other]);
  assert.not.ok(given.isCrowded);
});

turns.run();
