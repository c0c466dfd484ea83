import { Arg, Args, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/context.js';
import { type Deletion, deletionOf } from '../../kernel/node.js';
import type { Page } from '../../kernel/paging.js';
import { type BulkAnswer, bulkAnswerOf } from '../../kernel/refusal.js';
import { Operation, type OperationContext, VerbContext } from '../../kernel/verb-context.js';
import { IdInput, IdsInput } from '../access/ids.inputs.js';
import type { DeadLetterService } from './log/dead-letter.service.js';
import type { DeliveryLogService } from './log/delivery-log.service.js';
import type { DeliveryReplayService } from './log/delivery-replay.service.js';
import { DeadLetter } from './subscriptions/dead-letter.entity.js';
import { eventKinds } from './subscriptions/event-kinds.js';
import { WebhookSubscription } from './subscriptions/webhook-subscription.entity.js';
import type { WebhookSubscriptionService } from './subscriptions/webhook-subscription.service.js';
import { DeliveryConnection } from './webhook-connections.js';
import {
  CreateWebhookSubscriptionInput,
  ReplayDeadLettersInput,
  UpdateWebhookSubscriptionInput,
  WebhookDeliveriesArgs,
} from './webhooks.inputs.js';
import {
  EventKindDescription,
  ReplayedDeadLetters,
  SubscriptionWithSecret,
  WebhookDelivery,
  WebhookTest,
} from './webhooks.results.js';

const DeliveryBulkAnswer = bulkAnswerOf(WebhookDelivery, 'WebhookDelivery');

const DeletedSubscription = deletionOf('DeletedSubscription');

@Resolver()
export class WebhooksResolver {
  constructor(
    private readonly subscriptions: WebhookSubscriptionService,
    private readonly log: DeliveryLogService,
    private readonly letters: DeadLetterService,
    private readonly replays: DeliveryReplayService,
  ) {}

  @Query(() => WebhookSubscription)
  webhookSubscription(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<WebhookSubscription> {
    return this.subscriptions.get(ctx, id);
  }

  @Query(() => DeliveryConnection, { description: 'Newest first.' })
  webhookDeliveries(
    @Operation() operation: OperationContext,
    @Args() { projectId, subscriptionId, ...args }: WebhookDeliveriesArgs,
  ): Promise<Page<WebhookDelivery>> {
    return this.log.list(operation, projectId, args, subscriptionId);
  }

  @Query(() => WebhookDelivery)
  webhookDelivery(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<WebhookDelivery> {
    return this.log.get(ctx, id);
  }

  @Query(() => DeadLetter)
  deadLetter(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<DeadLetter> {
    return this.letters.get(ctx, id);
  }

  @Query(() => [EventKindDescription], { description: 'Every kind of event, with the schema of its body.' })
  eventKinds(@VerbContext() ctx: Context): EventKindDescription[] {
    return eventKinds(ctx);
  }

  @Mutation(() => SubscriptionWithSecret)
  createWebhookSubscription(
    @VerbContext() ctx: Context,
    @Arg('input') input: CreateWebhookSubscriptionInput,
  ): Promise<SubscriptionWithSecret> {
    return this.subscriptions.create(ctx, input);
  }

  @Mutation(() => WebhookSubscription)
  updateWebhookSubscription(
    @VerbContext() ctx: Context,
    @Arg('input') input: UpdateWebhookSubscriptionInput,
  ): Promise<WebhookSubscription> {
    return this.subscriptions.update(ctx, input);
  }

  @Mutation(() => SubscriptionWithSecret, {
    description:
      'The new secret and the one before it sign for 24 hours. Rotating again drops the one before that at once.',
  })
  rotateWebhookSecret(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<SubscriptionWithSecret> {
    return this.subscriptions.rotateSecret(ctx, input.id);
  }

  @Mutation(() => DeletedSubscription)
  deleteWebhookSubscription(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<Deletion> {
    return this.subscriptions.delete(ctx, input.id);
  }

  @Mutation(() => WebhookTest, { description: 'Queues a delivery of webhooks.subscription.tested.' })
  testWebhookSubscription(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<WebhookTest> {
    return this.subscriptions.test(ctx, input.id);
  }

  @Mutation(() => WebhookDelivery)
  replayDeadLetter(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<WebhookDelivery> {
    return this.replays.replayDeadLetter(ctx, input.id);
  }

  @Mutation(() => [DeliveryBulkAnswer], {
    description:
      'Sends deliveries again, in one transaction: abandoned and delivered ones are queued again, waiting ones are tried at once. Rejected deliveries are reported one by one.',
  })
  replayDeliveries(
    @VerbContext() ctx: Context,
    @Arg('input') { ids }: IdsInput,
  ): Promise<BulkAnswer<WebhookDelivery>[]> {
    return this.replays.replay(ctx, ids);
  }

  @Mutation(() => ReplayedDeadLetters, { description: 'Those of disabled subscriptions stay.' })
  replayDeadLetters(
    @VerbContext() ctx: Context,
    @Arg('input') input: ReplayDeadLettersInput,
  ): Promise<ReplayedDeadLetters> {
    return this.replays.replayDeadLetters(ctx, input);
  }
}
