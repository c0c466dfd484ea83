import { Resolver } from 'type-graphql';
import type { StoredEvent } from '../../events/stored-event.entity.js';
import type { ListArgs } from '../../kernel/lists/list-args.js';
import type { Page } from '../../kernel/paging.js';
import type { OperationContext } from '../../kernel/verb-context.js';
import type { AuditService } from './audit/audit.service.js';
import { AuditEntryConnection, AuditListArgs } from './audit/audit-list.js';
import { ListField } from './graph/list-fields.js';
import { userOf } from './guard.js';
import type { ApiToken } from './keys/api-token.entity.js';
import type { ApiTokenService } from './keys/api-token.service.js';
import { ApiTokenConnection, ApiTokenListArgs } from './keys/key-lists.js';
import type { MemberService } from './people/member.service.js';
import { MemberListArgs, MembershipConnection } from './people/member-lists.js';
import type { Membership } from './people/membership.entity.js';
import { Organization } from './projects/organization.entity.js';
import type { Project } from './projects/project.entity.js';
import type { ProjectService } from './projects/project.service.js';
import { ProjectConnection, ProjectListArgs } from './projects/project-list.js';

const ELSEWHERE = "Null unless it is the token's organization.";

/** The lists of an organization. A token sees only those of its own organization, whatever others its user belongs to. */
@Resolver(() => Organization)
export class OrganizationFields {
  constructor(
    private readonly projectService: ProjectService,
    private readonly memberService: MemberService,
    private readonly tokens: ApiTokenService,
    private readonly audit: AuditService,
  ) {}

  @ListField(() => ProjectConnection, ProjectListArgs, { nullable: true, description: ELSEWHERE })
  projects(
    operation: OperationContext,
    organization: Organization,
    args: ProjectListArgs,
  ): Promise<Page<Project>> | null {
    return isOwn(operation, organization) ? this.projectService.list(operation, args) : null;
  }

  @ListField(() => MembershipConnection, MemberListArgs, { nullable: true, description: ELSEWHERE })
  members(
    operation: OperationContext,
    organization: Organization,
    args: MemberListArgs,
  ): Promise<Page<Membership>> | null {
    return isOwn(operation, organization) ? this.memberService.list(operation, args) : null;
  }

  @ListField(() => ApiTokenConnection, ApiTokenListArgs, { nullable: true, description: ELSEWHERE })
  apiTokens(
    operation: OperationContext,
    organization: Organization,
    args: ApiTokenListArgs,
  ): Promise<Page<ApiToken>> | null {
    return isOwn(operation, organization) ? this.tokens.list(operation, args) : null;
  }

  @ListField(() => AuditEntryConnection, AuditListArgs, { nullable: true, description: ELSEWHERE })
  auditLog(operation: OperationContext, organization: Organization, args: ListArgs): Promise<Page<StoredEvent>> | null {
    return isOwn(operation, organization) ? this.audit.ofOrganization(operation, organization, args) : null;
  }
}

const isOwn = ({ current }: OperationContext, { id }: Organization): boolean => userOf(current).organizationId === id;
