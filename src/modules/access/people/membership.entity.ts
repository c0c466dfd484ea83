import { Entity, Enum, ManyToOne, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { ROLES, type Role } from '../../../kernel/actor.js';
import { UuidEntity } from '../../../kernel/base-entity.js';
import { User } from './user.entity.js';

export const RoleType = Object.fromEntries(ROLES.map((role) => [role, role])) as { [R in Role]: R };
registerEnumType(RoleType, {
  name: 'Role',
  description: 'Weakest first; each role may do what the ones before it may.',
});

@ObjectType({ description: 'What a user may do in an organization.' })
@Entity({ tableName: 'membership' })
@Unique({ name: 'membership_organization_user_unique', properties: ['organizationId', 'user'] })
export class Membership extends UuidEntity {
  @Property({ type: 'uuid' })
  organizationId!: string;

  @Field(() => User)
  @ManyToOne(() => User, { fieldName: 'user_id', index: 'membership_user_index' })
  user!: User;

  @Field(() => RoleType)
  @Enum({ items: () => [...ROLES], type: 'text' })
  role!: Role;
}
