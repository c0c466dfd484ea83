import { setImmediate as nextTurn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SharedTurns } from '../../src/kernel/turns/shared-turns.js';

const turns = suite('work in shared turns of the event loop');

/** Turns whose clock stands still except while work is done, and that work. */
function begin() {
  let now = 0;
  const shared = new SharedTurns(() => now);
  const done: number[] = [];
  const run = (number: number, ms: number) =>
    shared.run(() => {
      now += ms;
      done.push(number);
      return number;
    });
  return { shared, done, run };
}

turns('work is done at once while its turn has time, and its result is there', () => {
  const { done, run } = begin();
  assert.equal([run(1, 0.5), run(2, 0.5), run(3, 5)], [1, 2, 3]);
  assert.equal(done, [1, 2, 3]);
});

turns('what does not fit is done in later turns, in order, even if shorter work arrives meanwhile', async () => {
  const { done, run } = begin();
  run(1, 3);
  const later = [run(2, 3), run(3, 1), run(4, 1), run(5, 1)];
  assert.equal(done, [1]);
  await nextTurn();
  assert.equal(done, [1, 2]);
  later.push(run(6, 0));
  await nextTurn();
  assert.equal(done, [1, 2, 3, 4]);
  await nextTurn();
  assert.equal(done, [1, 2, 3, 4, 5, 6]);
  assert.equal(await Promise.all(later), [2, 3, 4, 5, 6]);
});

turns('a turn that nobody used leaves the next its full time', async () => {
  const { done, run } = begin();
  run(1, 3);
  await nextTurn();
  await nextTurn();
  run(2, 1);
  assert.equal(done, [1, 2]);
});

turns('work that fails fails its own caller, and the rest goes on', async () => {
  const { shared, done, run } = begin();
  run(1, 3);
  const failing = Promise.resolve(
    shared.run(() => {
      throw new Error('no');
    }),
  ).catch(({ message }: Error) => message);
  const after = run(2, 0);
  assert.equal([await failing, await after, done], ['no', 2, [1, 2]]);
  assert.throws(
    () =>
      shared.run(() => {
        throw new Error('at once');
      }),
    /at once/,
  );
});

turns.run();
