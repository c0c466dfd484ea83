import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { UuidEntity } from '../../../kernel/base-entity.js';

@ObjectType({ description: 'A person who signs in.' })
@Entity({ tableName: 'app_user' })
export class User extends UuidEntity {
  @Field(() => String)
  @Property({ type: 'text', unique: 'app_user_email_unique' })
  email!: string;

  @Property({ type: 'text' })
  passwordHash!: string;

  /** Sessions that began before it are over. */
  @Property({ type: 'Date' })
  passwordChangedAt!: Date;
}
