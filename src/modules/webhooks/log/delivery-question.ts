import { allowedBy } from '../../../kernel/lists/field-filters.js';
import type { Direction } from '../../../kernel/lists/list.js';
import { type BothWays, orderName } from '../../../kernel/paging.js';
import { DELIVERIES, type WebhookDeliveriesFilter, type WebhookDeliveryListArgs } from '../webhook-lists.js';
import type { DeliveryStatus } from '../webhooks.results.js';

/** A query on the deliveries of each owner: a project, or a subscription. Null is any. */
export interface DeliveryQuestion extends BothWays {
  of: 'project' | 'subscription';
  direction: Direction;
  statuses: readonly DeliveryStatus[] | null;
  kinds: readonly string[] | null;
  subscriptionIds: readonly string[] | null;
}

/** The combined arguments, under whichever names; all of them must match. */
export function deliveryQuestion(
  of: DeliveryQuestion['of'],
  { first, after, last, before, status, kind, filter, orderBy }: WebhookDeliveryListArgs,
  subscriptionId?: string | null,
): DeliveryQuestion {
  const wanted = filter as WebhookDeliveriesFilter | null | undefined;
  return {
    of,
    first,
    after: after ?? null,
    last: last ?? null,
    before: before ?? null,
    direction: orderBy?.direction ?? DELIVERIES.usualOrder.direction,
    statuses: allowedBy(wanted?.status, status),
    kinds: allowedBy(wanted?.kind, kind || null),
    subscriptionIds: allowedBy(wanted?.subscriptionId, subscriptionId),
  };
}

export const isImpossible = ({ statuses, kinds, subscriptionIds }: DeliveryQuestion): boolean =>
  [statuses, kinds, subscriptionIds].some((allowed) => allowed?.length === 0);

export const orderOf = ({ direction }: DeliveryQuestion): string =>
  orderName(DELIVERIES, DELIVERIES.usualOrder.field, direction);
