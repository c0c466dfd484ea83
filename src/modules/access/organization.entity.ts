import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { newUuid } from '../../kernel/ids.js';

@ObjectType({ description: 'A company or team: the boundary that no data crosses.' })
@Entity({ tableName: 'organization' })
export class Organization {
  @Field(() => ID)
  @PrimaryKey({ type: 'uuid' })
  id: string = newUuid();

  @Field(() => String)
  @Property({ type: 'text' })
  name!: string;

  @Field(() => Date)
  @Property({ type: 'Date' })
  createdAt!: Date;
}
