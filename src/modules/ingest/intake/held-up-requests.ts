import { GroupCommit } from '../copy/group-commit.js';
import { ingestFailure } from '../ingest.errors.js';
import type { EventWriter, WriteOutcome } from './event-writer.js';
import type { IngestRequest } from './ingest-request.js';
import { openStream, type StreamPlaces } from './stream-places.js';

/** What a project may have waiting here; only a few are held up by a lock. */
const OF_A_PROJECT = { lanes: 1, groupOperations: 500, bufferedOperations: 5_000, bufferedBytes: 2 * 1024 * 1024 };

/**
 * Requests that would hold up other projects': they are gathered by project and written apart, however long each group waits for a lock.
 */
export class HeldUpRequests {
  private readonly projects = new Map<string, GroupCommit<IngestRequest, WriteOutcome>>();

  constructor(
    private readonly writer: EventWriter,
    private readonly places: StreamPlaces,
  ) {}

  /** Operations waiting or being written. */
  get depth(): number {
    return [...this.projects.values()].reduce((sum, { depth }) => sum + depth, 0);
  }

  /** Settles when the request is durable or rejected; fails with the module's errors. */
  async submit(request: IngestRequest): Promise<WriteOutcome> {
    const { projectId } = request.tenant;
    const group = this.projects.get(projectId) ?? this.groupOf(projectId);
    if (group.isFull(request)) throw ingestFailure('ingest_unavailable');
    this.projects.set(projectId, group);
    try {
      return await group.submit(request);
    } finally {
      if (group.depth === 0) this.projects.delete(projectId);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.projects.values()].map((group) => group.drain()));
    await this.places.close();
  }

  private groupOf(projectId: string): GroupCommit<IngestRequest, WriteOutcome> {
    return new GroupCommit(OF_A_PROJECT, (requests) =>
      this.places.use(projectId, async (connection) => this.writer.writeApart(await openStream(connection), requests)),
    );
  }
}
