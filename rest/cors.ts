import type { Middleware, ParameterizedContext } from 'koa';

const ALLOWED_HEADERS = 'content-type, x-api-key, if-none-match, idempotency-key';

const EXPOSED_HEADERS = 'ETag, x-request-id';

/** The headers of {@link setCorsHeaders}, names and values in turn. */
export const corsHeaders: readonly string[] = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  EXPOSED_HEADERS,
];

/** Browsers of any origin may read answers to calls with a key; credentials are never involved. */
export function setCorsHeaders(koa: ParameterizedContext): void {
  koa.set('access-control-allow-origin', '*');
  koa.set('access-control-expose-headers', EXPOSED_HEADERS);
}

/** Answers a preflight of a key route. */
export function preflight(methods: readonly string[]): Middleware {
  return async (koa) => {
    setCorsHeaders(koa);
    koa.set('access-control-allow-methods', methods.join(', '));
    koa.set('access-control-allow-headers', ALLOWED_HEADERS);
    koa.set('access-control-max-age', '86400');
    koa.status = 204;
  };
}
