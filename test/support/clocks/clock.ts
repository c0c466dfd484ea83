import type { Clock } from '../../../src/kernel/clock.js';

/** A clock that stands where a test puts it, or runs `offset` beside the real one until it is put. */
export class TestClock implements Clock {
  private fixed: number | null = null;
  private offset = 0;
  private step = 0;

  now(): Date {
    const now = new Date(this.fixed ?? Date.now() + this.offset);
    if (this.fixed !== null) this.fixed += this.step;
    return now;
  }

  /** Stops it at an instant; with a step, every reading moves it on by so many milliseconds. */
  set(instant: Date | string, step = 0): void {
    this.fixed = new Date(instant).getTime();
    this.step = step;
  }

  /** Moves it forward; a running clock goes on running. */
  advance(milliseconds: number): void {
    if (this.fixed === null) this.offset += milliseconds;
    else this.fixed += milliseconds;
  }

  /** Where it stands, null while it runs, and how far beside the real clock it runs, in milliseconds. */
  protected get position(): { fixed: number | null; offset: number } {
    return { fixed: this.fixed, offset: this.offset };
  }
}
