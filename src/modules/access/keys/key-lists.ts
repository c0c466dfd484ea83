import { ArgsType, Field } from 'type-graphql';
import { IdFilter, InstantFilter, TextFilter } from '../../../kernel/lists/field-filters.js';
import { listOf } from '../../../kernel/lists/list.js';
import { listArgs } from '../../../kernel/lists/list-args.js';
import { connectionOf } from '../../../kernel/paging.js';
import { EnvironmentFilter } from '../environment.js';
import { RoleFilter } from '../people/membership.entity.js';
import { ApiToken } from './api-token.entity.js';
import { DeployToken } from './deploy-token.entity.js';
import { ProjectKey } from './project-key.entity.js';

export const PROJECT_KEYS = listOf(ProjectKey, {
  owner: 'projectId',
  orders: { createdAt: ['createdAt'], name: ['name'] },
  usualOrder: { field: 'createdAt', direction: 'desc' },
  filters: {
    environment: EnvironmentFilter,
    name: TextFilter,
    createdAt: InstantFilter,
    lastUsedAt: InstantFilter,
    revokedAt: InstantFilter,
  },
  search: ['name', 'hint'],
});

export const DEPLOY_TOKENS = listOf(DeployToken, {
  owner: 'projectId',
  orders: { createdAt: ['createdAt'], name: ['name'] },
  usualOrder: { field: 'createdAt', direction: 'desc' },
  filters: { name: TextFilter, createdAt: InstantFilter, lastUsedAt: InstantFilter, revokedAt: InstantFilter },
  search: ['name', 'hint'],
});

export const API_TOKENS = listOf(ApiToken, {
  owner: 'organizationId',
  orders: { createdAt: ['createdAt'], expiresAt: ['expiresAt'] },
  usualOrder: { field: 'createdAt', direction: 'desc' },
  filters: {
    userId: IdFilter,
    projectId: IdFilter,
    role: RoleFilter,
    createdAt: InstantFilter,
    expiresAt: InstantFilter,
    lastUsedAt: InstantFilter,
    revokedAt: InstantFilter,
  },
  search: ['name'],
});

export const PROJECT_API_TOKENS: typeof API_TOKENS = { ...API_TOKENS, owner: 'projectId' };

const REVOKED = 'Only revoked ones, or only active ones; all if absent.';

@ArgsType()
export class ProjectKeyListArgs extends listArgs(PROJECT_KEYS) {
  @Field(() => Boolean, { nullable: true, description: REVOKED })
  isRevoked?: boolean | null;
}

@ArgsType()
export class DeployTokenListArgs extends listArgs(DEPLOY_TOKENS) {
  @Field(() => Boolean, { nullable: true, description: REVOKED })
  isRevoked?: boolean | null;
}

@ArgsType()
export class ApiTokenListArgs extends listArgs(API_TOKENS) {
  @Field(() => Boolean, { nullable: true, description: REVOKED })
  isRevoked?: boolean | null;
}

export const ProjectKeyConnection = connectionOf(ProjectKey, 'ProjectKey');
export const DeployTokenConnection = connectionOf(DeployToken, 'DeployToken');
export const ApiTokenConnection = connectionOf(ApiToken, 'ApiToken');

/** The rows for an argument `isRevoked`. */
export function revokedOrNot({ isRevoked }: { isRevoked?: boolean | null }): { revokedAt?: { $ne: null } | null } {
  if (isRevoked == null) return {};
  return { revokedAt: isRevoked ? { $ne: null } : null };
}
