import type { IncomingMessage } from 'node:http';
import type { Middleware, ParameterizedContext } from 'koa';
import type { BodyBudget, BodyHolding } from '../../kernel/bodies/body-budget.js';
import { bodyFailure } from '../../kernel/bodies/body-failures.js';
import { RequestBytes, refuseAnnounced } from '../../kernel/bodies/request-bytes.js';
import { DomainError } from '../../kernel/errors.js';
import { leaveUnread } from '../../kernel/requests/hang-up.js';
import { begunRequest } from './begun-request.js';
import type { GraphqlRequest } from './caller.js';

const METHODS = ['GET', 'POST'];

/** Size limits for the bodies of GraphQL requests. */
export interface GraphqlBodies {
  /** Maximum bytes of a JSON body, after decompression. */
  readonly jsonCap: number;
  /** Maximum bytes of a multipart body. */
  readonly multipartCap: number;
  readonly budget: BodyBudget;
}

/** Reads the JSON body of a GraphQL request; an unreadable body is rejected with a GraphQL error. */
export function graphqlBody(bodies: GraphqlBodies): Middleware<{ address: string }> {
  return async (koa, next) => {
    // A multipart body has already been read.
    if (koa.path !== '/graphql' || koa.is('multipart/*')) return next();
    if (!METHODS.includes(koa.method)) {
      koa.status = 405;
      koa.set('allow', METHODS.join(', '));
      koa.body = refusal('Send GraphQL requests by GET or POST.', 'METHOD_NOT_ALLOWED');
      return;
    }
    const holding = bodies.budget.open(koa.state.address);
    try {
      // The Apollo integration answers 500 to a POST without a body; an empty object is rejected as a request without a query.
      const isJson = koa.method === 'POST' && Boolean(koa.is('json', '+json'));
      const given = begunRequest(koa.req)?.body ?? (isJson ? readOperation(koa.req, bodies.jsonCap, holding) : null);
      (koa.request as { body?: unknown }).body = (await given) ?? {};
    } catch (error) {
      holding.close();
      if (refuseBody(koa, error, bodies.jsonCap)) return;
      throw error;
    }
    await next().finally(() => holding.close());
  };
}

/** The text of the request's document; empty when it names a stored document or is malformed. */
export function documentOf({ method, query, request }: Pick<GraphqlRequest, 'method' | 'query' | 'request'>): string {
  const given = method === 'POST' ? (request.body as { query?: unknown } | undefined)?.query : query.query;
  return typeof given === 'string' ? given : '';
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** The JSON of a request; null when there is none, or none that could be an operation. Fails like {@link RequestBytes}. */
export async function readOperation(
  message: IncomingMessage,
  cap: number,
  holding: BodyHolding,
): Promise<object | null> {
  refuseAnnounced(message, cap);
  const bytes = await new RequestBytes(message, cap, holding).all();
  if (bytes.length === 0) return null;
  try {
    const value: unknown = JSON.parse(UTF_8.decode(bytes));
    return typeof value === 'object' ? value : null;
  } catch {
    throw bodyFailure('invalid_body');
  }
}

/** Answers a request whose body can't be read; false for any other error. */
export function refuseBody(koa: ParameterizedContext, error: unknown, cap: number): boolean {
  const row = error instanceof DomainError ? REFUSALS[error.code] : undefined;
  if (row === undefined) return false;
  if (leaveUnread(koa.req, koa.res)) koa.set('connection', 'close');
  koa.status = row.status;
  koa.body = refusal(row.message(cap), row.code);
  return true;
}

const NOT_JSON = { status: 400, code: 'BAD_REQUEST', message: () => 'The request body is not valid JSON in UTF-8.' };

const REFUSALS: Readonly<Record<string, { status: number; code: string; message: (cap: number) => string }>> = {
  invalid_body: NOT_JSON,
  body_cut_off: NOT_JSON,
  payload_too_large: {
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
    message: (cap) => `The request body is larger than ${cap} bytes.`,
  },
  bodies_exhausted: {
    status: 503,
    code: 'UNAVAILABLE',
    message: () => bodyFailure('bodies_exhausted').message,
  },
};

/** A response that rejects a request before its operation runs. */
export const refusal = (message: string, code: string) => ({ errors: [{ message, extensions: { code } }] });
