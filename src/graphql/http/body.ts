import type { Middleware } from 'koa';
import { koaBody } from 'koa-body';
import { hangUpIfUnread } from '../../kernel/hang-up.js';
import { LIMITS } from '../limits.js';

const METHODS = ['GET', 'HEAD', 'POST'];

/** Reads the JSON body of a GraphQL request, 1 MiB at most; what cannot be read is refused in GraphQL's words. */
export function graphqlBody(): Middleware {
  const read = koaBody({
    json: true,
    jsonLimit: LIMITS.bodyBytes,
    jsonStrict: false,
    text: false,
    urlencoded: false,
    multipart: false,
    onError: (error) => {
      throw error;
    },
  });
  return async (koa, next) => {
    // A multipart request was read before.
    if (koa.path !== '/graphql' || koa.is('multipart/*')) return next();
    if (!METHODS.includes(koa.method)) {
      koa.status = 405;
      koa.set('allow', METHODS.join(', '));
      koa.body = refusal('Send GraphQL requests by GET or POST.', 'METHOD_NOT_ALLOWED');
      return;
    }
    try {
      await read(koa as never, async () => undefined);
    } catch (error) {
      if (!koa.req.complete) koa.set('connection', 'close');
      hangUpIfUnread(koa.req, koa.res);
      const tooLarge = (error as { status?: unknown }).status === 413;
      koa.status = tooLarge ? 413 : 400;
      koa.body = refusal(
        tooLarge ? 'The request body is larger than 1 MiB.' : 'The request body is not JSON in UTF-8.',
        tooLarge ? 'PAYLOAD_TOO_LARGE' : 'BAD_REQUEST',
      );
      return;
    }
    const { request } = koa as unknown as { request: { body?: unknown } };
    // The Apollo integration answers 500 to a POST without a body; an empty object is refused as a request without a query.
    if (typeof request.body !== 'object' || request.body === null) request.body = {};
    return next();
  };
}

/** The text of the document that a request brings along; empty when it names a stored one or is malformed. */
export function documentOf({
  method,
  query,
  request,
}: {
  method: string;
  query: Readonly<Record<string, unknown>>;
  request: { body?: unknown };
}): string {
  const given = method === 'POST' ? (request.body as { query?: unknown } | undefined)?.query : query.query;
  return typeof given === 'string' ? given : '';
}

const refusal = (message: string, code: string) => ({ errors: [{ message, extensions: { code } }] });
