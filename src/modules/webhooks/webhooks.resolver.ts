import { Arg, Args, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/context.js';
import { connectionOf, type Page } from '../../kernel/paging.js';
import { Operation, type OperationContext, VerbContext } from '../../kernel/verb-context.js';
import { IdInput } from '../access/access.inputs.js';
import { attemptLoader } from './log/attempt-loader.js';
import { DeadLetter } from './log/dead-letter.entity.js';
import type { DeadLetterService } from './log/dead-letter.service.js';
import type { DeliveryLogService } from './log/delivery-log.service.js';
import { eventKinds } from './subscriptions/event-kinds.js';
import { WebhookSubscription } from './subscriptions/webhook-subscription.entity.js';
import type { WebhookSubscriptionService } from './subscriptions/webhook-subscription.service.js';
import {
  CreateWebhookSubscriptionInput,
  DeadLettersArgs,
  ReplayDeadLettersInput,
  UpdateWebhookSubscriptionInput,
  WebhookDeliveriesArgs,
  WebhookSubscriptionsArgs,
} from './webhooks.inputs.js';
import {
  DeletedSubscription,
  EventKindDescription,
  ReplayedDeadLetters,
  SubscriptionWithSecret,
  WebhookAttempt,
  WebhookDelivery,
  WebhookTest,
} from './webhooks.results.js';

const SubscriptionConnection = connectionOf(WebhookSubscription, 'WebhookSubscription');
const DeliveryConnection = connectionOf(WebhookDelivery, 'WebhookDelivery');
const DeadLetterConnection = connectionOf(DeadLetter, 'DeadLetter');

@Resolver(() => WebhookDelivery)
export class WebhooksResolver {
  constructor(
    private readonly subscriptions: WebhookSubscriptionService,
    private readonly log: DeliveryLogService,
    private readonly letters: DeadLetterService,
  ) {}

  @Query(() => SubscriptionConnection, { description: 'Oldest first.' })
  webhookSubscriptions(
    @VerbContext() ctx: Context,
    @Args(() => WebhookSubscriptionsArgs) args: WebhookSubscriptionsArgs,
  ): Promise<Page<WebhookSubscription>> {
    return this.subscriptions.list(ctx, args.projectId, args);
  }

  @Query(() => DeliveryConnection, { description: 'Newest first.' })
  webhookDeliveries(
    @VerbContext() ctx: Context,
    @Args(() => WebhookDeliveriesArgs) args: WebhookDeliveriesArgs,
  ): Promise<Page<WebhookDelivery>> {
    return this.log.list(ctx, args, args);
  }

  @FieldResolver(() => [WebhookAttempt], { description: 'Every attempt, in order.' })
  attemptLog(@Root() delivery: WebhookDelivery, @Operation() operation: OperationContext): Promise<WebhookAttempt[]> {
    return attemptLoader(operation, this.log).load(delivery);
  }

  @Query(() => DeadLetterConnection, { description: 'Newest first.' })
  deadLetters(
    @VerbContext() ctx: Context,
    @Args(() => DeadLettersArgs) args: DeadLettersArgs,
  ): Promise<Page<DeadLetter>> {
    return this.letters.list(ctx, args, args);
  }

  @Query(() => [EventKindDescription], { description: 'Every kind of event, with the shape of its body.' })
  eventKinds(@VerbContext() ctx: Context): EventKindDescription[] {
    return eventKinds(ctx);
  }

  @Mutation(() => SubscriptionWithSecret)
  createWebhookSubscription(
    @VerbContext() ctx: Context,
    @Arg('input', () => CreateWebhookSubscriptionInput) input: CreateWebhookSubscriptionInput,
  ): Promise<SubscriptionWithSecret> {
    return this.subscriptions.create(ctx, input);
  }

  @Mutation(() => WebhookSubscription)
  updateWebhookSubscription(
    @VerbContext() ctx: Context,
    @Arg('input', () => UpdateWebhookSubscriptionInput) input: UpdateWebhookSubscriptionInput,
  ): Promise<WebhookSubscription> {
    return this.subscriptions.update(ctx, input);
  }

  @Mutation(() => SubscriptionWithSecret, { description: 'Both secrets sign for 24 hours.' })
  rotateWebhookSecret(
    @VerbContext() ctx: Context,
    @Arg('input', () => IdInput) input: IdInput,
  ): Promise<SubscriptionWithSecret> {
    return this.subscriptions.rotateSecret(ctx, input.id);
  }

  @Mutation(() => DeletedSubscription)
  deleteWebhookSubscription(
    @VerbContext() ctx: Context,
    @Arg('input', () => IdInput) input: IdInput,
  ): Promise<DeletedSubscription> {
    return this.subscriptions.delete(ctx, input.id);
  }

  @Mutation(() => WebhookTest, { description: 'Queues a delivery of webhooks.subscription.tested.' })
  testWebhookSubscription(
    @VerbContext() ctx: Context,
    @Arg('input', () => IdInput) input: IdInput,
  ): Promise<WebhookTest> {
    return this.subscriptions.test(ctx, input.id);
  }

  @Mutation(() => WebhookDelivery)
  replayDeadLetter(@VerbContext() ctx: Context, @Arg('input', () => IdInput) input: IdInput): Promise<WebhookDelivery> {
    return this.letters.replay(ctx, input.id);
  }

  @Mutation(() => ReplayedDeadLetters, { description: 'Those of subscriptions that are off stay.' })
  replayDeadLetters(
    @VerbContext() ctx: Context,
    @Arg('input', () => ReplayDeadLettersInput) input: ReplayDeadLettersInput,
  ): Promise<ReplayedDeadLetters> {
    return this.letters.replayAll(ctx, input);
  }
}
