import type { RowKind } from '../../../events/live-rows.js';
import type { RowTail } from '../../../events/row-tail.js';
import type { WebhookDelivery } from '../webhooks.results.js';
import { readDeliveries } from './delivery-pages.js';

/** Deliveries of a project as they change. */
export const LIVE_DELIVERIES: RowKind<WebhookDelivery> = {
  placesOf: ({ projectId }) => [projectId],
  read: ({ em }, { projectId }, ids) => readDeliveries(em, projectId, ids),
};

/** Notifies listeners of queued, attempted or abandoned deliveries, after the commit. */
export function announceDeliveries(
  tail: RowTail,
  deliveries: readonly { readonly id: string; readonly projectId: string }[],
): void {
  for (const { id, projectId } of deliveries) tail.stored(projectId, [id], 1);
}
