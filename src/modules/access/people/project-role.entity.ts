import { Entity, Index } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import type { Role } from '../../../kernel/actor.js';
import { Column, EnumColumn, IdColumn } from '../../../kernel/database/column.js';
import { Edge } from '../graph/edge.js';
import { Project } from '../projects/project.entity.js';
import { RoleType } from './membership.entity.js';
import { User } from './user.entity.js';

@ObjectType({ description: "A member's role in one project, instead of the organization's." })
@Entity({ tableName: 'project_role' })
@Index({ name: 'project_role_list_index', properties: ['projectId', 'createdAt'] })
@Index({ name: 'project_role_user_index', properties: ['userId', 'createdAt'] })
export class ProjectRole {
  @IdColumn('uuid')
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @IdColumn('uuid')
  userId!: string;

  @Edge(() => User, 'userId')
  user?: User;

  @EnumColumn(RoleType)
  role!: Role;

  @Column('Date')
  createdAt!: Date;
}
