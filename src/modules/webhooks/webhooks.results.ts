import { GraphQLJSON } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { StoredEvent } from '../../events/stored-event.entity.js';
import { Node } from '../../kernel/node.js';
import { enumType } from '../../kernel/values/enum-type.js';
import { Edge } from '../access/graph/edge.js';
import { GraphNode } from '../access/graph/node.js';
import { Project } from '../access/projects/project.entity.js';
import { WebhookSubscription } from './subscriptions/webhook-subscription.entity.js';

export const DeliveryStatusType = enumType('WebhookDeliveryStatus', ['pending', 'delivered', 'dead']);
export type DeliveryStatus = keyof typeof DeliveryStatusType;

@ObjectType({ description: 'What every attempt of a delivery sends; each is signed anew.' })
export class WebhookRequest {
  @Field(() => String, { description: 'Byte for byte.' })
  body!: string;
}

@ObjectType({ description: 'One delivery attempt.' })
export class WebhookAttempt {
  @Field(() => Int)
  number!: number;

  @Field(() => Date)
  at!: Date;

  @Field(() => Int, { nullable: true, description: 'HTTP status of the response; null if none began.' })
  status!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why no response began: timeout, dns:…, address:… or connection:….',
  })
  failure!: string | null;

  @Field(() => Int)
  latencyMs!: number;

  @Field(() => String, { description: 'The first 4 kB of the response.' })
  answer!: string;
}

@GraphNode<WebhookDelivery>({ view: 'webhook.view', actions: ['webhook.manage'] })
@ObjectType({ implements: Node, description: 'One event on its way to one subscription.' })
export class WebhookDelivery {
  @Field(() => ID)
  id!: string;

  @Field(() => ID)
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @Field(() => ID)
  subscriptionId!: string;

  @Edge(() => WebhookSubscription, 'subscriptionId')
  subscription?: WebhookSubscription;

  @Field(() => ID, { description: 'The webhook-id that receivers see.' })
  eventId!: string;

  @Edge(() => StoredEvent, 'eventId', 'The delivered event, as in the audit log.')
  event?: StoredEvent;

  @Field(() => String)
  kind!: string;

  @Field(() => DeliveryStatusType)
  status!: DeliveryStatus;

  @Field(() => Int, { description: 'Number of attempts.' })
  attempts!: number;

  @Field(() => Date, { nullable: true, description: 'When it is tried again, while it is pending.' })
  nextAttemptAt!: Date | null;

  @Field(() => Date)
  createdAt!: Date;

  @Field(() => Date, { nullable: true })
  endedAt!: Date | null;
}

@ObjectType()
export class SubscriptionWithSecret {
  @Field(() => WebhookSubscription)
  subscription!: WebhookSubscription;

  @Field(() => String, { description: 'whsec_…, for verifying signatures; shown only once.' })
  secret!: string;
}

@ObjectType()
export class WebhookTest {
  @Field(() => WebhookSubscription)
  subscription!: WebhookSubscription;

  @Field(() => ID, { description: 'The webhook-id of the requested delivery.' })
  eventId!: string;

  @Edge(() => StoredEvent, 'eventId')
  event?: StoredEvent;
}

@ObjectType()
export class ReplayedDeadLetters {
  @Field(() => Int)
  count!: number;

  @Field(() => Int, {
    description: 'How many others stay because their subscription is disabled. Enable it, then replay them.',
  })
  kept!: number;
}

@ObjectType({ description: 'A kind of event that a subscription can receive.' })
export class EventKindDescription {
  @Field(() => String)
  kind!: string;

  @Field(() => String)
  description!: string;

  @Field(() => GraphQLJSON, { description: 'JSON Schema of the body that receivers get.' })
  schema!: object;
}
