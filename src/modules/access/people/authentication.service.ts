import { type Role, type UserActor, weakerRole } from '../../../kernel/actor.js';
import type { Context, Statement } from '../../../kernel/context.js';
import { isUuid } from '../../../kernel/ids.js';
import type { TokenClaims } from '../keys/token-claims.js';
import type { TokenSigner } from '../keys/token-signer.js';

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

/** Tells who is behind an access token: a session, an API token, or a token of the external issuer. */
export class AuthenticationService {
  constructor(private readonly signer: TokenSigner) {}

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
