import type { Actor } from '../kernel/actor.js';
import type { Caller } from '../kernel/context.js';

interface TokenSource {
  identifyToken(token: string, request: { requestId: string; address: string }): Promise<Actor | null>;
}

interface GraphqlRequest {
  state: { requestId: string; address: string };
  get(header: string): string;
}

const BEARER = /^bearer +([^\s]+)$/i;

/**
 * Who sends a GraphQL request. A missing, malformed or expired token is an anonymous caller: `signIn` needs none, and every
 * other verb refuses with `UNAUTHENTICATED`.
 */
export async function graphqlCaller(source: TokenSource, request: GraphqlRequest): Promise<Caller> {
  const { requestId, address } = request.state;
  const token = BEARER.exec(request.get('authorization'))?.[1];
  const actor = token ? await source.identifyToken(token, { requestId, address }) : null;
  return { actor: actor ?? { kind: 'anonymous' }, requestId, address };
}
