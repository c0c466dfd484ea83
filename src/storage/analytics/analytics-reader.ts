import type { Logger } from '../../kernel/logger.js';
import type { AnalyticsState } from './analytics-state.js';
import type { ClickHouse } from './clickhouse.js';

/** What ClickHouse answered, and how fresh that is. */
export interface AnalyticsAnswer<T> {
  value: T;
  /** What was answered with success before this instant is in it. */
  asOf: Date;
}

/** After a failure the store is left alone for this long. */
const PAUSE_MS = 15_000;

/** The dashboard's reads of the copy. A process without the setting has one that never answers. */
export class AnalyticsReader {
  private pausedUntil = 0;

  constructor(
    private readonly store: ClickHouse | null,
    private readonly state: AnalyticsState,
    private readonly logger: Logger,
  ) {}

  /** What `query` reads from the copy; null when PostgreSQL must be asked, because the copy is away, incomplete, or has an erasure pending. */
  async read<T>(query: (store: ClickHouse) => Promise<T>): Promise<AnalyticsAnswer<T> | null> {
    if (!this.store || performance.now() < this.pausedUntil) return null;
    const freshness = await this.state.freshness();
    if (!freshness?.answers) return null;
    try {
      await this.store.ping();
      const value = await query(this.store);
      const since = await this.state.freshness();
      return since?.answers && since.copyId === freshness.copyId ? { value, asOf: freshness.asOf } : null;
    } catch (error) {
      this.pausedUntil = performance.now() + PAUSE_MS;
      this.logger.warn({ err: error }, 'the analytics store did not answer; PostgreSQL is asked instead');
      return null;
    }
  }
}
