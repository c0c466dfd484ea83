import { Entity, Index, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import type { Role } from '../../../kernel/actor.js';
import { UuidEntity } from '../../../kernel/database/base-entity.js';
import { Column, EnumColumn } from '../../../kernel/database/column.js';
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
  @Column('uuid')
  organizationId!: string;

  @Edge(() => Organization, 'organizationId')
  organization?: Organization;

  @Column('uuid', { description: 'The user it acts for.' })
  userId!: string;

  @Edge(() => User, 'userId')
  user?: User;

  @Column('uuid', { nullable: true, description: 'The project it is restricted to.' })
  projectId: string | null = null;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @Field(() => ID, {
    nullable: true,
    description: 'The API token that created it; revoking that one revokes this one too.',
  })
  @Property({ type: 'uuid', nullable: true, index: 'api_token_parent_index' })
  parentId: string | null = null;

  @Column('text')
  name!: string;

  @EnumColumn(RoleType)
  role!: Role;

  @Column('Date')
  expiresAt!: Date;

  @Column('Date', { nullable: true, description: 'Last use, accurate to a minute.' })
  lastUsedAt: Date | null = null;

  @Column('Date', { nullable: true })
  revokedAt: Date | null = null;
}
