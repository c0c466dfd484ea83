import { BODY_BUDGET } from '../../../kernel/bodies/body-budget.js';
import { FairTurns } from '../../../kernel/turns/fair-turns.js';
import type { CopyConnection, CopyLink } from '../copy/copy-link.js';
import { ingestFailure } from '../ingest.errors.js';

/** As many may wait for a connection of their own; those of whoever has most of them give way. */
const ROOM = 16;

/** Fails with `ingest_unavailable` where the database takes no connection. */
export const openStream = (connection: CopyConnection): Promise<CopyLink> =>
  connection.open().catch(() => Promise.reject(ingestFailure('ingest_unavailable')));

/**
 * The connections on which large bodies are stored, and what would keep others waiting. A project has one of them at most; whoever finds
 * none free waits for a while.
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

  /** Does work of a project on a connection of its own. Fails with `ingest_unavailable` when none becomes free in time. */
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
