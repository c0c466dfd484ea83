import type { Reaction } from '../../../events/dispatcher.js';
import type { RowTail } from '../../../events/row-tail.js';
import type { StoredEvent } from '../../../events/stored-event.entity.js';
import type { Context } from '../../../kernel/context.js';
import { newUuid } from '../../../kernel/ids.js';
import { announceDeliveries } from '../log/live-deliveries.js';
import { matchesPattern } from '../subscriptions/event-pattern.js';

interface Listener {
  id: string;
  organization_id: string;
  project_id: string;
  patterns: string[];
}

interface Delivery {
  id: string;
  subscriptionId: string;
  projectId: string;
  event: StoredEvent;
}

/**
 * Queues a delivery for every subscription that matches an event, in the transaction that marks the event as dispatched: each event is
 * queued once, or not yet. Events of the whole organization go to the subscriptions of all its projects.
 */
export class WebhookFanOut implements Reaction {
  readonly name = 'webhooks';

  /** @param onQueued called after the commit, when something may be due. */
  constructor(
    private readonly tail: RowTail,
    private readonly onQueued: () => void,
  ) {}

  matches(): boolean {
    return true;
  }

  async react(ctx: Context, events: readonly StoredEvent[]): Promise<void> {
    const listeners = await ctx.em.execute<Listener[]>(
      `select id, organization_id, project_id, patterns from webhook_subscription
        where is_enabled and organization_id in (?)`,
      [[...new Set(events.map(({ organizationId }) => organizationId))]],
    );
    const deliveries = events.flatMap((event) => deliveriesOf(event, listeners));
    if (deliveries.length === 0) return;
    // The lock keeps a subscription from being deleted under the rows that refer to it; a deleted one is skipped.
    await ctx.em.execute(
      `insert into webhook_queue (id, subscription_id, event_id, kind, due_at, created_at)
       select d.id, s.id, d.event_id, d.kind, ?, ?
         from unnest(array[?]::uuid[], array[?]::text[], array[?]::text[], array[?]::text[]) as d(id, subscription_id, event_id, kind)
         join webhook_subscription s on s.id = d.subscription_id and s.is_enabled
          for key share of s`,
      [
        ctx.now(),
        ctx.now(),
        deliveries.map(({ id }) => id),
        deliveries.map(({ subscriptionId }) => subscriptionId),
        deliveries.map(({ event }) => event.id),
        deliveries.map(({ event }) => event.kind),
      ],
    );
    ctx.afterCommit(() => {
      this.onQueued();
      announceDeliveries(this.tail, deliveries);
    });
  }
}

function deliveriesOf(event: StoredEvent, listeners: readonly Listener[]): Delivery[] {
  return listeners
    .filter((listener) => isSubscribed(listener, event))
    .map((listener) => ({ id: newUuid(), subscriptionId: listener.id, projectId: listener.project_id, event }));
}

function isSubscribed(listener: Listener, event: StoredEvent): boolean {
  if (event.kind === 'webhooks.subscription.tested') return event.objectId === listener.id;
  return (
    listener.organization_id === event.organizationId &&
    (event.projectId === null || event.projectId === listener.project_id) &&
    matchesPattern(listener.patterns, event.kind)
  );
}
