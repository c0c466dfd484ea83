import type { Pool } from 'pg';
import type { Clock } from '../../../kernel/clock.js';
import { SummedCounter } from '../../../kernel/database/summed-counter.js';
import type { Logger } from '../../../kernel/logger.js';
import { HOUR_MS } from '../../../kernel/values/durations.js';
import { DecisionCounts, type Outcome } from './decision-counts.js';

const FLUSH_MS = 10_000;

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

/** Counts the served outcomes of flags and config items in hourly sums. */
export class DecisionCounter extends SummedCounter<Sum> {
  private readonly counted = new Set<DecisionCounts>();

  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly clock: Clock,
    logger: Logger,
  ) {
    super('decision counts', FLUSH_MS, logger);
  }

  /** Counts answers that serve one outcome of each object: for all that is `alike` the same, for what is `varying` one of several. */
  counts(alike: readonly Outcome[], varying: readonly (readonly Outcome[])[]): DecisionCounts {
    return new DecisionCounts(alike, varying, (counts) => {
      this.counted.add(counts);
      this.flushSoon();
    });
  }

  add(outcome: Outcome): void {
    this.count(outcome, 1);
  }

  override flush(): Promise<void> {
    for (const counts of this.counted) counts.drain((outcome, count) => this.count(outcome, count));
    this.counted.clear();
    return super.flush();
  }

  protected keyOf({ hour, objectId, version, outcome }: Sum): string {
    return `${hour} ${objectId} ${version} ${outcome}`;
  }

  protected store(sums: readonly Sum[]): Promise<unknown> {
    return this.pool.query({
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
  }

  private count({ objectId, version, outcome }: Outcome, count: number): void {
    const now = this.clock.now().getTime();
    this.put({ objectId, version, outcome, hour: now - (now % HOUR_MS), count });
  }
}
