import type { Logger } from '../../kernel/logger.js';
import type { AnalyticsState } from './analytics-state.js';
import type { ClickHouse } from './clickhouse.js';

/** ClickHouse's result and how fresh it is. */
export interface AnalyticsAnswer<T> {
  value: T;
  /** Includes everything acknowledged before this time. */
  asOf: Date;
}

const PAUSE_MS = 15_000;

/** The dashboard's reads of the copy. Without the setting, it always returns null. */
export class AnalyticsReader {
  private pausedUntil = 0;

  constructor(
    private readonly store: ClickHouse | null,
    private readonly state: AnalyticsState,
    private readonly logger: Logger,
  ) {}

  /**
   * Runs `query` on the copy; null when PostgreSQL must be used, because the copy is unavailable, incomplete, or has a
   * pending erasure.
   */
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
      this.logger.warn({ err: error }, 'the analytics store did not answer; using PostgreSQL instead');
      return null;
    }
  }
}
