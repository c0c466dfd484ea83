import type DataLoader from 'dataloader';
import { textArray } from '../../../kernel/database/text-array.js';
import { loader, type OperationContext } from '../../../kernel/verb-context.js';
import type { WebhookRequest } from '../webhooks.results.js';
import type { DeliveredEvent } from './claimed-delivery.js';
import { deliveryBody } from './delivery-body.js';

const REQUESTS = Symbol('requests of webhook deliveries');

interface EventRow extends Omit<DeliveredEvent, 'createdAt'> {
  kind: string;
  createdAt: Date | string;
}

/** Loads what the deliveries of events send, by the id of the event; null for deleted events. */
export function requestLoader(operation: OperationContext): DataLoader<string, WebhookRequest | null> {
  return loader(operation, REQUESTS, async (ids: readonly string[]) => {
    const rows = await operation.current.em.execute<EventRow[]>(
      `select id, kind, sequence, organization_id as "organizationId", project_id as "projectId", environment,
         object_type as "objectType", object_id as "objectId", data::text as data, created_at as "createdAt"
        from event_log where id = any(?::text[])`,
      [textArray(ids)],
    );
    const requests = new Map(
      rows.map(({ kind, ...event }) => {
        const body = deliveryBody({ kind, event: { ...event, createdAt: new Date(event.createdAt) } });
        return [event.id, { body }];
      }),
    );
    return ids.map((id) => requests.get(id) ?? null);
  });
}
