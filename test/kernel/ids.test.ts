import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newUuid, timeOfUuid } from '../../src/kernel/ids.js';

const ids = suite('ids');
const { now } = Date;

ids.after.each(() => {
  Date.now = now;
});

/** An id made while the clock is off by this many milliseconds. */
function idAt(offset: number): string {
  const right = now();
  Date.now = () => right + offset;
  return newUuid();
}

/** How far the time in an id is off. */
const aheadOf = (id: string): number => Math.abs(timeOfUuid(id).getTime() - now());

ids('sort by creation, even when the clock is set back a little', () => {
  const made = [0, 0, 2_000, 1_500, 100, 0, -1_000].map(idAt);
  assert.equal([...made].sort(), made);
});

ids('stop being ahead of time once a clock that was far ahead is corrected', () => {
  const year = 365 * 86_400_000;
  assert.ok(aheadOf(idAt(year)) > year - 60_000);
  const [first, second] = [idAt(0), idAt(0)];
  assert.ok(aheadOf(first) < 60_000, `${aheadOf(first)} ms`);
  assert.ok(first < second);
});

ids.run();
