import type { MaybePromise } from '../values/maybe-promise.js';

/** Milliseconds after which no more work begins in a turn of the event loop; work that has begun is finished. */
const TURN_MS = 2;

/**
 * Divides work that arrives in bursts over turns of the event loop, so that everyone else's requests and the answers of
 * the database are read in between.
 */
export class SharedTurns {
  private readonly waiting: (() => void)[] = [];
  private spentMs = 0;
  private isScheduled = false;

  /** @param now a clock in milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Does the work, in this turn if it has time left, else in a later one, in the order of the calls. */
  run<T>(work: () => T): MaybePromise<T> {
    this.scheduleNextTurn();
    if (this.waiting.length === 0 && this.spentMs < TURN_MS) return this.timed(work);
    return new Promise((resolve, reject) => {
      this.waiting.push(() => {
        try {
          resolve(this.timed(work));
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  private timed<T>(work: () => T): T {
    const began = this.now();
    try {
      return work();
    } finally {
      this.spentMs += this.now() - began;
    }
  }

  private scheduleNextTurn(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.spentMs = 0;
      let done = 0;
      while (done < this.waiting.length && this.spentMs < TURN_MS) this.waiting[done++]?.();
      this.waiting.splice(0, done);
      if (this.waiting.length > 0 || this.spentMs > 0) this.scheduleNextTurn();
    });
  }
}
