import { LockMode } from '@mikro-orm/postgresql';
import type { EventLog } from '../../../events/event-log.js';
import { type Role, roleAtLeast } from '../../../kernel/actor.js';
import { networkOf } from '../../../kernel/client-address.js';
import type { Context } from '../../../kernel/context.js';
import { newUuid } from '../../../kernel/ids.js';
import type { Transactions } from '../../../kernel/transactions.js';
import { accessFailure } from '../access.errors.js';
import { userOf } from '../guard.js';
import type { TokenSigner } from '../keys/token-signer.js';
import type { PasswordChecks } from './password-checks.js';
import { checkPassword } from './passwords.js';
import { User } from './user.entity.js';

const SESSION_MS = 12 * 3_600_000;

export interface SignIn {
  email: string;
  password: string;
  organizationId?: string | null;
}

export interface PasswordChange {
  currentPassword: string;
  newPassword: string;
}

/** Sessions and the passwords that begin them. Its verbs open their own transactions: hashing takes a while, and waits its turn. */
export class SignInService {
  constructor(
    private readonly tx: Transactions,
    private readonly signer: TokenSigner,
    private readonly events: EventLog,
    private readonly passwords: PasswordChecks,
  ) {}

  /** An access token for 12 hours. Fails with `wrong_credentials`, `too_many_attempts`, `too_busy`. */
  async signIn(ctx: Context, input: SignIn): Promise<{ token: string; expiresAt: Date }> {
    const email = input.email.trim().toLowerCase();
    const user = await ctx.em.findOne(User, { email });
    const attempt = { email, network: networkOf(ctx.address) };
    const right = await this.passwords.verify(attempt, input.password, user?.passwordHash ?? null);
    if (!right || !user) throw accessFailure('wrong_credentials');
    const memberships = await ctx.em.execute<{ organization_id: string; role: Role; strongest: Role }[]>(
      `select m.organization_id, m.role, coalesce((
                select r.role from project_role r join project p on p.id = r.project_id
                 where r.user_id = m.user_id and p.organization_id = m.organization_id
                 order by array_position(array['owner', 'admin', 'editor', 'viewer'], r.role) limit 1), m.role) as strongest
         from membership m where m.user_id = ? order by m.created_at`,
      [user.id],
    );
    const chosen = input.organizationId
      ? memberships.find((membership) => membership.organization_id === input.organizationId)
      : memberships[0];
    if (!chosen) throw accessFailure('wrong_credentials');
    const expiresAt = new Date(ctx.now().getTime() + SESSION_MS);
    // The claim is a ceiling, so it must not cut off what a project grants above the organization's role.
    const role = roleAtLeast(chosen.role, chosen.strongest) ? chosen.role : chosen.strongest;
    const token = await this.signer.sign(
      { typ: 'user', sub: user.id, jti: newUuid(), org: chosen.organization_id, email, role },
      expiresAt,
    );
    return { token, expiresAt };
  }

  /**
   * Sets a new password and ends all sessions. Fails with `session_required` for an API token, `weak_password`, `wrong_password`,
   * `too_many_attempts`, `too_busy`.
   */
  async changePassword(ctx: Context, input: PasswordChange): Promise<User> {
    const actor = userOf(ctx);
    if (actor.credential === 'api_token') throw accessFailure('session_required');
    checkPassword(input.newPassword);
    const network = networkOf(ctx.address);
    const known = await ctx.em.findOneOrFail(User, { id: actor.userId });
    if (!(await this.passwords.verify({ email: known.email, network }, input.currentPassword, known.passwordHash)))
      throw accessFailure('wrong_password');
    const passwordHash = await this.passwords.hash(network, input.newPassword);
    return this.tx.write(ctx, async (ctx) => {
      const user = await ctx.em.findOneOrFail(User, { id: actor.userId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (user.passwordHash !== known.passwordHash) throw accessFailure('wrong_password');
      user.passwordHash = passwordHash;
      user.passwordChangedAt = ctx.now();
      this.events.emit(ctx, 'access.user.password_changed', {
        organizationId: actor.organizationId,
        object: { type: 'user', id: user.id },
        data: { user_id: user.id },
      });
      return user;
    });
  }
}
