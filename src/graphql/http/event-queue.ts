/** Limit of events waiting for a slow client; beyond it, the subscription ends. */
const MOST_WAITING = 1_000;

/** Events on their way to one subscription, in order. The queue ends when it is closed or overflows. */
export class EventQueue<Event> implements AsyncIterableIterator<Event> {
  private readonly waiting: Event[] = [];
  private wake: ((result: IteratorResult<Event>) => void) | null = null;
  private closed = false;
  private readonly onClose: (() => void)[] = [];

  /** Returns false, and ends the queue, when it is full. */
  push(event: Event): boolean {
    if (this.closed) return false;
    if (this.wake) {
      const { wake } = this;
      this.wake = null;
      wake({ value: event, done: false });
      return true;
    }
    this.waiting.push(event);
    if (this.waiting.length > MOST_WAITING) this.close();
    return !this.closed;
  }

  /** Registers a callback for the end of the queue. */
  closing(then: () => void): void {
    if (this.closed) then();
    else this.onClose.push(then);
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.waiting.length = 0;
    this.wake?.({ value: undefined, done: true });
    for (const then of this.onClose) then();
  }

  next(): Promise<IteratorResult<Event>> {
    const event = this.waiting.shift();
    if (event !== undefined) return Promise.resolve({ value: event, done: false });
    if (this.closed) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  async return(): Promise<IteratorResult<Event>> {
    this.close();
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
