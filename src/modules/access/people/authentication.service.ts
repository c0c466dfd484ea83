import type { EventLog } from '../../../events/event-log.js';
import { type Role, roleAtLeast, type UserActor, weakerRole } from '../../../kernel/actor.js';
import type { Context, Statement } from '../../../kernel/context.js';
import { isUuid, newUuid } from '../../../kernel/ids.js';
import { accessFailure } from '../access.errors.js';
import { userOf } from '../guard.js';
import type { TokenClaims } from '../keys/token-claims.js';
import type { TokenSigner } from '../keys/token-signer.js';
import { checkPassword, hashPassword, verifyPassword } from './passwords.js';
import type { SignInThrottle } from './sign-in-throttle.js';
import { User } from './user.entity.js';

const SESSION_MS = 12 * 3_600_000;
const LAST_USED_STEP_MS = 60_000;

interface Standing {
  user_id: string;
  email: string;
  password_changed_at: Date;
  organization_id: string;
  role: Role;
  token_expires_at: Date | null;
  token_revoked_at: Date | null;
  token_last_used_at: Date | null;
  token_role: Role | null;
  token_project_id: string | null;
}

const STANDING: Statement = {
  name: 'caller-standing',
  text: `select u.id as user_id, u.email, u.password_changed_at, m.organization_id, m.role,
                t.expires_at as token_expires_at, t.revoked_at as token_revoked_at, t.last_used_at as token_last_used_at,
                t.role as token_role, t.project_id as token_project_id
           from app_user u
           join membership m on m.user_id = u.id and m.organization_id = $1
           left join api_token t on t.id = $2 and t.user_id = u.id and t.organization_id = m.organization_id
          where u.id = $3`,
};

export interface SignIn {
  email: string;
  password: string;
  organizationId?: string | null;
}

/** Proves who a person is: passwords, sessions and API tokens. */
export class AuthenticationService {
  constructor(
    private readonly signer: TokenSigner,
    private readonly events: EventLog,
    private readonly throttle: SignInThrottle,
  ) {}

  /**
   * The user behind a bearer token as the database knows them now; null when the token is malformed, forged, expired or
   * revoked, or the user is gone. The claims are a ceiling only.
   */
  async identify(ctx: Context, token: string): Promise<UserActor | null> {
    const claims = await this.signer.verify(token);
    if (claims) return this.actorOf(ctx, claims);
    const external = await this.signer.verifyExternal(token);
    if (!external) return null;
    const [row] = await ctx.em.execute<Standing[]>(
      `select u.id as user_id, u.email, m.organization_id, m.role from app_user u join membership m on m.user_id = u.id
        where u.email = ? and (?::uuid is null or m.organization_id = ?::uuid) order by m.created_at limit 1`,
      [external.email, uuidOrNull(external.organizationId), uuidOrNull(external.organizationId)],
    );
    if (!row) return null;
    return userActor(row, { credential: 'external', roleCeiling: 'owner', projectId: null, tokenId: external.jti });
  }

  /** An access token for 12 hours. Fails with `wrong_credentials`, `too_many_attempts`. */
  async signIn(ctx: Context, input: SignIn): Promise<{ token: string; expiresAt: Date }> {
    const email = input.email.trim().toLowerCase();
    await this.throttle.check(email);
    const user = await ctx.em.findOne(User, { email });
    if (!(await verifyPassword(input.password, user?.passwordHash ?? null)) || !user) {
      await this.throttle.fail(email);
      throw accessFailure('wrong_credentials');
    }
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

  /** Sets a new password and ends all sessions. Fails with `wrong_password`, `weak_password`. */
  async changePassword(ctx: Context, input: { currentPassword: string; newPassword: string }): Promise<User> {
    const actor = userOf(ctx);
    const user = await ctx.em.findOneOrFail(User, { id: actor.userId });
    checkPassword(input.newPassword);
    if (!(await verifyPassword(input.currentPassword, user.passwordHash))) throw accessFailure('wrong_password');
    user.passwordHash = await hashPassword(input.newPassword);
    user.passwordChangedAt = ctx.now();
    this.events.emit(ctx, 'access.user.password_changed', {
      organizationId: actor.organizationId,
      object: { type: 'user', id: user.id },
      data: { user_id: user.id },
    });
    return user;
  }

  private async actorOf(ctx: Context, claims: TokenClaims): Promise<UserActor | null> {
    if (!isUuid(claims.sub) || !isUuid(claims.org) || !isUuid(claims.jti)) return null;
    const [row] = await ctx.rows<Standing>(STANDING, [claims.org, claims.jti, claims.sub]);
    if (!row) return null;
    if (claims.typ === 'user') {
      const sessionEnded = Math.floor(new Date(row.password_changed_at).getTime() / 1000) * 1000;
      if (claims.issuedAt.getTime() < sessionEnded) return null;
      return userActor(row, { credential: 'session', roleCeiling: claims.role, projectId: null, tokenId: claims.jti });
    }
    if (!row.token_role || row.token_revoked_at || !row.token_expires_at) return null;
    if (new Date(row.token_expires_at) <= ctx.now()) return null;
    await this.noteUse(ctx, claims.jti, row.token_last_used_at);
    return userActor(row, {
      credential: 'api_token',
      roleCeiling: weakerRole(claims.role, row.token_role),
      projectId: row.token_project_id,
      tokenId: claims.jti,
    });
  }

  private async noteUse(ctx: Context, tokenId: string, lastUsed: Date | null): Promise<void> {
    if (lastUsed && ctx.now().getTime() - new Date(lastUsed).getTime() < LAST_USED_STEP_MS) return;
    await ctx.em.execute('update api_token set last_used_at = ? where id = ?', [ctx.now(), tokenId]);
  }
}

const uuidOrNull = (text: string | null): string | null => (isUuid(text) ? text : null);

function userActor(
  row: Standing,
  token: Pick<UserActor, 'credential' | 'roleCeiling' | 'projectId' | 'tokenId'>,
): UserActor {
  return {
    kind: 'user',
    userId: row.user_id,
    email: row.email,
    organizationId: row.organization_id,
    grantedRole: row.role,
    ...token,
  };
}
