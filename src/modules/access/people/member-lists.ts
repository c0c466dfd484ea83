import { type FilterQuery, raw } from '@mikro-orm/postgresql';
import { IsOptional, MaxLength } from 'class-validator';
import { ArgsType, Field } from 'type-graphql';
import { containing } from '../../../kernel/database/like-pattern.js';
import { IdFilter, InstantFilter } from '../../../kernel/lists/field-filters.js';
import { listOf } from '../../../kernel/lists/list.js';
import { LONGEST_SEARCH, listArgs } from '../../../kernel/lists/list-args.js';
import { connectionOf } from '../../../kernel/paging.js';
import { Membership, RoleFilter } from './membership.entity.js';
import { ProjectRole } from './project-role.entity.js';

export const MEMBERS = listOf(Membership, {
  owner: 'organizationId',
  orders: { createdAt: ['createdAt'] },
  usualOrder: { field: 'createdAt', direction: 'asc' },
  filters: { role: RoleFilter, user: IdFilter, createdAt: InstantFilter },
});

@ArgsType()
export class MemberListArgs extends listArgs(MEMBERS) {
  @Field(() => String, { nullable: true, description: 'Part of the email address, case-insensitive.' })
  @IsOptional()
  @MaxLength(LONGEST_SEARCH)
  override search?: string | null;
}

export const MembershipConnection = connectionOf(Membership, 'Membership');

/** Members whose address contains the text. */
export const emailHas = (text: string): FilterQuery<Membership> => ({
  [raw('r.user_id in (select id from app_user where email ilike ?)', [containing(text)])]: [],
});

export const PROJECT_ROLES = listOf(ProjectRole, {
  owner: 'projectId',
  orders: { createdAt: ['createdAt'] },
  usualOrder: { field: 'createdAt', direction: 'asc' },
  filters: { role: RoleFilter, userId: IdFilter },
});

/** The projects in which a member has a different role. */
export const ROLES_OF_MEMBER: typeof PROJECT_ROLES = { ...PROJECT_ROLES, owner: 'userId' };

export const ProjectRoleListArgs = listArgs(PROJECT_ROLES);

export const ProjectRoleConnection = connectionOf(ProjectRole, 'ProjectRole');

export const inProjectsOf = (organizationId: string): FilterQuery<ProjectRole> => ({
  [raw('r.project_id in (select id from project where organization_id = ?)', [organizationId])]: [],
});
