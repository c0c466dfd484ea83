import type { EventLog } from '../../../events/event-log.js';
import type { UserActor } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import { personOf } from '../guard.js';
import { COOKIE_SESSION_MS, SESSION_MS } from './session-lifetimes.js';
import type { TokenSigner } from './token-signer.js';

/** A token is renewed after this share of its lifetime, so that not every request signs one. */
const RENEWED_AFTER_MS = COOKIE_SESSION_MS / 4;

export interface RenewedSession {
  token: string;
  expiresAt: Date;
}

/** The life of a session after it has begun: renewal and end. */
export class SessionService {
  constructor(
    private readonly signer: TokenSigner,
    private readonly events: EventLog,
  ) {}

  /**
   * A fresh token of the same session for the browser cookie; null while the old one is young, or when the session's twelve hours leave
   * nothing to add. The session's validity was checked when its token was accepted.
   */
  async renew(token: string, now: Date): Promise<RenewedSession | null> {
    const claims = await this.signer.verify(token);
    if (claims?.typ !== 'user') return null;
    const before = this.signer.expiryOf(token);
    const last = claims.issuedAt.getTime() + SESSION_MS;
    const expiresAt = new Date(Math.min(now.getTime() + COOKIE_SESSION_MS, last));
    if (expiresAt.getTime() - before.getTime() < RENEWED_AFTER_MS) return null;
    return { token: await this.signer.sign(claims, expiresAt), expiresAt };
  }

  /** Ends the caller's session and invalidates its tokens. Fails with `unauthenticated`, `session_required` for an API token. */
  async end(ctx: Context): Promise<string> {
    const actor = personOf(ctx);
    await endSession(ctx, this.events, actor);
    return actor.userId;
  }

  async deleteExpired(ctx: Context): Promise<void> {
    const before = new Date(ctx.now().getTime() - SESSION_MS);
    await ctx.em.execute('delete from ended_session where ended_at < ?', [before]);
  }
}

/** Invalidates the session's tokens and records it in the organization's audit log; does nothing if another call has ended the session. */
export async function endSession(ctx: Context, events: EventLog, person: UserActor): Promise<void> {
  const { credential, organizationId, tokenId, userId } = person;
  if (credential === 'session') {
    const ended = await ctx.em.execute(
      'insert into ended_session (id, ended_at) values (?, ?) on conflict do nothing returning id',
      [tokenId, ctx.now()],
    );
    if (ended.length === 0) return;
  }
  events.emit(ctx, 'access.user.signed_out', {
    organizationId,
    object: { type: 'user', id: userId },
    data: { user_id: userId },
  });
}
