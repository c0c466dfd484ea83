/** A time limit that stands still while the thread under it waits for others. */
export class WorkingTime {
  private timer: NodeJS.Timeout | undefined;
  private startedAt = 0;
  private waits = 0;
  private ended = false;

  constructor(
    private leftMs: number,
    private readonly onReached: () => void,
  ) {
    this.start();
  }

  /** The same promise, whose time does not count. */
  async exclude<T>(wait: Promise<T>): Promise<T> {
    if (this.waits++ === 0) this.pause();
    try {
      return await wait;
    } finally {
      if (--this.waits === 0) this.start();
    }
  }

  end(): void {
    this.ended = true;
    clearTimeout(this.timer);
  }

  private start(): void {
    if (this.ended) return;
    this.startedAt = performance.now();
    this.timer = setTimeout(this.onReached, this.leftMs);
  }

  private pause(): void {
    clearTimeout(this.timer);
    this.leftMs -= performance.now() - this.startedAt;
  }
}
