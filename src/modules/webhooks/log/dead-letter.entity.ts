import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DatedEntity } from '../../../kernel/base-entity.js';

@ObjectType({ description: 'A delivery that was given up; kept for 30 days and replayable.' })
@Entity({ tableName: 'webhook_dead_letter' })
@Index({ name: 'webhook_dead_letter_project_index', properties: ['projectId', 'diedAt', 'id'] })
@Index({ name: 'webhook_dead_letter_subscription_index', properties: ['subscriptionId'] })
@Index({ name: 'webhook_dead_letter_died_index', properties: ['diedAt'] })
export class DeadLetter extends DatedEntity {
  @Field(() => ID, { description: "The delivery's id; a replay keeps it." })
  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Property({ type: 'uuid' })
  projectId!: string;

  @Field(() => ID)
  @Property({ type: 'text' })
  subscriptionId!: string;

  @Field(() => ID, { description: 'The webhook-id that receivers see.' })
  @Property({ type: 'text' })
  eventId!: string;

  @Field(() => String)
  @Property({ type: 'text' })
  kind!: string;

  @Field(() => Int)
  @Property({ type: 'smallint' })
  attempts!: number;

  @Field(() => String, { description: 'attempts_exhausted, gone (the target answered 410) or subscription_off.' })
  @Property({ type: 'text' })
  reason!: string;

  @Field(() => Date)
  @Property({ type: 'Date' })
  diedAt!: Date;
}
