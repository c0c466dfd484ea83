import { Extensions, FieldResolver, Resolver, Root } from 'type-graphql';
import type { StoredEvent } from '../../events/stored-event.entity.js';
import type { Role } from '../../kernel/actor.js';
import type { Context } from '../../kernel/context.js';
import type { ListArgs } from '../../kernel/lists/list-args.js';
import type { Page } from '../../kernel/paging.js';
import { type OperationContext, VerbContext } from '../../kernel/verb-context.js';
import type { AuditService } from './audit/audit.service.js';
import { AuditEntryConnection, AuditListArgs } from './audit/audit-list.js';
import { ListField, ProjectList } from './graph/list-fields.js';
import { viewerRoleIn } from './guard.js';
import type { ApiToken } from './keys/api-token.entity.js';
import type { ApiTokenService } from './keys/api-token.service.js';
import type { DeployToken } from './keys/deploy-token.entity.js';
import type { DeployTokenService } from './keys/deploy-token.service.js';
import {
  ApiTokenConnection,
  ApiTokenListArgs,
  DeployTokenConnection,
  DeployTokenListArgs,
  ProjectKeyConnection,
  ProjectKeyListArgs,
} from './keys/key-lists.js';
import type { ProjectKey } from './keys/project-key.entity.js';
import type { ProjectKeyService } from './keys/project-key.service.js';
import type { MemberService } from './people/member.service.js';
import { ProjectRoleConnection, ProjectRoleListArgs } from './people/member-lists.js';
import { RoleType } from './people/membership.entity.js';
import type { ProjectRole } from './people/project-role.entity.js';
import { Project } from './projects/project.entity.js';

/** What belongs to a project itself: its keys, tokens, roles and audit log, and the caller's role. */
@Resolver(() => Project)
export class ProjectFields {
  constructor(
    private readonly keys: ProjectKeyService,
    private readonly deployTokenService: DeployTokenService,
    private readonly apiTokenService: ApiTokenService,
    private readonly members: MemberService,
    private readonly audit: AuditService,
  ) {}

  @Extensions({ madeOf: ['id'] })
  @FieldResolver(() => RoleType, {
    description: 'Your role in it, which it may grant instead of the one in the organization.',
  })
  viewerRole(@VerbContext() ctx: Context, @Root() { id }: Project): Promise<Role> {
    return viewerRoleIn(ctx, id);
  }

  @ProjectList(() => ProjectKeyConnection, ProjectKeyListArgs, { nullable: true, field: 'Newest first.' })
  apiKeys(operation: OperationContext, projectId: string, args: ProjectKeyListArgs): Promise<Page<ProjectKey>> {
    return this.keys.list(operation, projectId, args);
  }

  @ProjectList(() => DeployTokenConnection, DeployTokenListArgs, { nullable: true, field: 'Newest first.' })
  deployTokens(operation: OperationContext, projectId: string, args: DeployTokenListArgs): Promise<Page<DeployToken>> {
    return this.deployTokenService.list(operation, projectId, args);
  }

  @ListField(() => ApiTokenConnection, ApiTokenListArgs, {
    description: 'Tokens that are restricted to it, newest first.',
  })
  apiTokens(operation: OperationContext, { id }: Project, args: ApiTokenListArgs): Promise<Page<ApiToken>> {
    return this.apiTokenService.ofProject(operation, id, args);
  }

  @ListField(() => ProjectRoleConnection, ProjectRoleListArgs, {
    description: 'Members with their own role in the project.',
  })
  roles(operation: OperationContext, { id }: Project, args: ListArgs): Promise<Page<ProjectRole>> {
    return this.members.rolesIn(operation, id, args);
  }

  @ListField(() => AuditEntryConnection, AuditListArgs, { nullable: true, description: 'Changes, newest first.' })
  auditLog(operation: OperationContext, project: Project, args: ListArgs): Promise<Page<StoredEvent>> {
    return this.audit.ofProject(operation, project, args);
  }
}
