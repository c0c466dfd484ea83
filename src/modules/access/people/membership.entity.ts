import { Entity, Index, ManyToOne, Property, Unique } from '@mikro-orm/decorators/legacy';
import { OptionalProps } from '@mikro-orm/postgresql';
import { Field, ObjectType } from 'type-graphql';
import { ROLES, type Role } from '../../../kernel/actor.js';
import { UuidEntity } from '../../../kernel/database/base-entity.js';
import { EnumColumn } from '../../../kernel/database/column.js';
import { enumFilter } from '../../../kernel/lists/field-filters.js';
import { Node } from '../../../kernel/node.js';
import { enumType } from '../../../kernel/values/enum-type.js';
import { Edge } from '../graph/edge.js';
import { GraphNode } from '../graph/node.js';
import { Organization } from '../projects/organization.entity.js';
import { User } from './user.entity.js';

export const RoleType = enumType('Role', ROLES, {
  description: 'Weakest first; each role includes the ones before it.',
});

export const RoleFilter = enumFilter(RoleType, 'Role');

@GraphNode<Membership>({
  view: 'member.view',
  actions: ['member.manage'],
  projectOf: () => null,
  organizationOf: ({ organizationId }) => organizationId,
})
@ObjectType({ implements: Node, description: 'What a user may do in an organization.' })
@Entity({ tableName: 'membership' })
@Index({ name: 'membership_list_index', properties: ['organizationId', 'createdAt', 'id'] })
@Unique({ name: 'membership_organization_user_unique', properties: ['organizationId', 'user'] })
export class Membership extends UuidEntity {
  [OptionalProps]?: 'mustChangePassword';

  @Property({ type: 'uuid' })
  organizationId!: string;

  @Edge(() => Organization, 'organizationId')
  organization?: Organization;

  @Field(() => User)
  @ManyToOne(() => User, { fieldName: 'user_id', index: 'membership_user_index' })
  user!: User;

  @EnumColumn(RoleType)
  role!: Role;

  /** The password hash of the account in this organization only; null if no password opens it. */
  @Property({ type: 'text', nullable: true })
  passwordHash: string | null = null;

  @Property({ type: 'Date', defaultRaw: 'now()' })
  passwordChangedAt!: Date;

  /** Someone else chose the password, so it can only be used to choose another. */
  @Property({ type: 'boolean', default: false })
  mustChangePassword = false;

  /** Carried by sessions, which end when it changes. Memberships that the same person created with one password share it. */
  @Property({ type: 'uuid' })
  credentialId!: string;

  /** The session that last changed the password, which continues. */
  @Property({ type: 'uuid', nullable: true })
  keptSessionId: string | null = null;
}
