import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { UuidEntity } from '../../../kernel/base-entity.js';

@ObjectType({ description: 'A company or team: the boundary that no data crosses.' })
@Entity({ tableName: 'organization' })
export class Organization extends UuidEntity {
  @Field(() => String)
  @Property({ type: 'text' })
  name!: string;
}
