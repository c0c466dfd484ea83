import { Field, ID, ObjectType } from 'type-graphql';
import type { Role } from '../../../kernel/actor.js';
import { Edge } from '../graph/edge.js';
import { Organization } from '../projects/organization.entity.js';
import { Project } from '../projects/project.entity.js';
import { RoleType } from './membership.entity.js';
import { User } from './user.entity.js';

@ObjectType({ description: 'Who is asking, where, and what they may do there.' })
export class Viewer {
  @Field(() => User)
  user!: User;

  @Field(() => Organization, { description: 'The one that the token belongs to.' })
  organization!: Organization;

  @Field(() => RoleType, { description: 'In the organization.' })
  role!: Role;

  @Field(() => ID, { nullable: true, description: 'The one project that an API token is restricted to.' })
  projectId!: string | null;

  @Edge(() => Project, 'projectId')
  project?: Project;
}
