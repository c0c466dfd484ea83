import { Field, ID, ObjectType } from 'type-graphql';
import type { Role } from '../../../kernel/actor.js';
import { Edge } from '../graph/edge.js';
import { Project } from '../projects/project.entity.js';
import { RoleType } from './membership.entity.js';

@ObjectType({ description: 'Who you are, where, and what you may do there.' })
export class Viewer {
  userId!: string;

  organizationId!: string;

  @Field(() => RoleType, { description: 'In the organization.' })
  role!: Role;

  @Field(() => ID, { nullable: true, description: 'The project that an API token is restricted to.' })
  projectId!: string | null;

  @Edge(() => Project, 'projectId')
  project?: Project;
}
