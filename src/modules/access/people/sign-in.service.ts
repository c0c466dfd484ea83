import { LockMode } from '@mikro-orm/postgresql';
import type { EventLog } from '../../../events/event-log.js';
import { type Role, roleAtLeast, type UserActor } from '../../../kernel/actor.js';
import type { Context, Statement } from '../../../kernel/context.js';
import type { Transactions } from '../../../kernel/database/transactions.js';
import { commonFailure } from '../../../kernel/errors.js';
import { isUuid, newUuid } from '../../../kernel/ids.js';
import type { Logger } from '../../../kernel/logger.js';
import { networkOf } from '../../../kernel/requests/client-address.js';
import { accessFailure } from '../access.errors.js';
import type { ChangePasswordInput, SignInInput } from '../access.inputs.js';
import type { Session } from '../access.results.js';
import { personOf } from '../guard.js';
import { beginAnew, emailOf, remainingApiTokens } from './accounts.js';
import { Membership } from './membership.entity.js';
import type { PasswordChecks } from './password-checks.js';
import { checkPassword } from './passwords.js';
import { endSession } from './session.service.js';
import { SESSION_MS } from './session-lifetimes.js';
import type { TokenSigner } from './token-signer.js';
import type { User } from './user.entity.js';

interface Account {
  user_id: string;
  organization_id: string;
  role: Role;
  strongest: Role;
  password_hash: string;
  credential_id: string;
  must_change_password: boolean;
}

/** The accounts behind an email, oldest first; beyond a hundred per person, the others open only by their organization. */
const ACCOUNTS: Statement = {
  name: 'sign-in-accounts',
  text: `select m.user_id, m.organization_id, m.role, m.password_hash, m.credential_id, m.must_change_password,
                coalesce((
                  select r.role from project_role r join project p on p.id = r.project_id
                   where r.user_id = m.user_id and p.organization_id = m.organization_id
                   order by array_position(array['owner', 'admin', 'editor', 'viewer'], r.role) limit 1), m.role) as strongest
           from app_user u join membership m on m.user_id = u.id
          where u.email = $1 and ($2::uuid is null or m.organization_id = $2) and m.password_hash is not null
          order by m.created_at, m.id limit 100`,
};

export interface SignInParts {
  tx: Transactions;
  signer: TokenSigner;
  events: EventLog;
  passwords: PasswordChecks;
  logger: Logger;
}

/** Sessions and the passwords that start them. Its verbs open their own transactions: hashing takes a while, and waits its turn. */
export class SignInService {
  constructor(private readonly parts: SignInParts) {}

  /**
   * An access token for the oldest of the person's accounts that the password opens, for 12 hours unless another time is given in
   * milliseconds. The session that it replaces, if any, ends. Fails with `wrong_credentials`, `too_many_attempts`, `too_busy`.
   */
  async signIn(
    ctx: Context,
    input: SignInInput,
    lifetimeMs = SESSION_MS,
    replaced: UserActor | null = null,
  ): Promise<Session> {
    const email = emailOf(input.email);
    const accounts = await accountsOf(ctx, email, input.organizationId ?? null);
    const attempt = { email, network: networkOf(ctx.address) };
    const hashes = accounts.map((account) => account.password_hash);
    const matches = await this.parts.passwords.match(attempt, input.password, hashes);
    const account = accounts.find((_, i) => matches[i]);
    if (!account) {
      await this.noteFailure(ctx, accounts);
      throw accessFailure('wrong_credentials');
    }
    const session = await this.begin(ctx, email, account, lifetimeMs);
    if (replaced) await this.end(ctx, replaced);
    return session;
  }

  /**
   * Sets a new password for the account in this organization and ends its other sessions. The result says how many API tokens remain. Fails
   * with `session_required` for an API token, `weak_password`, `wrong_password`, `same_password` if a different one must be chosen,
   * `too_many_attempts`, `too_busy`.
   */
  async changePassword(ctx: Context, input: ChangePasswordInput): Promise<User> {
    const actor = personOf(ctx);
    checkPassword(input.newPassword, 'newPassword');
    const { tx, passwords } = this.parts;
    const known = await tx.read(ctx, (fresh) => accountOf(fresh, actor));
    const attempt = { email: actor.email, network: networkOf(ctx.address) };
    const [right] = await passwords.match(attempt, input.currentPassword, hashesOf(known));
    if (!right) throw accessFailure('wrong_password');
    if (known.mustChangePassword && input.newPassword.normalize('NFKC') === input.currentPassword.normalize('NFKC'))
      throw accessFailure('same_password');
    const passwordHash = await passwords.hash(attempt.network, input.newPassword, known.user.passwordSalt);
    return tx.write(ctx, async (ctx) => {
      const member = await accountOf(ctx, actor, LockMode.PESSIMISTIC_WRITE);
      // Another change came first, or the member was removed and added again.
      if (member.passwordHash !== known.passwordHash) throw accessFailure('wrong_password');
      const keptSessionId = actor.credential === 'session' ? actor.tokenId : null;
      beginAnew(member, { passwordHash, mustChangePassword: false, keptSessionId }, ctx.now());
      member.user.remainingApiTokens = await remainingApiTokens(ctx, member);
      this.parts.events.emit(ctx, 'access.user.password_changed', {
        organizationId: actor.organizationId,
        object: { type: 'user', id: actor.userId },
        data: { user_id: actor.userId },
      });
      return member.user;
    });
  }

  private async begin(ctx: Context, email: string, account: Account, lifetimeMs: number): Promise<Session> {
    const { tx, signer, events } = this.parts;
    const expiresAt = new Date(ctx.now().getTime() + lifetimeMs);
    // The claim is a ceiling, so it must not cut off a project role above the organization role.
    const role = roleAtLeast(account.role, account.strongest) ? account.role : account.strongest;
    const claims = {
      typ: 'user' as const,
      sub: account.user_id,
      jti: newUuid(),
      org: account.organization_id,
      email,
      role,
      credentialId: account.credential_id,
      issuedAt: ctx.now(),
    };
    const actor: UserActor = {
      kind: 'user',
      userId: account.user_id,
      email,
      organizationId: account.organization_id,
      credential: 'session',
      grantedRole: account.role,
      roleCeiling: role,
      projectId: null,
      tokenId: claims.jti,
    };
    const token = await signer.sign(claims, expiresAt);
    await tx.write({ actor, requestId: ctx.requestId, address: ctx.address }, async (ctx) => {
      events.emit(ctx, 'access.user.signed_in', happeningTo(account));
    });
    return { token, expiresAt, passwordChangeRequired: account.must_change_password };
  }

  /** On behalf of the account's owner: their organization may know nobody else. */
  private async end({ requestId, address }: Context, person: UserActor): Promise<void> {
    const { tx, events } = this.parts;
    await tx.write({ actor: person, requestId, address }, (ctx) => endSession(ctx, events, person));
  }

  /** In the audit log of each organization whose account was tried; attempts on unknown emails are only in the server's log. */
  private async noteFailure(ctx: Context, accounts: readonly Account[]): Promise<void> {
    if (accounts.length === 0) {
      this.parts.logger.warn(
        { requestId: ctx.requestId, address: ctx.address },
        'a sign-in failed: nobody with this email has an account there',
      );
      return;
    }
    await this.parts.tx.write(ctx, async (ctx) => {
      for (const account of accounts) this.parts.events.emit(ctx, 'access.user.sign_in_failed', happeningTo(account));
    });
  }
}

async function accountsOf(ctx: Context, email: string, organizationId: string | null): Promise<Account[]> {
  if (organizationId !== null && !isUuid(organizationId)) return [];
  return ctx.rows<Account>(ACCOUNTS, [email, organizationId]);
}

/** The caller's own account. Fails with `invalid_token` if they were removed in the meantime. */
async function accountOf(ctx: Context, actor: UserActor, lockMode = LockMode.NONE): Promise<Membership> {
  const where = { organizationId: actor.organizationId, user: actor.userId };
  const member = await ctx.em.findOne(Membership, where, { lockMode });
  if (!member) throw commonFailure('invalid_token');
  await ctx.em.populate(member, ['user']);
  return member;
}

const hashesOf = ({ passwordHash }: Membership): string[] => (passwordHash === null ? [] : [passwordHash]);

const happeningTo = ({ user_id, organization_id }: Account) => ({
  organizationId: organization_id,
  object: { type: 'user', id: user_id },
  data: { user_id },
});
