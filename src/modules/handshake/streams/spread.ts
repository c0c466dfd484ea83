const TICK_MS = 20;

/**
 * Visits many listeners one after the other, over a window, so that what they do upon it does not come all at once. A further run
 * before the end begins with those who were not visited yet, and they are visited no later than they would have been.
 */
export class Spread<Listener> {
  private waiting: Listener[] = [];
  private at = 0;
  private perTick = 0;
  private endsAt = 0;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly listeners: ReadonlySet<Listener>,
    private readonly visit: (listener: Listener) => void,
  ) {}

  /** Visits all listeners within `windowMs`; a window shorter than 20 ms is none. */
  run(windowMs: number): void {
    const late = this.waiting.slice(this.at).filter((listener) => this.listeners.has(listener));
    const left = Math.max(TICK_MS, this.endsAt - performance.now());
    const known = new Set(late);
    this.waiting = [...late, ...[...this.listeners].filter((listener) => !known.has(listener))];
    this.at = 0;
    const ticks = Math.max(1, windowMs / TICK_MS);
    this.perTick = Math.max(Math.ceil(this.waiting.length / ticks), Math.ceil((late.length * TICK_MS) / left));
    this.endsAt = performance.now() + windowMs;
    this.step();
    if (this.at < this.waiting.length) this.timer ??= setInterval(() => this.step(), TICK_MS).unref();
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    this.waiting = [];
    this.at = 0;
  }

  private step(): void {
    const end = Math.min(this.waiting.length, this.at + this.perTick);
    while (this.at < end) this.visit(this.waiting[this.at++] as Listener);
    if (this.at >= this.waiting.length) this.stop();
  }
}
