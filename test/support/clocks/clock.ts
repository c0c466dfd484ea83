import type { Clock } from '../../../src/kernel/clock.js';

/** A clock that stands still where a test sets it; until it is set, it runs at an offset from the real one. */
export class TestClock implements Clock {
  private fixed: number | null = null;
  private offset = 0;
  private step = 0;

  now(): Date {
    const now = new Date(this.fixed ?? Date.now() + this.offset);
    if (this.fixed !== null) this.fixed += this.step;
    return now;
  }

  /** Stops it at an instant. With a step, every reading advances it by that many milliseconds. */
  set(instant: Date | string, step = 0): void {
    this.fixed = new Date(instant).getTime();
    this.step = step;
  }

  /** Moves it forward; a running clock keeps running. */
  advance(milliseconds: number): void {
    if (this.fixed === null) this.offset += milliseconds;
    else this.fixed += milliseconds;
  }

  /** Where it stands (null while it runs) and its offset from the real clock in milliseconds. */
  protected get position(): { fixed: number | null; offset: number } {
    return { fixed: this.fixed, offset: this.offset };
  }
}
