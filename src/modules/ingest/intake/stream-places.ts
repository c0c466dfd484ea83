import { BODY_BUDGET } from '../../../kernel/bodies/body-budget.js';
import type { CopyConnection } from '../copy/copy-link.js';
import { ingestFailure } from '../ingest.errors.js';

interface Waiter {
  readonly projectId: string;
  readonly admit: (connection: CopyConnection) => void;
}

/**
 * The connections on which large bodies are stored while they arrive. A project has one of them at most, however slowly it sends; who
 * finds none free waits for a while.
 */
export class StreamPlaces {
  private readonly idle: CopyConnection[];
  private readonly busy = new Set<string>();
  private waiting: Waiter[] = [];

  constructor(
    private readonly connections: readonly CopyConnection[],
    private readonly waitMs = BODY_BUDGET.waitMs,
  ) {
    this.idle = [...connections];
  }

  /** Does work of a project on a connection of its own. Fails with `ingest_unavailable` when none becomes free in time. */
  async use<T>(projectId: string, work: (connection: CopyConnection) => Promise<T>): Promise<T> {
    const connection = await this.take(projectId);
    try {
      return await work(connection);
    } finally {
      this.busy.delete(projectId);
      this.idle.push(connection);
      this.admit();
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.connections.map((connection) => connection.close()));
  }

  private take(projectId: string): Promise<CopyConnection> {
    const { promise, resolve, reject } = Promise.withResolvers<CopyConnection>();
    const waiter: Waiter = {
      projectId,
      admit: (connection) => {
        clearTimeout(timer);
        resolve(connection);
      },
    };
    const timer = setTimeout(() => {
      this.waiting = this.waiting.filter((other) => other !== waiter);
      reject(ingestFailure('ingest_unavailable'));
    }, this.waitMs);
    this.waiting.push(waiter);
    this.admit();
    return promise;
  }

  private admit(): void {
    const left: Waiter[] = [];
    for (const waiter of this.waiting) {
      const connection = this.busy.has(waiter.projectId) ? undefined : this.idle.pop();
      if (!connection) {
        left.push(waiter);
        continue;
      }
      this.busy.add(waiter.projectId);
      waiter.admit(connection);
    }
    this.waiting = left;
  }
}
