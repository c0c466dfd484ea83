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
import { BothWaysArgs, listArgs } from '../../kernel/lists/list-args.js';
import { DeadLetter, DeadLetterReasonType } from './log/dead-letter.entity.js';
import { WebhookSubscription } from './subscriptions/webhook-subscription.entity.js';
import { type DeliveryStatus, DeliveryStatusType } from './webhooks.results.js';

/** At most a hundred in a project, whatever they are ordered by. */
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

/** Deliveries stand in three places and are read by a statement of their own, newest first. */
@ArgsType()
export class WebhookDeliveryListArgs extends BothWaysArgs {
  @Field(() => DeliveryStatusType, { nullable: true })
  status?: DeliveryStatus | null;

  @Field(() => String, { nullable: true, description: 'Kind of the event.' })
  kind?: string | null;
}
