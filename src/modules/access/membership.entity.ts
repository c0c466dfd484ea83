import { Entity, Enum, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { ROLES, type Role } from '../../kernel/actor.js';
import { newUuid } from '../../kernel/ids.js';
import { User } from './user.entity.js';

export const RoleType = Object.fromEntries(ROLES.map((role) => [role, role])) as { [R in Role]: R };
registerEnumType(RoleType, {
  name: 'Role',
  description: 'Weakest first; each role may do what the ones before it may.',
});

@ObjectType({ description: 'What a user may do in an organization.' })
@Entity({ tableName: 'membership' })
@Unique({ name: 'membership_organization_user_unique', properties: ['organizationId', 'user'] })
export class Membership {
  @Field(() => ID)
  @PrimaryKey({ type: 'uuid' })
  id: string = newUuid();

  @Property({ type: 'uuid' })
  organizationId!: string;

  @Field(() => User)
  @ManyToOne(() => User, { fieldName: 'user_id', index: 'membership_user_index' })
  user!: User;

  @Field(() => RoleType)
  @Enum({ items: () => [...ROLES], type: 'text' })
  role!: Role;

  @Field(() => Date)
  @Property({ type: 'Date' })
  createdAt!: Date;
}
