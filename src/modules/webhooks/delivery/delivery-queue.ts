import type { Pool } from 'pg';
import type { ClaimedDelivery, DeliveredEvent, DeliverySubscription } from './claimed-delivery.js';
import type { Demand } from './delivery-lanes.js';

/** How long a claim holds, in milliseconds. A worker that dies loses its claims at once, see {@link WorkerPresence}. */
export const LEASE_MS = 60_000;

/**
 * Lanes are visited in order of subscription by a loose index scan: one index probe for every subscription with waiting deliveries, however
 * many rows it has. Each lane then provides at most what the worker can use. Rows are claimed by their places, because the planner often
 * assumes that the queue is empty when it is full, and would scan all of it for each id. Leases go by the database's clock, since those of
 * the workers may differ by more than a lease.
 */
const CLAIM = `
with recursive lane as (
  (select subscription_id, due_at from webhook_queue where subscription_id > $3 order by subscription_id, due_at limit 1)
  union all
  select next.subscription_id, next.due_at
    from lane, lateral (select q.subscription_id, q.due_at from webhook_queue q
                         where q.subscription_id > lane.subscription_id order by q.subscription_id, q.due_at limit 1) next
), taken as (
  select q.place
    from lane
    join webhook_subscription s on s.id = lane.subscription_id and s.is_enabled
    left join unnest($4::text[], $5::integer[]) as known(id, wanted) on known.id = lane.subscription_id
   cross join lateral (
     select ctid as place from webhook_queue q
      where q.subscription_id = lane.subscription_id and q.due_at <= $1 and q.leased_until <= now()
      order by q.due_at limit coalesce(known.wanted, $6) for update skip locked) q
   where lane.due_at <= $1
   limit $7
), claimed as (
  update webhook_queue q set lease_owner = $2, leased_until = now() + interval '${LEASE_MS} milliseconds'
    from taken where q.ctid = taken.place
  returning q.id, q.subscription_id, q.event_id, q.kind, q.attempts, q.earlier_attempts
)
select c.id, c.subscription_id as "subscriptionId", c.kind, c.attempts, c.earlier_attempts as "earlierAttempts",
       s.project_id as "ownerProjectId", e.id as "eventId", e.sequence, e.organization_id as "organizationId",
       e.project_id as "projectId", e.environment, e.object_type as "objectType", e.object_id as "objectId", e.data::text as data,
       e.created_at as "createdAt"
  from claimed c join webhook_subscription s on s.id = c.subscription_id join event_log e on e.id = c.event_id`;

interface ClaimRow
  extends Omit<ClaimedDelivery, 'owner' | 'projectId' | 'claimedAt' | 'event'>,
    Omit<DeliveredEvent, 'id'> {
  ownerProjectId: string;
  eventId: string;
}

/** The waiting deliveries, read without the ORM: the path of every delivery. */
export class DeliveryQueue {
  private after = '';

  constructor(private readonly pool: Pool) {}

  /** Leases what is due at `now` to `owner`, at most what the lanes demand; an interrupted walk continues where it stopped. */
  async claim(owner: number, now: Date, demand: Demand): Promise<ClaimedDelivery[]> {
    const from = this.after;
    const claimedAt = performance.now();
    const { rows } = await this.pool.query<ClaimRow>({
      name: 'webhook_claim',
      text: CLAIM,
      values: [now, owner, from, [...demand.perLane.keys()], [...demand.perLane.values()], demand.other, demand.total],
    });
    const walked = rows.map((row) => row.subscriptionId).sort();
    this.after = rows.length < demand.total ? '' : (walked.at(-1) ?? '');
    if (rows.length === 0 && from !== '') return this.claim(owner, now, demand);
    return rows.sort((a, b) => (a.id < b.id ? -1 : 1)).map((row) => claimed(row, owner, claimedAt));
  }

  /** Where to send: only active subscriptions. */
  async subscriptions(ids: readonly string[]): Promise<Map<string, DeliverySubscription>> {
    const { rows } = await this.pool.query<DeliverySubscription>({
      name: 'webhook_subscriptions',
      text: `select id, url, sealed_secret as "sealedSecret", sealed_previous_secret as "sealedPreviousSecret",
                    previous_secret_until as "previousSecretUntil", failing_since as "failingSince"
               from webhook_subscription where id = any($1) and is_enabled`,
      values: [ids],
    });
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Returns leases without an attempt. */
  async release(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    await this.pool.query(
      `update webhook_queue q set leased_until = '-infinity'
        where q.ctid = any(array(
          select held.place from unnest($1::uuid[], $2::integer[]) as t(id, owner) cross join lateral (
            select ctid as place from webhook_queue q where q.id = t.id and q.lease_owner = t.owner for update) held))`,
      [deliveries.map(({ id }) => id), deliveries.map(({ owner }) => owner)],
    );
  }
}

function claimed(
  { id, subscriptionId, ownerProjectId, kind, attempts, earlierAttempts, eventId, ...event }: ClaimRow,
  owner: number,
  claimedAt: number,
): ClaimedDelivery {
  const delivery = { id, owner, subscriptionId, projectId: ownerProjectId, kind, attempts, earlierAttempts };
  return { ...delivery, claimedAt, event: { id: eventId, ...event } };
}
