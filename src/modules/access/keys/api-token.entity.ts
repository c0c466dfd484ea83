import { Entity, Enum, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { ROLES, type Role } from '../../../kernel/actor.js';
import { UuidEntity } from '../../../kernel/base-entity.js';
import { RoleType } from '../people/membership.entity.js';

@ObjectType({
  description: 'A long-lived access token for automation. The token itself is shown once, when it is minted.',
})
@Entity({ tableName: 'api_token' })
export class ApiToken extends UuidEntity {
  /** Also the token's `jti`. */
  @Field(() => ID)
  @Property({ type: 'uuid', index: 'api_token_organization_index' })
  organizationId!: string;

  @Field(() => ID, { description: 'The user on whose behalf it acts.' })
  @Property({ type: 'uuid' })
  userId!: string;

  @Field(() => ID, { nullable: true, description: 'The one project that it is restricted to.' })
  @Property({ type: 'uuid', nullable: true })
  projectId: string | null = null;

  @Field(() => ID, {
    nullable: true,
    description: 'The API token that minted it; revoking that one revokes this one, too.',
  })
  @Property({ type: 'uuid', nullable: true, index: 'api_token_parent_index' })
  parentId: string | null = null;

  @Field(() => String)
  @Property({ type: 'text' })
  name!: string;

  @Field(() => RoleType)
  @Enum({ items: () => [...ROLES], type: 'text' })
  role!: Role;

  @Field(() => Date)
  @Property({ type: 'Date' })
  expiresAt!: Date;

  @Field(() => Date, { nullable: true, description: 'Last use, to within a minute.' })
  @Property({ type: 'Date', nullable: true })
  lastUsedAt: Date | null = null;

  @Field(() => Date, { nullable: true })
  @Property({ type: 'Date', nullable: true })
  revokedAt: Date | null = null;
}
