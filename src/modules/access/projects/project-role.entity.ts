import { Entity, Enum, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { ROLES, type Role } from '../../../kernel/actor.js';
import { RoleType } from '../people/membership.entity.js';

@ObjectType({ description: "A member's role in one project, instead of the organization's." })
@Entity({ tableName: 'project_role' })
export class ProjectRole {
  @Field(() => ID)
  @PrimaryKey({ type: 'uuid' })
  projectId!: string;

  @Field(() => ID)
  @PrimaryKey({ type: 'uuid' })
  userId!: string;

  @Field(() => RoleType)
  @Enum({ items: () => [...ROLES], type: 'text' })
  role!: Role;

  @Property({ type: 'Date' })
  createdAt!: Date;
}
