import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { newUuid } from '../../kernel/ids.js';

@ObjectType({ description: 'A person who signs in.' })
@Entity({ tableName: 'app_user' })
export class User {
  @Field(() => ID)
  @PrimaryKey({ type: 'uuid' })
  id: string = newUuid();

  @Field(() => String)
  @Property({ type: 'text', unique: 'app_user_email_unique' })
  email!: string;

  @Property({ type: 'text' })
  passwordHash!: string;

  /** Sessions that began before it are over. */
  @Property({ type: 'Date' })
  passwordChangedAt!: Date;

  @Field(() => Date)
  @Property({ type: 'Date' })
  createdAt!: Date;
}
