import type { ClientBase, Pool } from 'pg';
import { newPrefixedId, newUuid } from '../../../src/kernel/ids.js';

/**
 * Stores events for a subscription's project with a waiting delivery for each, as fan-out leaves them. Returns the
 * events' ids, which receivers see as `webhook-id`.
 */
export async function queueDeliveries(
  database: ClientBase | Pool,
  subscriptionId: string,
  count: number,
): Promise<string[]> {
  const events = Array.from({ length: count }, () => newPrefixedId('evt'));
  const data = { item_id: newUuid(), key: 'checkout.button.color'.repeat(10), version: 3 };
  await database.query(
    `insert into event_log (id, kind, organization_id, project_id, environment, object_type, object_id, actor_id, actor_email,
                            request_id, data, created_at, dispatched_at)
     select event.id, 'config.item.changed', s.organization_id, s.project_id, 'live', 'config_item', event.id, 'system:test', '',
            '', $3, now(), now()
       from webhook_subscription s, unnest($2::text[]) as event(id) where s.id = $1`,
    [subscriptionId, events, data],
  );
  await database.query(
    `insert into webhook_queue (id, subscription_id, event_id, kind, due_at, created_at)
     select d.id, $1, d.event_id, 'config.item.changed', now(), now() from unnest($2::uuid[], $3::text[]) as d(id, event_id)`,
    [subscriptionId, events.map(() => newUuid()), events],
  );
  await database.query('analyze webhook_queue, event_log');
  return events;
}
