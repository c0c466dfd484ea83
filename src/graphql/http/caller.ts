import { GraphQLError } from 'graphql';
import type { Actor } from '../../kernel/actor.js';
import type { Caller } from '../../kernel/context.js';
import { isDatabaseUnavailable } from '../../kernel/database/database-failures.js';
import { commonFailure } from '../../kernel/errors.js';
import { bearerTokenOf } from '../../kernel/requests/bearer.js';
import { sessionTokenOf } from './session-cookie.js';

interface TokenSource {
  identifyToken(token: string, request: { requestId: string; address: string }): Promise<Actor | null>;
}

export interface GraphqlRequest {
  readonly state: { readonly requestId: string; readonly address: string };
  readonly method: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly request: { readonly body?: unknown };
  get(header: string): string;
  set(header: string, value: string): void;
}

/**
 * The caller of a GraphQL request, identified by the bearer token or else the session cookie. A missing, malformed or expired token makes
 * an anonymous caller: `signIn` accepts that, and every other verb refuses with `UNAUTHENTICATED`. If the database can't tell, the answer
 * is 503 with `UNAVAILABLE`.
 */
export async function graphqlCaller(
  source: TokenSource,
  request: Pick<GraphqlRequest, 'state' | 'get'>,
): Promise<Caller> {
  const { requestId, address } = request.state;
  const token = bearerTokenOf(request.get('authorization')) ?? sessionTokenOf(request);
  const actor = token ? await source.identifyToken(token, { requestId, address }).catch(refuseWithoutDatabase) : null;
  return { actor: actor ?? { kind: 'anonymous' }, requestId, address };
}

/** The caller's session token; null when a bearer token takes precedence, as no other credentials do. */
export function callingSessionOf(request: Pick<GraphqlRequest, 'get'>): string | null {
  return bearerTokenOf(request.get('authorization')) === null ? sessionTokenOf(request) : null;
}

/** Apollo answers 500 to anything else thrown before an operation begins. */
function refuseWithoutDatabase(error: unknown): never {
  if (!isDatabaseUnavailable(error)) throw error;
  const { message } = commonFailure('unavailable');
  throw new GraphQLError(message, {
    originalError: error as Error,
    extensions: { code: 'UNAVAILABLE', details: {}, http: { status: 503 } },
  });
}
