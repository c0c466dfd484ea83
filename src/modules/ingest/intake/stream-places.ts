import { BODY_BUDGET } from '../../../kernel/bodies/body-budget.js';
import { FairTurns } from '../../../kernel/turns/fair-turns.js';
import type { CopyConnection } from '../copy/copy-link.js';
import { ingestFailure } from '../ingest.errors.js';

/**
 * The connections on which large bodies are stored while they arrive. A project has one of them at most, however slowly it sends; whoever
 * finds none free waits for a while.
 */
export class StreamPlaces {
  private readonly idle: CopyConnection[];
  private readonly turns: FairTurns;

  constructor(
    private readonly connections: readonly CopyConnection[],
    longestWaitMs = BODY_BUDGET.waitMs,
  ) {
    this.idle = [...connections];
    this.turns = new FairTurns({
      places: connections.length,
      room: Number.POSITIVE_INFINITY,
      longestWaitMs,
      failure: () => ingestFailure('ingest_unavailable'),
    });
  }

  /** Does work of a project on a connection of its own. Fails with `ingest_unavailable` when none becomes free in time. */
  use<T>(projectId: string, work: (connection: CopyConnection) => Promise<T>): Promise<T> {
    return this.turns.take(projectId, async () => {
      const connection = this.idle.pop() as CopyConnection;
      try {
        return await work(connection);
      } finally {
        this.idle.push(connection);
      }
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.connections.map((connection) => connection.close()));
  }
}
