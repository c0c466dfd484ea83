import { ArgsType, Field, ID } from 'type-graphql';
import {
  BooleanFilter,
  ExactTextFilter,
  enumFilter,
  IdFilter,
  InstantFilter,
  TextFilter,
} from '../../kernel/lists/field-filters.js';
import { type List, listOf } from '../../kernel/lists/list.js';
import { listArgs } from '../../kernel/lists/list-args.js';
import { DeadLetter, DeadLetterReasonType } from './subscriptions/dead-letter.entity.js';
import { WebhookSubscription } from './subscriptions/webhook-subscription.entity.js';
import { type DeliveryStatus, DeliveryStatusType, WebhookDelivery } from './webhooks.results.js';

/** At most a hundred per project, in any order. */
export const WEBHOOK_SUBSCRIPTIONS = listOf(WebhookSubscription, {
  owner: 'projectId',
  orders: { createdAt: ['createdAt'], updatedAt: ['updatedAt'], url: ['url'] },
  usualOrder: { field: 'createdAt', direction: 'asc' },
  filters: { isEnabled: BooleanFilter, url: TextFilter, failingSince: InstantFilter, createdAt: InstantFilter },
  aliases: { enabled: 'isEnabled' },
  search: ['url', 'description'],
});

export const WebhookSubscriptionListArgs = listArgs(WEBHOOK_SUBSCRIPTIONS);

export const DEAD_LETTERS = listOf(DeadLetter, {
  owner: 'projectId',
  orders: { diedAt: ['diedAt'] },
  usualOrder: { field: 'diedAt', direction: 'desc' },
  filters: {
    subscriptionId: IdFilter,
    kind: ExactTextFilter,
    reason: enumFilter(DeadLetterReasonType, 'DeadLetterReason'),
    diedAt: InstantFilter,
  },
  mostCounted: 10_000,
});

export const DEAD_LETTERS_OF_SUBSCRIPTION: List<DeadLetter> = { ...DEAD_LETTERS, owner: 'subscriptionId' };

@ArgsType()
export class DeadLetterListArgs extends listArgs(DEAD_LETTERS) {
  @Field(() => ID, { nullable: true, deprecationReason: 'Use `filter: { subscriptionId: { eq } }`.' })
  subscriptionId?: string | null;

  @Field(() => String, { nullable: true, deprecationReason: 'Use `filter: { kind: { eq } }`.' })
  kind?: string | null;

  @Field(() => Date, { nullable: true, deprecationReason: 'Use `filter: { diedAt: { from } }`.' })
  since?: Date | null;
}

export interface WebhookDeliveriesFilter {
  status?: { eq?: DeliveryStatus | null; in?: DeliveryStatus[] | null } | null;
  kind?: ExactTextFilter | null;
  subscriptionId?: IdFilter | null;
}

/** As the arguments describe it; deliveries are in three places and are read by their own statement. */
export const DELIVERIES = listOf(WebhookDelivery, {
  owner: 'projectId',
  // Ids sort by creation.
  orders: { createdAt: ['id'] },
  usualOrder: { field: 'createdAt', direction: 'desc' },
  filters: {
    status: enumFilter(DeliveryStatusType, 'WebhookDeliveryStatus'),
    kind: ExactTextFilter,
    subscriptionId: IdFilter,
  },
});

@ArgsType()
export class WebhookDeliveryListArgs extends listArgs(DELIVERIES) {
  @Field(() => DeliveryStatusType, { nullable: true, deprecationReason: 'Use `filter: { status: { eq } }`.' })
  status?: DeliveryStatus | null;

  @Field(() => String, {
    nullable: true,
    description: 'Kind of the event.',
    deprecationReason: 'Use `filter: { kind: { eq } }`.',
  })
  kind?: string | null;
}
