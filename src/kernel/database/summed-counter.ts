import type { Logger } from '../logger.js';
import { SingleTimer } from '../turns/single-timer.js';
import { allOrEach } from './all-or-each.js';

const MOST_ROWS = 2_000;
/** Sums kept while the database accepts none. */
const MOST_PENDING = 100_000;

/**
 * Sums up counts in memory and stores the sums every `everyMs`, so that no request waits for it. Processes add up. One that dies loses
 * what it counted since.
 */
export abstract class SummedCounter<Sum extends { count: number }> {
  private pending = new Map<string, Sum>();
  private readonly timer = new SingleTimer(() => void this.flush());
  private saving: Promise<void> = Promise.resolve();

  /** `what` is counted, as the log says it. */
  constructor(
    private readonly what: string,
    private readonly everyMs: number,
    private readonly logger: Logger,
  ) {}

  /** Stores the counts; while the database is unavailable they are kept for the next time. */
  flush(): Promise<void> {
    this.timer.stop();
    this.saving = this.saving.then(() => this.save());
    return this.saving;
  }

  protected abstract keyOf(sum: Sum): string;

  protected abstract store(sums: readonly Sum[]): Promise<unknown>;

  /** Adds to the sum with the same key, which takes over the other fields. */
  protected put(sum: Sum): void {
    const key = this.keyOf(sum);
    const known = this.pending.get(key);
    if (known) Object.assign(known, sum, { count: known.count + sum.count });
    else if (this.pending.size < MOST_PENDING) this.pending.set(key, sum);
    this.flushSoon();
  }

  protected flushSoon(): void {
    this.timer.in(this.everyMs);
  }

  private async save(): Promise<void> {
    const sums = [...this.pending.values()];
    this.pending = new Map();
    for (let from = 0; from < sums.length; from += MOST_ROWS) {
      try {
        await allOrEach(
          sums.slice(from, from + MOST_ROWS),
          async (some) => void (await this.store(some)),
          (sum, error) =>
            this.logger.error({ err: error, sum: this.keyOf(sum) }, `${this.what} cannot be stored and were dropped`),
        );
      } catch (error) {
        this.logger.warn({ err: error }, `${this.what} could not be stored; will retry`);
        const newer = this.pending.values();
        this.pending = new Map();
        for (const sum of [...sums.slice(from), ...newer]) this.put(sum);
        return;
      }
    }
  }
}
