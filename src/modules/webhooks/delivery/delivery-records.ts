import type { Pool } from 'pg';
import type { RowTail } from '../../../events/row-tail.js';
import { storableText } from '../../../kernel/text.js';
import { announceDeliveries } from '../log/live-deliveries.js';
import type { ClaimedDelivery } from './claimed-delivery.js';
import type { AttemptResult } from './delivery-transport.js';
import type { Verdict } from './retry-schedule.js';

/** Maximum attempt count of an endlessly replayed delivery: the limit of its column. */
const MOST_ATTEMPTS = 32_767;

/** A finished attempt and what follows from it. */
export interface EndedAttempt {
  delivery: ClaimedDelivery;
  result: AttemptResult;
  verdict: Verdict;
  /** End of the attempt. */
  at: Date;
  /** Whether the subscription was marked as failing when the attempt began. */
  wasFailing: boolean;
}

/** A subscription whose deliveries have all failed since an instant. */
export interface FailingSubscription {
  id: string;
  since: Date;
}

/**
 * One statement for a whole batch: every attempt is logged; delivered ones leave the queue, dead ones move to the dead letters, the rest
 * returns with its next due time. Rows that another worker has leased in the meantime stay unchanged. Rows are found one by one and then
 * identified by their places, because the planner often assumes that the queue is empty when it is full.
 */
const SETTLE = `
with ended as (
  select * from unnest($1::integer[], $2::uuid[], $3::smallint[], $4::text[], $5::timestamptz[], $6::smallint[], $7::text[],
                       $8::integer[], $9::text[], $10::text[], $11::timestamptz[], $12::text[], $13::text[], $14::text[])
    as t(owner, id, number, outcome, at, status, failure, latency_ms, answer, reason, due_at, subscription_id, event_id, kind)
), held as (
  select e.*, q.place from ended e cross join lateral (
    select ctid as place from webhook_queue q where q.id = e.id and q.lease_owner = e.owner for update) q
), logged as (
  insert into webhook_attempt (delivery_id, number, subscription_id, event_id, kind, at, status, failure, latency_ms, answer, outcome)
  select id, number, subscription_id, event_id, kind, at, status, failure, latency_ms, answer, outcome from ended
), closed as (
  delete from webhook_queue q where q.ctid = any(array(select place from held where outcome <> 'retry'))
  returning q.id, q.subscription_id, q.event_id, q.kind, q.created_at
), buried as (
  insert into webhook_dead_letter (id, project_id, subscription_id, event_id, kind, attempts, reason, created_at, died_at)
  select c.id, s.project_id, c.subscription_id, c.event_id, c.kind, e.number, e.reason, c.created_at, e.at
    from closed c join ended e on e.id = c.id and e.outcome = 'dead' join webhook_subscription s on s.id = c.subscription_id
  on conflict do nothing
), returned as (
  update webhook_queue q
     set leased_until = '-infinity', (attempts, due_at) = (select e.number, e.due_at from ended e where e.id = q.id)
   where q.ctid = any(array(select place from held where outcome = 'retry'))
)
select id from ended where outcome = 'delivered' and not exists (select from held where held.id = ended.id)`;

/** A delivery that was in progress when its subscription was switched off has arrived after all. */
const UNEARTH = 'delete from webhook_dead_letter where id = any($1)';

const MARK_FAILING = `
update webhook_subscription s set failing_since = t.at from unnest($1::text[], $2::timestamptz[]) as t(id, at)
 where s.id = t.id and s.failing_since is null`;
const MARK_WELL =
  'update webhook_subscription set failing_since = null where id = any($1) and failing_since is not null';
const STILL_FAILING =
  'select id, failing_since as since from webhook_subscription where id = any($1) and failing_since is not null';

export class DeliveryRecords {
  /** Subscriptions that this process has marked as failing. */
  private readonly failing = new Set<string>();

  constructor(
    private readonly pool: Pool,
    private readonly tail: RowTail,
  ) {}

  async record(ended: readonly EndedAttempt[]): Promise<void> {
    const settled = await this.pool.query<{ id: string }>({
      name: 'webhook_settle',
      text: SETTLE,
      values: columns(ended),
    });
    if (settled.rows.length > 0) await this.pool.query(UNEARTH, [settled.rows.map(({ id }) => id)]);
    announceDeliveries(
      this.tail,
      ended.map(({ delivery }) => delivery),
    );
  }

  /**
   * Marks the subscriptions of these attempts as failing, or as recovered.
   *
   * @returns the failing ones, each with the instant since which nothing has succeeded.
   */
  async markHealth(ended: readonly EndedAttempt[]): Promise<FailingSubscription[]> {
    const failedAt = new Map<string, Date>();
    const well = new Set<string>();
    for (const { delivery, verdict, at, wasFailing } of ended) {
      if (verdict.kind === 'delivered') {
        if (wasFailing || this.failing.has(delivery.subscriptionId) || failedAt.has(delivery.subscriptionId))
          well.add(delivery.subscriptionId);
        failedAt.delete(delivery.subscriptionId);
      } else if (!well.has(delivery.subscriptionId) && !failedAt.has(delivery.subscriptionId)) {
        failedAt.set(delivery.subscriptionId, at);
      }
    }
    if (well.size > 0) await this.pool.query({ name: 'webhook_well', text: MARK_WELL, values: [[...well]] });
    for (const id of well) this.failing.delete(id);
    if (failedAt.size === 0) return [];
    const ids = [...failedAt.keys()];
    for (const id of ids) this.failing.add(id);
    await this.pool.query(MARK_FAILING, [ids, [...failedAt.values()]]);
    const { rows } = await this.pool.query<FailingSubscription>(STILL_FAILING, [ids]);
    return rows;
  }
}

function columns(ended: readonly EndedAttempt[]): unknown[][] {
  return [
    ended.map(({ delivery }) => delivery.owner),
    ended.map(({ delivery }) => delivery.id),
    ended.map(({ delivery }) => Math.min(delivery.attempts + 1, MOST_ATTEMPTS)),
    ended.map(({ verdict }) => verdict.kind),
    ended.map(({ at }) => at),
    ended.map(({ result }) => result.status),
    ended.map(({ result }) => result.failure),
    ended.map(({ result }) => result.latencyMs),
    ended.map(({ result }) => storableText(result.answer)),
    ended.map(({ verdict }) => (verdict.kind === 'dead' ? verdict.reason : null)),
    ended.map(({ verdict }) => (verdict.kind === 'retry' ? new Date(verdict.at) : null)),
    ended.map(({ delivery }) => delivery.subscriptionId),
    ended.map(({ delivery }) => delivery.event.id),
    ended.map(({ delivery }) => delivery.kind),
  ];
}
