import type { Role } from '../../../kernel/actor.js';
import type { Caller, Context } from '../../../kernel/context.js';
import { commonFailure } from '../../../kernel/errors.js';
import { isUuid } from '../../../kernel/ids.js';

/**
 * The caller of a request that has taken a while, with their present role in the organization. Fails with `invalid_token` if their
 * membership, session or API token has ended since the request began.
 */
export async function callerNow({ actor, requestId, address, em }: Context): Promise<Caller> {
  if (actor.kind !== 'user') return { actor, requestId, address };
  const { userId, organizationId, tokenId } = actor;
  // An external issuer names its tokens as it likes.
  const id = isUuid(tokenId) ? tokenId : null;
  const [member] = await em.execute<{ role: Role }[]>(
    `select role from membership where user_id = ? and organization_id = ?
        and not exists (select from ended_session where id = ?::uuid)
        and not exists (select from api_token where id = ?::uuid and revoked_at is not null)`,
    [userId, organizationId, id, id],
  );
  if (!member) throw commonFailure('invalid_token');
  return { actor: { ...actor, grantedRole: member.role }, requestId, address };
}
