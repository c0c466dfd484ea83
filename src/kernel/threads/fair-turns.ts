import { FairQueue } from './fair-queue.js';

interface Waiter {
  admit: () => void;
  refuse: () => void;
}

/** Work that one does at a time, in a process: tenants take turns, and nobody waits for longer than it takes to say no. */
export class FairTurns {
  private readonly queue: FairQueue<Waiter>;
  private isTaken = false;

  /**
   * @param room how many may wait
   * @param longestWaitMs how long one may wait
   * @param failure what those are refused with for whom there is no room or no turn in time
   */
  constructor(
    room: number,
    private readonly longestWaitMs: number,
    private readonly failure: () => Error,
  ) {
    this.queue = new FairQueue(room);
  }

  async take<T>(tenant: string, work: () => Promise<T>): Promise<T> {
    await this.turn(tenant);
    try {
      return await work();
    } finally {
      this.isTaken = false;
      this.next();
    }
  }

  private turn(tenant: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const refuse = () => {
        clearTimeout(timer);
        reject(this.failure());
      };
      const admit = () => {
        clearTimeout(timer);
        resolve();
      };
      const waiter: Waiter = { admit, refuse };
      const timer = setTimeout(() => {
        this.queue.remove(tenant, waiter);
        refuse();
      }, this.longestWaitMs);
      this.queue.add(tenant, waiter)?.refuse();
      this.next();
    });
  }

  private next(): void {
    if (this.isTaken) return;
    const next = this.queue.take(() => false);
    if (!next) return;
    this.isTaken = true;
    next.task.admit();
  }
}
