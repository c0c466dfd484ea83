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
 * an anonymous caller, as does a session of an organization other than the one that the request names: `signIn` accepts that, and every
 * other verb refuses with `UNAUTHENTICATED`. If the database can't tell, the answer is 503 with `UNAVAILABLE`.
 */
export async function graphqlCaller(
  source: TokenSource,
  request: Pick<GraphqlRequest, 'state' | 'get'>,
): Promise<Caller> {
  const { requestId, address } = request.state;
  const bearer = bearerTokenOf(request.get('authorization'));
  const token = bearer ?? sessionTokenOf(request);
  const actor = token ? await source.identifyToken(token, { requestId, address }).catch(refuseWithoutDatabase) : null;
  const isElsewhere = bearer === null && actor !== null && !isOfOrganization(actor, request);
  return { actor: actor === null || isElsewhere ? { kind: 'anonymous' } : actor, requestId, address };
}

/**
 * Whether the caller is in the organization that the request names, if it names one. All tabs of a browser share the session cookie: a
 * page that was opened in another organization must not act in this one.
 */
function isOfOrganization(actor: Actor, request: Pick<GraphqlRequest, 'get'>): boolean {
  const named = request.get('quarterdeck-organization');
  const user = actor.kind === 'newcomer' ? actor.user : actor;
  return named === '' || user.kind !== 'user' || user.organizationId === named;
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
