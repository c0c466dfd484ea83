import { BODY_BUDGET } from '../../../kernel/bodies/body-budget.js';
import { FairTurns } from '../../../kernel/turns/fair-turns.js';
import type { CopyConnection, CopyLink } from '../copy/copy-link.js';
import { ingestFailure } from '../ingest.errors.js';

/** Maximum waiters for their own connection; the project with most of them gives way. */
const ROOM = 16;

/** Fails with `ingest_unavailable` if the database accepts no connection. */
export const openStream = (connection: CopyConnection): Promise<CopyLink> =>
  connection.open().catch(() => Promise.reject(ingestFailure('ingest_unavailable')));

/**
 * The connections for storing large bodies, and for requests that would hold up others. A project has at most one of them; if none is free,
 * it waits for a while.
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
      room: ROOM,
      longestWaitMs,
      failure: () => ingestFailure('ingest_unavailable'),
    });
  }

  /** Does a project's work on its own connection. Fails with `ingest_unavailable` if none becomes free in time. */
  use<T>(projectId: string, work: (connection: CopyConnection) => Promise<T>, longestWaitMs?: number): Promise<T> {
    const turn = async (): Promise<T> => {
      const connection = this.idle.pop() as CopyConnection;
      try {
        return await work(connection);
      } finally {
        this.idle.push(connection);
      }
    };
    return this.turns.take(projectId, turn, longestWaitMs);
  }

  async close(): Promise<void> {
    await Promise.all(this.connections.map((connection) => connection.close()));
  }
}
