import type { Pool } from 'pg';
import type { Clock } from '../../../kernel/clock.js';
import { allOrEach } from '../../../kernel/database/all-or-each.js';
import type { Logger } from '../../../kernel/logger.js';
import { HOUR_MS } from '../../../kernel/values/durations.js';
import { DecisionCounts, type Outcome } from './decision-counts.js';

const FLUSH_MS = 10_000;
const MOST_ROWS = 2_000;
/** Sums kept while the database accepts none. */
const MOST_PENDING = 100_000;

interface Sum extends Outcome {
  readonly hour: number;
  count: number;
}

/** Rows are locked in the order of their keys, so that processes wait for each other instead of deadlocking. */
const SAVE = `
  with reported as (
    select * from unnest($1::text[], $2::timestamptz[], $3::int[], $4::text[], $5::bigint[])
               as t(object_id, hour, version, outcome, count)
  ), used as (
    insert into decision_use as u (object_id, last_at)
    select distinct object_id, $6::timestamptz from reported order by object_id
    on conflict (object_id) do update set last_at = excluded.last_at where u.last_at < excluded.last_at
  )
  insert into decision_usage as u (object_id, hour, version, outcome, count)
  select * from reported order by object_id, hour, version, outcome
  on conflict (object_id, hour, version, outcome) do update set count = u.count + excluded.count`;

/**
 * Counts the served outcomes of flags and config items, and stores hourly sums every ten seconds: no request waits for it. Processes add
 * up. One that dies loses its last ten seconds.
 */
export class DecisionCounter {
  private readonly counted = new Set<DecisionCounts>();
  private pending = new Map<string, Sum>();
  private timer: NodeJS.Timeout | null = null;
  private saving: Promise<void> = Promise.resolve();

  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Counts answers that serve one outcome of each object: for all that is `alike` the same, for what is `varying` one of several. */
  counts(alike: readonly Outcome[], varying: readonly (readonly Outcome[])[]): DecisionCounts {
    return new DecisionCounts(alike, varying, (counts) => {
      this.counted.add(counts);
      this.flushSoon();
    });
  }

  add(outcome: Outcome): void {
    this.put(outcome, 1, this.hour());
    this.flushSoon();
  }

  /** Stores the counts; while the database is unavailable they are kept for the next time. */
  async flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const hour = this.hour();
    for (const counts of this.counted) counts.drain((outcome, count) => this.put(outcome, count, hour));
    this.counted.clear();
    this.saving = this.saving.then(() => this.save());
    await this.saving;
  }

  private flushSoon(): void {
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  private hour(): number {
    const now = this.clock.now().getTime();
    return now - (now % HOUR_MS);
  }

  private put({ objectId, version, outcome }: Outcome, count: number, hour: number): void {
    const key = `${hour} ${objectId} ${version} ${outcome}`;
    const known = this.pending.get(key);
    if (known) known.count += count;
    else if (this.pending.size < MOST_PENDING) this.pending.set(key, { objectId, version, outcome, hour, count });
  }

  private async save(): Promise<void> {
    const sums = [...this.pending.values()];
    this.pending = new Map();
    for (let from = 0; from < sums.length; from += MOST_ROWS) {
      try {
        await allOrEach(sums.slice(from, from + MOST_ROWS), this.store, ({ objectId }, error) =>
          this.logger.error({ err: error, objectId }, 'decision counts cannot be stored and were dropped'),
        );
      } catch (error) {
        this.logger.warn({ err: error }, 'decision counts could not be stored; will retry');
        for (const { count, hour, ...outcome } of sums.slice(from)) this.put(outcome, count, hour);
        this.flushSoon();
        return;
      }
    }
  }

  private readonly store = async (sums: readonly Sum[]): Promise<void> => {
    await this.pool.query({
      name: 'decision-usage',
      text: SAVE,
      values: [
        sums.map(({ objectId }) => objectId),
        sums.map(({ hour }) => new Date(hour)),
        sums.map(({ version }) => version),
        sums.map(({ outcome }) => outcome),
        sums.map(({ count }) => count),
        this.clock.now(),
      ],
    });
  };
}
