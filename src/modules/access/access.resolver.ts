import { Arg, Args, ID, Mutation, Query, Resolver } from 'type-graphql';
import { StoredEvent } from '../../events/stored-event.entity.js';
import type { Context } from '../../kernel/context.js';
import { connectionOf, type Page, PageArgs } from '../../kernel/paging.js';
import { VerbContext } from '../../kernel/verb-context.js';
import {
  AddMemberInput,
  AuditLogArgs,
  ChangeMemberRoleInput,
  ChangePasswordInput,
  CreateOrganizationInput,
  RemoveMemberInput,
  SignInInput,
} from './access.inputs.js';
import { AddedMember, Session } from './access.results.js';
import type { AuditService } from './audit.service.js';
import type { AuthenticationService } from './people/authentication.service.js';
import type { MemberService } from './people/member.service.js';
import { Membership } from './people/membership.entity.js';
import { User } from './people/user.entity.js';
import { Organization } from './projects/organization.entity.js';
import type { OrganizationService } from './projects/organization.service.js';

const OrganizationConnection = connectionOf(Organization, 'Organization');
const MembershipConnection = connectionOf(Membership, 'Membership');
const AuditEntryConnection = connectionOf(StoredEvent, 'AuditEntry');

@Resolver()
export class AccessResolver {
  constructor(
    private readonly authentication: AuthenticationService,
    private readonly organizationService: OrganizationService,
    private readonly memberService: MemberService,
    private readonly audit: AuditService,
  ) {}

  @Query(() => User, { description: 'Who is signed in.' })
  me(@VerbContext() ctx: Context): Promise<User> {
    return this.organizationService.me(ctx);
  }

  @Query(() => OrganizationConnection)
  organizations(@VerbContext() ctx: Context, @Args(() => PageArgs) page: PageArgs): Promise<Page<Organization>> {
    return this.organizationService.list(ctx, page);
  }

  @Query(() => Organization, { description: 'The organization that the token belongs to.' })
  organization(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<Organization> {
    return this.organizationService.get(ctx, id);
  }

  @Query(() => MembershipConnection)
  members(@VerbContext() ctx: Context, @Args(() => PageArgs) page: PageArgs): Promise<Page<Membership>> {
    return this.memberService.list(ctx, page);
  }

  @Query(() => AuditEntryConnection, { description: 'What was changed, newest first.' })
  auditLog(@VerbContext() ctx: Context, @Args(() => AuditLogArgs) args: AuditLogArgs): Promise<Page<StoredEvent>> {
    return this.audit.list(ctx, args, args);
  }

  @Mutation(() => Session, { description: 'Exchanges e-mail and password for an access token of 12 hours.' })
  signIn(@VerbContext() ctx: Context, @Arg('input', () => SignInInput) input: SignInInput): Promise<Session> {
    return this.authentication.signIn(ctx, input);
  }

  @Mutation(() => User, { description: 'Sets a new password and ends all sessions.' })
  changePassword(
    @VerbContext() ctx: Context,
    @Arg('input', () => ChangePasswordInput) input: ChangePasswordInput,
  ): Promise<User> {
    return this.authentication.changePassword(ctx, input);
  }

  @Mutation(() => Organization, { description: 'Its maker is the owner; sign in with its id to work in it.' })
  createOrganization(
    @VerbContext() ctx: Context,
    @Arg('input', () => CreateOrganizationInput) input: CreateOrganizationInput,
  ): Promise<Organization> {
    return this.organizationService.create(ctx, input);
  }

  @Mutation(() => AddedMember)
  addMember(
    @VerbContext() ctx: Context,
    @Arg('input', () => AddMemberInput) input: AddMemberInput,
  ): Promise<AddedMember> {
    return this.memberService.add(ctx, input);
  }

  @Mutation(() => Membership)
  changeMemberRole(
    @VerbContext() ctx: Context,
    @Arg('input', () => ChangeMemberRoleInput) input: ChangeMemberRoleInput,
  ): Promise<Membership> {
    return this.memberService.changeRole(ctx, input);
  }

  @Mutation(() => Membership)
  removeMember(
    @VerbContext() ctx: Context,
    @Arg('input', () => RemoveMemberInput) input: RemoveMemberInput,
  ): Promise<Membership> {
    return this.memberService.remove(ctx, input.userId);
  }
}
