import { FairQueue } from './fair-queue.js';

export interface FairTurnsOptions {
  /** How many run at a time, each for a different tenant. */
  places: number;
  /** Maximum waiting calls of all tenants. */
  room: number;
  longestWaitMs: number;
  failure: () => Error;
}

interface Waiter {
  admit: () => void;
  refuse: (failure: Error) => void;
}

/**
 * Limits concurrent work: each tenant gets at most one slot, tenants take turns, and no call waits long without an
 * answer.
 */
export class FairTurns {
  private readonly queue: FairQueue<Waiter>;
  private readonly served = new Set<string>();

  constructor(private readonly options: FairTurnsOptions) {
    this.queue = new FairQueue(options.room);
  }

  async take<T>(tenant: string, work: () => Promise<T>, longestWaitMs = this.options.longestWaitMs): Promise<T> {
    await this.turn(tenant, longestWaitMs);
    try {
      return await work();
    } finally {
      this.served.delete(tenant);
      this.next();
    }
  }

  /** Whether a tenant waits because others hold all the slots, not just because of its own work. */
  get isCrowded(): boolean {
    return this.served.size >= this.options.places && this.queue.tenants.some((tenant) => !this.served.has(tenant));
  }

  refuseAll(failure: Error): void {
    for (const waiter of this.queue.clear()) waiter.refuse(failure);
  }

  private turn(tenant: string, longestWaitMs: number): Promise<void> {
    const { failure } = this.options;
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        admit: () => {
          clearTimeout(timer);
          resolve();
        },
        refuse: (refusal) => {
          clearTimeout(timer);
          reject(refusal);
        },
      };
      const timer = setTimeout(() => {
        this.queue.remove(tenant, waiter);
        waiter.refuse(failure());
      }, longestWaitMs);
      this.queue.add(tenant, waiter)?.refuse(failure());
      this.next();
    });
  }

  private next(): void {
    while (this.served.size < this.options.places) {
      const next = this.queue.take((tenant) => this.served.has(tenant));
      if (!next) return;
      this.served.add(next.tenant);
      next.task.admit();
    }
  }
}
