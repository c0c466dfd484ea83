import { randomBytes } from 'node:crypto';
import type { EventLog } from '../../../events/event-log.js';
import type { Role, UserActor } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import type { Transactions } from '../../../kernel/database/transactions.js';
import { isUuid } from '../../../kernel/ids.js';
import type { ListArgs } from '../../../kernel/lists/list-args.js';
import type { Page } from '../../../kernel/paging.js';
import { networkOf } from '../../../kernel/requests/client-address.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import { accessFailure } from '../access.errors.js';
import type { AddMemberInput, ChangeMemberRoleInput, ResetMemberPasswordInput } from '../access.inputs.js';
import type { AddedMember, ResetMemberPassword } from '../access.results.js';
import { listOfOwner } from '../graph/list-edge.js';
import { authorizeOrganization, refuseAboveOwn, roleHere } from '../guard.js';
import { Project } from '../projects/project.entity.js';
import { beginAnew, emailOf, openAccount, personNamed, remainingApiTokens } from './accounts.js';
import { callerNow } from './caller-now.js';
import {
  emailHas,
  inProjectsOf,
  MEMBERS,
  type MemberListArgs,
  PROJECT_ROLES,
  ROLES_OF_MEMBER,
} from './member-lists.js';
import { Membership } from './membership.entity.js';
import type { PasswordChecks } from './password-checks.js';
import { checkPassword } from './passwords.js';
import { ProjectRole } from './project-role.entity.js';
import { User } from './user.entity.js';

export class MemberService {
  constructor(
    private readonly tx: Transactions,
    private readonly events: EventLog,
    private readonly passwords: PasswordChecks,
  ) {}

  async list(operation: OperationContext, { search, ...args }: MemberListArgs): Promise<Page<Membership>> {
    const { organizationId } = authorizeOrganization(operation.current, 'member.view');
    const owner = { id: organizationId, projectId: null };
    return listOfOwner(operation, 'member.view', MEMBERS, owner, args, search ? emailHas(search) : {});
  }

  /** Fails with `member_not_found`. */
  async get(ctx: Context, id: string): Promise<Membership> {
    const { organizationId } = authorizeOrganization(ctx, 'member.view');
    const member = isUuid(id) ? await ctx.em.findOne(Membership, { id, organizationId }) : null;
    if (!member) throw accessFailure('member_not_found');
    return member;
  }

  /** A member as a person, by the user's id. Fails with `member_not_found`. */
  async user(ctx: Context, id: string): Promise<User> {
    const { organizationId } = authorizeOrganization(ctx, 'member.view');
    const isMember = isUuid(id) && (await ctx.em.count(Membership, { user: id, organizationId })) > 0;
    const user = isMember ? await ctx.em.findOne(User, { id }) : null;
    if (!user) throw accessFailure('member_not_found');
    return user;
  }

  /** The organization's projects in which a member has a different role. */
  projectRoles(
    operation: OperationContext,
    { user, organizationId }: Membership,
    args: ListArgs,
  ): Promise<Page<ProjectRole>> {
    const owner = { id: user.id, projectId: null };
    return listOfOwner(operation, 'member.view', ROLES_OF_MEMBER, owner, args, inProjectsOf(organizationId));
  }

  /** Who has a different role in a project than in the organization. */
  rolesIn(operation: OperationContext, projectId: string, args: ListArgs): Promise<Page<ProjectRole>> {
    return listOfOwner(operation, 'member.view', PROJECT_ROLES, projectId, args);
  }

  /**
   * Makes someone a member, with a password for this organization only, which they must change on first sign-in: the given one, or a
   * generated one returned once as `temporaryPassword`. Opens its own transactions, as passwords wait for their turn to be hashed. Fails
   * with `role_above_own`, `weak_password`, `member_exists`, `too_busy`.
   */
  async add(ctx: Context, input: AddMemberInput): Promise<AddedMember> {
    const actor = authorizeOrganization(ctx, 'member.manage');
    refuseAboveOwn(roleHere(actor), input.role);
    const { password, temporaryPassword } = passwordToBegin(input.password);
    const email = emailOf(input.email);
    const { passwordSalt } = await this.tx.write(ctx, (ctx) => personNamed(ctx, email));
    const passwordHash = await this.passwords.hash(networkOf(ctx.address), password, passwordSalt);
    const member = await this.tx.write(ctx, async (ctx) => {
      const actor = await takeTurn(ctx);
      refuseAboveOwn(roleHere(actor), input.role);
      const user = await personNamed(ctx, email);
      const { organizationId } = actor;
      const account = { organizationId, role: input.role, passwordHash, mustChangePassword: true };
      const member = await openAccount(ctx, user, account);
      this.events.emit(ctx, 'access.member.added', {
        organizationId,
        object: { type: 'member', id: user.id },
        data: { user_id: user.id, role: input.role },
        after: { role: input.role },
      });
      return member;
    });
    return { member, temporaryPassword };
  }

  /**
   * Gives a member who forgot their password a new one for this organization, which they must change as after {@link add}. Their sessions
   * end, their API tokens stay. Opens its own transactions. Fails with `member_not_found`, `role_above_own` even if the role is from a
   * project, `own_password`, `weak_password`, `too_busy`.
   */
  async resetPassword(ctx: Context, input: ResetMemberPasswordInput): Promise<ResetMemberPassword> {
    authorizeOrganization(ctx, 'member.manage');
    return this.replacePassword(ctx, input.password, (ctx) => this.findForReset(ctx, input.userId));
  }

  /** Like {@link resetPassword}, for any member of any organization; for whoever runs the installation. */
  async resetAnyPassword(ctx: Context, membershipId: string): Promise<ResetMemberPassword> {
    return this.replacePassword(ctx, null, async (ctx) => {
      const member = await ctx.em.findOne(Membership, { id: membershipId }, { populate: ['user'] });
      if (!member) throw accessFailure('member_not_found');
      return member;
    });
  }

  /** Makes someone a member with a password that they chose themselves, when there is nobody to ask yet: the first owner. */
  async enrol(
    ctx: Context,
    account: { organizationId: string; email: string; password: string; role: Role },
  ): Promise<Membership> {
    const { organizationId, role } = account;
    const user = await personNamed(ctx, emailOf(account.email));
    const passwordHash = await this.passwords.hash(null, account.password, user.passwordSalt);
    return openAccount(ctx, user, { organizationId, role, passwordHash, mustChangePassword: false });
  }

  /** Sets the role in the organization, or in one project only. Fails with `member_not_found`, `role_above_own`, `last_owner`. */
  async changeRole(ctx: Context, input: ChangeMemberRoleInput): Promise<Membership> {
    const actor = await takeTurn(ctx);
    const member = await this.find(ctx, actor, input.userId);
    refuseAboveOwn(roleHere(actor), input.role);
    refuseAboveOwn(roleHere(actor), member.role);
    const project = typeof input.projectId === 'string' ? await this.projectOf(ctx, actor, input.projectId) : null;
    const before = project
      ? await this.overrideInProject(ctx, actor, project, member, input.role)
      : await this.changeInOrganization(ctx, actor, member, input.role);
    this.events.emit(ctx, 'access.member.role_changed', {
      organizationId: actor.organizationId,
      projectId: project?.id ?? null,
      object: { type: 'member', id: member.user.id },
      data: { user_id: member.user.id, role: input.role, project_id: project?.id ?? null },
      before: { role: before },
      after: { role: input.role },
    });
    return member;
  }

  /**
   * Removes a member's own role in a project, so that their organization role applies there. Repeating it changes nothing. Fails like
   * {@link changeRole}.
   */
  async removeProjectRole(
    ctx: Context,
    { userId, projectId }: { userId: string; projectId: string },
  ): Promise<Membership> {
    const actor = await takeTurn(ctx);
    const member = await this.find(ctx, actor, userId);
    const project = await this.projectOf(ctx, actor, projectId);
    const override = await ctx.em.findOne(ProjectRole, { projectId: project.id, userId: member.user.id });
    if (!override) return member;
    refuseAboveOwn(roleHere(actor), override.role);
    refuseAboveOwn(roleHere(actor), member.role);
    ctx.em.remove(override);
    this.events.emit(ctx, 'access.member.role_changed', {
      organizationId: actor.organizationId,
      projectId: project.id,
      object: { type: 'member', id: member.user.id },
      data: { user_id: member.user.id, role: member.role, project_id: project.id },
      before: { role: override.role },
      after: { role: null },
    });
    return member;
  }

  /** Ends a membership, with the user's sessions and tokens for this organization; they don't come back if the user is added again. */
  async remove(ctx: Context, userId: string): Promise<Membership> {
    const actor = await takeTurn(ctx);
    const member = await this.find(ctx, actor, userId);
    refuseAboveOwn(roleHere(actor), member.role);
    if (member.role === 'owner') await this.refuseLastOwner(ctx, actor);
    const projectRoles = await ctx.em.execute<{ project_id: string; role: Role }[]>(
      `delete from project_role where user_id = ? and project_id in (select id from project where organization_id = ?)
       returning project_id, role`,
      [member.user.id, actor.organizationId],
    );
    ctx.em.remove(member);
    // Waits for tokens being created, which lock the membership.
    await ctx.em.flush();
    await ctx.em.execute(
      'update api_token set revoked_at = ? where organization_id = ? and user_id = ? and revoked_at is null',
      [ctx.now(), actor.organizationId, member.user.id],
    );
    this.events.emit(ctx, 'access.member.removed', {
      organizationId: actor.organizationId,
      object: { type: 'member', id: member.user.id },
      data: { user_id: member.user.id },
      before: { role: member.role, ...(projectRoles.length > 0 && { project_roles: projectRoles }) },
    });
    return member;
  }

  private async find(ctx: Context, actor: UserActor, userId: string): Promise<Membership> {
    const member = isUuid(userId)
      ? await ctx.em.findOne(Membership, { organizationId: actor.organizationId, user: userId }, { populate: ['user'] })
      : null;
    if (!member) throw accessFailure('member_not_found');
    return member;
  }

  /**
   * A member whose password the caller may set: nobody who has more permissions anywhere, and not the caller, who must prove the current
   * password.
   */
  private async findForReset(ctx: Context, userId: string): Promise<Membership> {
    const actor = await takeTurn(ctx);
    const member = await this.find(ctx, actor, userId);
    if (member.user.id === actor.userId) throw accessFailure('own_password');
    const inProjects = await ctx.em.execute<{ role: Role }[]>(
      'select role from project_role where user_id = ? and project_id in (select id from project where organization_id = ?)',
      [member.user.id, actor.organizationId],
    );
    for (const { role } of [member, ...inProjects]) refuseAboveOwn(roleHere(actor), role);
    return member;
  }

  private async replacePassword(
    ctx: Context,
    given: string | null | undefined,
    find: (ctx: Context) => Promise<Membership>,
  ): Promise<ResetMemberPassword> {
    const { password, temporaryPassword } = passwordToBegin(given);
    const { passwordSalt } = (await this.tx.write(ctx, find)).user;
    const passwordHash = await this.passwords.hash(networkOf(ctx.address), password, passwordSalt);
    return this.tx.write(ctx, async (ctx) => {
      const member = await find(ctx);
      beginAnew(member, { passwordHash, mustChangePassword: true, keptSessionId: null }, ctx.now());
      this.events.emit(ctx, 'access.member.password_reset', {
        organizationId: member.organizationId,
        object: { type: 'member', id: member.user.id },
        data: { user_id: member.user.id },
      });
      return { member, temporaryPassword, remainingApiTokens: await remainingApiTokens(ctx, member) };
    });
  }

  private async changeInOrganization(ctx: Context, actor: UserActor, member: Membership, role: Role): Promise<Role> {
    const before = member.role;
    if (before === 'owner' && role !== 'owner') await this.refuseLastOwner(ctx, actor);
    member.role = role;
    return before;
  }

  private async overrideInProject(
    ctx: Context,
    actor: UserActor,
    { id: projectId }: Project,
    { user: { id: userId } }: Membership,
    role: Role,
  ): Promise<Role | null> {
    const override = await ctx.em.findOne(ProjectRole, { projectId, userId });
    const before = override?.role ?? null;
    if (before) refuseAboveOwn(roleHere(actor), before);
    if (override) override.role = role;
    else ctx.em.create(ProjectRole, { projectId, userId, role, createdAt: ctx.now() });
    return before;
  }

  private async projectOf(ctx: Context, actor: UserActor, projectId: string): Promise<Project> {
    const project = isUuid(projectId)
      ? await ctx.em.findOne(Project, { id: projectId, organizationId: actor.organizationId })
      : null;
    if (!project) throw accessFailure('project_not_found');
    return project;
  }

  private async refuseLastOwner(ctx: Context, { organizationId }: UserActor): Promise<void> {
    if ((await ctx.em.count(Membership, { organizationId, role: 'owner' })) <= 1) throw accessFailure('last_owner');
  }
}

/**
 * Waits until all other changes to members of the organization are complete, and returns the caller, whom they may have changed too. Fails
 * with `permission_denied`, `invalid_token`.
 */
async function takeTurn(ctx: Context): Promise<UserActor> {
  const { organizationId } = authorizeOrganization(ctx, 'member.manage');
  await ctx.em.execute('select from organization where id = ? for no key update', [organizationId]);
  const { actor } = await callerNow(ctx);
  return authorizeOrganization(ctx.as(actor), 'member.manage');
}

/** The given password, or a generated one that is shown once. Fails with `weak_password`. */
function passwordToBegin(given: string | null | undefined): { password: string; temporaryPassword: string | null } {
  const password = given || randomBytes(15).toString('base64url');
  checkPassword(password, 'password');
  return { password, temporaryPassword: given ? null : password };
}
