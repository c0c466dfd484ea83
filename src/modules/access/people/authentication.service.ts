import { type NewcomerActor, type UserActor, weakerRole } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import { isUuid } from '../../../kernel/ids.js';
import { CallerStandings, type Standing } from './caller-standings.js';
import type { TokenClaims } from './token-claims.js';
import type { ExternalClaims, TokenSigner } from './token-signer.js';

const LAST_USED_STEP_MS = 60_000;

/** Identifies the caller behind an access token: a session, an API token, or an external issuer's token. */
export class AuthenticationService {
  private readonly standings = new CallerStandings();

  constructor(private readonly signer: TokenSigner) {}

  /**
   * The user behind a bearer token as currently known to the database; null if the token is malformed, forged, expired or revoked, or the
   * user is gone. The claims are only a ceiling.
   */
  async identify(ctx: Context, token: string): Promise<UserActor | NewcomerActor | null> {
    const claims = await this.signer.verify(token);
    if (claims) return this.actorOf(ctx, claims);
    const external = await this.signer.verifyExternal(token);
    return external && this.externalActor(ctx, external);
  }

  /**
   * The issuer vouches for the email, so no password counts. A token without an organization is for the one the person joined first; a
   * token older than the membership isn't valid for it, since it may be from before the person was removed there.
   */
  private async externalActor(ctx: Context, external: ExternalClaims): Promise<UserActor | null> {
    const organizationId = isUuid(external.organizationId) ? external.organizationId : null;
    const [row] = await ctx.em.execute<Standing[]>(
      `select u.id as user_id, u.email, m.organization_id, m.role from app_user u join membership m on m.user_id = u.id
        where u.email = ? and (?::uuid is null or m.organization_id = ?::uuid) and m.created_at <= ?
        order by m.created_at, m.id limit 1`,
      [external.email, organizationId, organizationId, external.issuedAt],
    );
    if (!row) return null;
    return userActor(row, { credential: 'external', roleCeiling: 'owner', projectId: null, tokenId: external.jti });
  }

  private async actorOf(ctx: Context, claims: TokenClaims): Promise<UserActor | NewcomerActor | null> {
    if (!isUuid(claims.sub) || !isUuid(claims.org) || !isUuid(claims.jti)) return null;
    const row = await this.standings.of(ctx, claims);
    if (!row) return null;
    if (claims.typ === 'user') {
      if (row.session_ended || !isSessionOf(row, claims)) return null;
      const session = {
        credential: 'session',
        roleCeiling: claims.role,
        projectId: null,
        tokenId: claims.jti,
      } as const;
      const user = userActor(row, session);
      return row.must_change_password ? { kind: 'newcomer', user } : user;
    }
    if (!row.token_role || row.token_revoked_at || !row.token_expires_at) return null;
    if (new Date(row.token_expires_at) <= ctx.now()) return null;
    await this.noteUse(ctx, claims.jti, row.token_last_used_at);
    return userActor(row, {
      credential: 'api_token',
      roleCeiling: weakerRole(claims.role, row.token_role),
      projectId: row.token_project_id,
      tokenId: claims.jti,
      ...(row.token_name === null ? {} : { tokenName: row.token_name }),
    });
  }

  private async noteUse(ctx: Context, tokenId: string, lastUsed: Date | null): Promise<void> {
    if (lastUsed && ctx.now().getTime() - new Date(lastUsed).getTime() < LAST_USED_STEP_MS) return;
    await ctx.em.execute('update api_token set last_used_at = ? where id = ?', [ctx.now(), tokenId]);
  }
}

/** Whether a session continues: its original password is still current, or the session itself changed it. */
function isSessionOf(row: Standing, { jti, credentialId, issuedAt }: TokenClaims): boolean {
  if (jti === row.kept_session_id) return true;
  if (credentialId !== undefined) return credentialId === row.credential_id;
  return issuedAt >= new Date(row.password_changed_at);
}

function userActor(
  row: Standing,
  token: Pick<UserActor, 'credential' | 'roleCeiling' | 'projectId' | 'tokenId' | 'tokenName'>,
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
