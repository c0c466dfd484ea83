import { Entity, Enum, Index, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { ROLES, type Role } from '../../../kernel/actor.js';
import { UuidEntity } from '../../../kernel/database/base-entity.js';
import { Node } from '../../../kernel/node.js';
import { Edge } from '../graph/edge.js';
import { RoleType } from '../people/membership.entity.js';
import { User } from '../people/user.entity.js';
import { Organization } from '../projects/organization.entity.js';
import { Project } from '../projects/project.entity.js';

@ObjectType({
  implements: Node,
  description: 'A long-lived access token for automation. The token itself is shown only once, when it is created.',
})
@Entity({ tableName: 'api_token' })
@Index({ name: 'api_token_list_index', properties: ['organizationId', 'createdAt', 'id'] })
@Index({ name: 'api_token_expiry_index', properties: ['organizationId', 'expiresAt', 'id'] })
@Index({ name: 'api_token_project_index', properties: ['projectId', 'createdAt', 'id'] })
export class ApiToken extends UuidEntity {
  /** Also the token's `jti`. */
  @Field(() => ID)
  @Property({ type: 'uuid' })
  organizationId!: string;

  @Edge(() => Organization, 'organizationId')
  organization?: Organization;

  @Field(() => ID, { description: 'The user it acts for.' })
  @Property({ type: 'uuid' })
  userId!: string;

  @Edge(() => User, 'userId')
  user?: User;

  @Field(() => ID, { nullable: true, description: 'The project it is restricted to.' })
  @Property({ type: 'uuid', nullable: true })
  projectId: string | null = null;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @Field(() => ID, {
    nullable: true,
    description: 'The API token that created it; revoking that one revokes this one too.',
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

  @Field(() => Date, { nullable: true, description: 'Last use, accurate to a minute.' })
  @Property({ type: 'Date', nullable: true })
  lastUsedAt: Date | null = null;

  @Field(() => Date, { nullable: true })
  @Property({ type: 'Date', nullable: true })
  revokedAt: Date | null = null;
}
