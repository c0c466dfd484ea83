import { SingleTimer } from '../../../kernel/turns/single-timer.js';

const TICK_MS = 20;

/**
 * Visits many listeners one after the other, over a window, so that their responses don't all come at once. Another run before the end
 * starts with those not yet visited, and they are visited no later than they would have been. If the process is busy, for example with the
 * visited listeners' requests, a late turn visits all who are due by then.
 */
export class Spread<Listener> {
  private waiting: Listener[] = [];
  private at = 0;
  private perMs = 0;
  private begunAt = 0;
  private endsAt = 0;
  private readonly timer = new SingleTimer(() => this.step());

  constructor(
    private readonly listeners: ReadonlySet<Listener>,
    private readonly visit: (listener: Listener) => void,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Visits all listeners within `windowMs`; a window shorter than 20 ms counts as none. */
  run(windowMs: number): void {
    const late = this.waiting.slice(this.at).filter((listener) => this.listeners.has(listener));
    this.begunAt = this.nowMs();
    const left = Math.max(TICK_MS, this.endsAt - this.begunAt);
    const known = new Set(late);
    this.waiting = [...late, ...[...this.listeners].filter((listener) => !known.has(listener))];
    this.at = 0;
    this.perMs = Math.max(this.waiting.length / Math.max(TICK_MS, windowMs), late.length / left);
    this.endsAt = this.begunAt + windowMs;
    this.step();
    if (this.at < this.waiting.length) this.timer.every(TICK_MS);
  }

  stop(): void {
    this.timer.stop();
    this.waiting = [];
    this.at = 0;
  }

  private step(): void {
    const due = Math.ceil((this.nowMs() - this.begunAt + TICK_MS) * this.perMs);
    const end = Math.min(this.waiting.length, due);
    while (this.at < end) this.visit(this.waiting[this.at++] as Listener);
    if (this.at >= this.waiting.length) this.stop();
  }
}
