import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { OptionalProps } from '@mikro-orm/postgresql';
import { Field, Int, ObjectType } from 'type-graphql';
import { UuidEntity } from '../../../kernel/database/base-entity.js';
import { TextIndex } from '../../../kernel/database/indexes.js';
import { Node } from '../../../kernel/node.js';
import { GraphNode } from '../graph/node.js';

@GraphNode<User>({ view: 'member.view', projectOf: () => null })
@ObjectType({ implements: Node, description: 'A person who signs in.' })
@Entity({ tableName: 'app_user' })
@TextIndex('app_user_email_text_index', 'app_user', ['email'])
export class User extends UuidEntity {
  [OptionalProps]?: 'passwordSalt';

  @Field(() => String)
  @Property({ type: 'text', unique: 'app_user_email_unique' })
  email!: string;

  /** The salt of the person's passwords in all organizations, so that one hash shows which of them a password opens. */
  @Property({ type: 'uuid', defaultRaw: 'gen_random_uuid()' })
  passwordSalt!: string;

  /** For processes of the previous release, kept up to date by triggers; passwords belong to memberships. */
  @Property({ type: 'text', nullable: true, lazy: true })
  passwordHash?: string | null;

  /** Like {@link passwordHash}. */
  @Property({ type: 'Date', defaultRaw: 'now()', lazy: true })
  passwordChangedAt?: Date;

  @Field(() => Int, {
    nullable: true,
    description:
      "In the result of changePassword: how many of the user's API tokens in the organization are still valid.",
  })
  remainingApiTokens?: number | null;
}
