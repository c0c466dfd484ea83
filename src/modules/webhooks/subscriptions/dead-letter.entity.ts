import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { StoredEvent } from '../../../events/stored-event.entity.js';
import { DatedEntity } from '../../../kernel/database/base-entity.js';
import { Column } from '../../../kernel/database/column.js';
import { Node } from '../../../kernel/node.js';
import { enumType } from '../../../kernel/values/enum-type.js';
import { Edge } from '../../access/graph/edge.js';
import { GraphNode } from '../../access/graph/node.js';
import { Project } from '../../access/projects/project.entity.js';
import { WebhookSubscription } from './webhook-subscription.entity.js';

/** Why a delivery was abandoned: every attempt failed, its target responded with 410, or its subscription was disabled. */
export const DeadLetterReasonType = enumType('DeadLetterReason', ['attempts_exhausted', 'gone', 'subscription_off']);

@GraphNode<DeadLetter>({ view: 'webhook.view', actions: ['webhook.manage'] })
@ObjectType({ implements: Node, description: 'An abandoned delivery; kept for 30 days and replayable.' })
@Entity({ tableName: 'webhook_dead_letter' })
@Index({ name: 'webhook_dead_letter_project_index', properties: ['projectId', 'diedAt', 'id'] })
@Index({ name: 'webhook_dead_letter_kind_index', properties: ['projectId', 'kind', 'diedAt', 'id'] })
@Index({ name: 'webhook_dead_letter_reason_index', properties: ['projectId', 'reason', 'diedAt', 'id'] })
@Index({
  name: 'webhook_dead_letter_subscription_reason_index',
  properties: ['subscriptionId', 'reason', 'diedAt', 'id'],
})
@Index({ name: 'webhook_dead_letter_delivery_index', properties: ['subscriptionId', 'id'] })
@Index({ name: 'webhook_dead_letter_delivery_kind_index', properties: ['subscriptionId', 'kind', 'id'] })
@Index({ name: 'webhook_dead_letter_subscription_died_index', properties: ['subscriptionId', 'diedAt', 'id'] })
@Index({ name: 'webhook_dead_letter_died_index', properties: ['diedAt'] })
export class DeadLetter extends DatedEntity {
  @Field(() => ID, { description: "The delivery's id; a replay keeps it." })
  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Property({ type: 'uuid' })
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @Column('text', { as: () => ID })
  subscriptionId!: string;

  @Edge(() => WebhookSubscription, 'subscriptionId')
  subscription?: WebhookSubscription;

  @Column('text', { as: () => ID, description: 'The webhook-id that receivers see.' })
  eventId!: string;

  @Edge(() => StoredEvent, 'eventId', 'The delivered event, as in the audit log.')
  event?: StoredEvent;

  @Column('text')
  kind!: string;

  @Field(() => Int)
  @Property({ type: 'smallint' })
  attempts!: number;

  @Column('text', {
    description: 'attempts_exhausted, gone (the target responded with 410) or subscription_off.',
    deprecationReason: 'Use `reasonCode`.',
  })
  @Field(() => DeadLetterReasonType, { name: 'reasonCode' })
  reason!: keyof typeof DeadLetterReasonType;

  @Column('Date')
  diedAt!: Date;
}
