import type DataLoader from 'dataloader';
import { FieldResolver, Resolver, Root } from 'type-graphql';
import type { ListArgs } from '../../kernel/lists/list-args.js';
import type { Page } from '../../kernel/paging.js';
import { loader, Operation, type OperationContext } from '../../kernel/verb-context.js';
import { ListField, ProjectList } from '../access/graph/list-fields.js';
import { Project } from '../access/projects/project.entity.js';
import { requestLoader } from './delivery/request-loader.js';
import type { DeadLetterService } from './log/dead-letter.service.js';
import type { DeliveryKey, DeliveryLogService } from './log/delivery-log.service.js';
import { DeadLetter } from './subscriptions/dead-letter.entity.js';
import { WebhookSubscription } from './subscriptions/webhook-subscription.entity.js';
import type { WebhookSubscriptionService } from './subscriptions/webhook-subscription.service.js';
import { DeadLetterConnection, DeliveryConnection, SubscriptionConnection } from './webhook-connections.js';
import { DeadLetterListArgs, WebhookDeliveryListArgs, WebhookSubscriptionListArgs } from './webhook-lists.js';
import { WebhookAttempt, WebhookDelivery, WebhookRequest } from './webhooks.results.js';

const REQUEST = { nullable: true, description: 'What every attempt sends; null if the event is no longer kept.' };
const ATTEMPT_LOG = { description: 'Every attempt, in order.' };

@Resolver(() => Project)
export class ProjectWebhooksResolver {
  constructor(
    private readonly subscriptions: WebhookSubscriptionService,
    private readonly log: DeliveryLogService,
    private readonly letters: DeadLetterService,
  ) {}

  @ProjectList(() => SubscriptionConnection, WebhookSubscriptionListArgs, { nullable: true, query: 'Oldest first.' })
  webhookSubscriptions(
    operation: OperationContext,
    projectId: string,
    args: ListArgs,
  ): Promise<Page<WebhookSubscription>> {
    return this.subscriptions.list(operation, projectId, args);
  }

  @ListField(() => DeliveryConnection, WebhookDeliveryListArgs, { nullable: true, description: 'Newest first.' })
  webhookDeliveries(
    operation: OperationContext,
    { id }: Project,
    args: WebhookDeliveryListArgs,
  ): Promise<Page<WebhookDelivery>> {
    return this.log.list(operation, id, args);
  }

  @ProjectList(() => DeadLetterConnection, DeadLetterListArgs, { nullable: true, query: 'Newest first.' })
  deadLetters(operation: OperationContext, projectId: string, args: DeadLetterListArgs): Promise<Page<DeadLetter>> {
    return this.letters.list(operation, projectId, args);
  }
}

@Resolver(() => WebhookSubscription)
export class WebhookSubscriptionFields {
  constructor(
    private readonly log: DeliveryLogService,
    private readonly letters: DeadLetterService,
  ) {}

  @ListField(() => DeliveryConnection, WebhookDeliveryListArgs, { description: 'Newest first.' })
  deliveries(
    operation: OperationContext,
    subscription: WebhookSubscription,
    args: WebhookDeliveryListArgs,
  ): Promise<Page<WebhookDelivery>> {
    return this.log.ofSubscription(operation, subscription, args);
  }

  @ListField(() => DeadLetterConnection, DeadLetterListArgs)
  deadLetters(
    operation: OperationContext,
    subscription: WebhookSubscription,
    args: DeadLetterListArgs,
  ): Promise<Page<DeadLetter>> {
    return this.letters.ofSubscription(operation, subscription, args);
  }
}

@Resolver(() => WebhookDelivery)
export class WebhookDeliveryFields {
  constructor(private readonly log: DeliveryLogService) {}

  @FieldResolver(() => [WebhookAttempt], ATTEMPT_LOG)
  attemptLog(@Root() delivery: WebhookDelivery, @Operation() operation: OperationContext): Promise<WebhookAttempt[]> {
    return attemptLoader(operation, this.log).load(delivery);
  }

  @FieldResolver(() => WebhookRequest, REQUEST)
  request(
    @Root() { eventId }: WebhookDelivery,
    @Operation() operation: OperationContext,
  ): Promise<WebhookRequest | null> {
    return requestLoader(operation).load(eventId);
  }
}

@Resolver(() => DeadLetter)
export class DeadLetterFields {
  constructor(private readonly log: DeliveryLogService) {}

  @FieldResolver(() => [WebhookAttempt], ATTEMPT_LOG)
  attemptLog(@Root() letter: DeadLetter, @Operation() operation: OperationContext): Promise<WebhookAttempt[]> {
    return attemptLoader(operation, this.log).load(letter);
  }

  @FieldResolver(() => WebhookRequest, REQUEST)
  request(@Root() { eventId }: DeadLetter, @Operation() operation: OperationContext): Promise<WebhookRequest | null> {
    return requestLoader(operation).load(eventId);
  }
}

const ATTEMPTS = Symbol('attempts of webhook deliveries');

function attemptLoader(
  operation: OperationContext,
  log: DeliveryLogService,
): DataLoader<DeliveryKey, WebhookAttempt[], string> {
  return loader(
    operation,
    ATTEMPTS,
    (keys) => log.attempts(operation.current, keys),
    ({ id }) => id,
  );
}
