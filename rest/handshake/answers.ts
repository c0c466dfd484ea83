import type { Answer as Decisions } from '../../src/modules/handshake/answer.js';
import { matchesEntityTag } from '../etag.js';
import type { Answer, RestRequest } from '../route.js';

/** 200 with the decisions, or 304 when the caller has them; both carry the same headers (docs/rest.md, Handshake). */
export function decisionsAnswer({ body, etag }: Decisions, { headers }: Pick<RestRequest, 'headers'>): Answer {
  const shared = { etag, 'cache-control': 'private, no-cache' };
  if (matchesEntityTag(headers['if-none-match'], etag)) return { status: 304, body: null, headers: shared };
  return { status: 200, body, headers: { ...shared, 'content-type': 'application/json; charset=utf-8' } };
}
