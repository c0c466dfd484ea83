import { Entity, Enum, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { ROLES, type Role } from '../../../kernel/actor.js';
import { Edge } from '../graph/edge.js';
import { Project } from '../projects/project.entity.js';
import { RoleType } from './membership.entity.js';
import { User } from './user.entity.js';

@ObjectType({ description: "A member's role in one project, instead of the organization's." })
@Entity({ tableName: 'project_role' })
@Index({ name: 'project_role_list_index', properties: ['projectId', 'createdAt'] })
@Index({ name: 'project_role_user_index', properties: ['userId', 'createdAt'] })
export class ProjectRole {
  @Field(() => ID)
  @PrimaryKey({ type: 'uuid' })
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @Field(() => ID)
  @PrimaryKey({ type: 'uuid' })
  userId!: string;

  @Edge(() => User, 'userId')
  user?: User;

  @Field(() => RoleType)
  @Enum({ items: () => [...ROLES], type: 'text' })
  role!: Role;

  @Field(() => Date)
  @Property({ type: 'Date' })
  createdAt!: Date;
}
