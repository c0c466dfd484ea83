import { setImmediate } from 'node:timers/promises';

/** Milliseconds that work may block the event loop at a time, and in total. */
const BUDGET = { turnMs: 5, totalMs: 1_000 };

/**
 * Processes many items in short turns, serving others in between, and stops when the time is used up.
 *
 * @returns the number of processed items, at least one if there are any.
 */
export async function inTurns<T>(items: readonly T[], work: (item: T) => void): Promise<number> {
  let [done, spent] = [0, 0];
  while (done < items.length && spent < BUDGET.totalMs) {
    if (done > 0) await setImmediate();
    const began = performance.now();
    let held = 0;
    while (done < items.length && held < BUDGET.turnMs) {
      work(items[done] as T);
      done += 1;
      held = performance.now() - began;
    }
    spent += held;
  }
  return done;
}
