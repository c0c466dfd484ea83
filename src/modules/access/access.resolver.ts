import { Arg, Args, Extensions, ID, Mutation, Query, Resolver } from 'type-graphql';
import { StoredEvent } from '../../events/stored-event.entity.js';
import type { Context } from '../../kernel/context.js';
import type { ListArgs } from '../../kernel/lists/list-args.js';
import type { Page } from '../../kernel/paging.js';
import { Operation, type OperationContext, VerbContext } from '../../kernel/verb-context.js';
import {
  AddMemberInput,
  ChangeMemberRoleInput,
  ChangePasswordInput,
  CreateOrganizationInput,
  RemoveMemberInput,
  RemoveProjectRoleInput,
  ResetMemberPasswordInput,
  SignInInput,
  UpdateOrganizationInput,
} from './access.inputs.js';
import { AddedMember, CookieSession, ResetMemberPassword, Session, SignedOut } from './access.results.js';
import type { AuditService } from './audit/audit.service.js';
import { AuditEntryConnection, AuditLogArgs } from './audit/audit-list.js';
import { sessionOf } from './guard.js';
import type { OrganizationService } from './organization.service.js';
import type { MemberService } from './people/member.service.js';
import { MemberListArgs, MembershipConnection } from './people/member-lists.js';
import { Membership } from './people/membership.entity.js';
import type { SessionService } from './people/session.service.js';
import { COOKIE_SESSION_MS, SESSION_MS } from './people/session-lifetimes.js';
import type { SignInService } from './people/sign-in.service.js';
import { User } from './people/user.entity.js';
import { Organization } from './projects/organization.entity.js';
import { OrganizationConnection, OrganizationListArgs } from './projects/organization-list.js';

@Resolver()
export class AccessResolver {
  constructor(
    private readonly signIns: SignInService,
    private readonly sessions: SessionService,
    private readonly organizationService: OrganizationService,
    private readonly memberService: MemberService,
    private readonly audit: AuditService,
  ) {}

  @Query(() => User, { description: 'The signed-in user.' })
  me(@VerbContext() ctx: Context): Promise<User> {
    return this.organizationService.me(ctx);
  }

  @Query(() => OrganizationConnection, {
    description: "The token's own organization, and those its user created with the same password; oldest first.",
  })
  organizations(
    @Operation() operation: OperationContext,
    @Args(() => OrganizationListArgs) args: ListArgs,
  ): Promise<Page<Organization>> {
    return this.organizationService.list(operation, args);
  }

  @Query(() => Organization, { description: 'The organization that the token belongs to.' })
  organization(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<Organization> {
    return this.organizationService.get(ctx, id);
  }

  @Query(() => MembershipConnection)
  members(@Operation() operation: OperationContext, @Args() args: MemberListArgs): Promise<Page<Membership>> {
    return this.memberService.list(operation, args);
  }

  @Query(() => Membership)
  membership(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<Membership> {
    return this.memberService.get(ctx, id);
  }

  @Query(() => User, { description: 'A member of the organization as a person.' })
  user(
    @VerbContext() ctx: Context,
    @Arg('id', () => ID, { description: "The user's id, not the membership's." }) id: string,
  ): Promise<User> {
    return this.memberService.user(ctx, id);
  }

  @Query(() => AuditEntryConnection, { description: 'Changes, newest first.' })
  auditLog(@Operation() operation: OperationContext, @Args() args: AuditLogArgs): Promise<Page<StoredEvent>> {
    return this.audit.list(operation, args);
  }

  @Query(() => StoredEvent)
  auditEntry(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<StoredEvent> {
    return this.audit.get(ctx, id);
  }

  @Mutation(() => Session, {
    description: 'Exchanges email and password for an access token that is valid for 12 hours.',
  })
  @Extensions({ transaction: false })
  signIn(@VerbContext() ctx: Context, @Arg('input') input: SignInInput): Promise<Session> {
    return this.signIns.signIn(ctx, input);
  }

  @Mutation(() => CookieSession, {
    description:
      'Starts a session for a page of this origin. Its token is stored in a cookie (HttpOnly, SameSite=Strict) that counts only in requests with the header `apollo-require-preflight`. With use, it lasts up to 12 hours. A session already in the cookie ends.',
  })
  @Extensions({ transaction: false })
  async signInWithCookie(
    @Operation() operation: OperationContext,
    @Arg('input') input: SignInInput,
  ): Promise<CookieSession> {
    const { current, session } = operation;
    const replaced = session?.isCallers ? sessionOf(current) : null;
    const { token, passwordChangeRequired } = await this.signIns.signIn(current, input, COOKIE_SESSION_MS, replaced);
    session?.keep(token);
    return { expiresAt: new Date(current.now().getTime() + SESSION_MS), passwordChangeRequired };
  }

  @Mutation(() => SignedOut, {
    description: 'Ends the current session, invalidates its token and removes its cookie.',
  })
  async signOut(@Operation() operation: OperationContext): Promise<SignedOut> {
    const userId = await this.sessions.end(operation.current);
    operation.session?.forget();
    return { userId };
  }

  @Mutation(() => User, {
    description: "Sets a new password for the session's organization and ends all other sessions there.",
  })
  @Extensions({ transaction: false })
  changePassword(@VerbContext() ctx: Context, @Arg('input') input: ChangePasswordInput): Promise<User> {
    return this.signIns.changePassword(ctx, input);
  }

  @Mutation(() => Organization, { description: 'You become its owner. Sign in with its id to work in it.' })
  createOrganization(@VerbContext() ctx: Context, @Arg('input') input: CreateOrganizationInput): Promise<Organization> {
    return this.organizationService.create(ctx, input);
  }

  @Mutation(() => Organization, { description: "Renames the token's organization." })
  updateOrganization(@VerbContext() ctx: Context, @Arg('input') input: UpdateOrganizationInput): Promise<Organization> {
    return this.organizationService.update(ctx, input);
  }

  @Mutation(() => AddedMember, {
    description: 'The password is for this organization only, even if the user is a member of others.',
  })
  @Extensions({ transaction: false })
  addMember(@VerbContext() ctx: Context, @Arg('input') input: AddMemberInput): Promise<AddedMember> {
    return this.memberService.add(ctx, input);
  }

  @Mutation(() => ResetMemberPassword, {
    description:
      'For a member who forgot their password: sets a new initial password for this organization only. Their sessions end; their API tokens stay. You cannot reset your own, or that of someone with a role above yours.',
  })
  @Extensions({ transaction: false })
  resetMemberPassword(
    @VerbContext() ctx: Context,
    @Arg('input') input: ResetMemberPasswordInput,
  ): Promise<ResetMemberPassword> {
    return this.memberService.resetPassword(ctx, input);
  }

  @Mutation(() => Membership)
  changeMemberRole(@VerbContext() ctx: Context, @Arg('input') input: ChangeMemberRoleInput): Promise<Membership> {
    return this.memberService.changeRole(ctx, input);
  }

  @Mutation(() => Membership, {
    description: "Removes the member's own role in the project, so that their organization role applies again.",
  })
  removeProjectRole(@VerbContext() ctx: Context, @Arg('input') input: RemoveProjectRoleInput): Promise<Membership> {
    return this.memberService.removeProjectRole(ctx, input);
  }

  @Mutation(() => Membership, {
    description:
      "Ends the member's sessions and API tokens. Projects that they owned stay with the organization's owners.",
  })
  removeMember(@VerbContext() ctx: Context, @Arg('input') input: RemoveMemberInput): Promise<Membership> {
    return this.memberService.remove(ctx, input.userId);
  }
}
