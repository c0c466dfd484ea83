import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { newUuid } from '../ids.js';

/** A stored entity with its creation time. */
@ObjectType()
@Entity({ abstract: true })
export abstract class DatedEntity {
  @Field(() => Date)
  @Property({ type: 'Date' })
  createdAt!: Date;
}

/** A dated entity whose id is a time-ordered UUID. */
@ObjectType()
@Entity({ abstract: true })
export abstract class UuidEntity extends DatedEntity {
  @Field(() => ID)
  @PrimaryKey({ type: 'uuid' })
  id: string = newUuid();
}
