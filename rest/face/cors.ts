import type { Context, Middleware } from 'koa';

const ALLOWED_HEADERS = [
  'content-type, content-encoding, x-api-key, if-none-match, idempotency-key, last-event-id, cache-control',
  'quarterdeck-refetch',
  // Headers that applications and their tracing add to all their requests.
  'authorization, traceparent, tracestate, baggage',
].join(', ');

const EXPOSED_HEADERS = 'ETag, x-request-id, quarterdeck-stream, quarterdeck-timed';

/** Headers that let browsers of any origin read a response; names and values alternating. Credentials are never involved. */
export const corsHeaders: readonly string[] = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  EXPOSED_HEADERS,
];

/** Adds them to a response of the web framework. */
export function allowReading(koa: Pick<Context, 'set'>): void {
  for (let at = 0; at < corsHeaders.length; at += 2) koa.set(corsHeaders[at] as string, corsHeaders[at + 1] as string);
}

export function preflight(methods: readonly string[]): Middleware {
  return async (koa) => {
    allowReading(koa);
    koa.set('access-control-allow-methods', methods.join(', '));
    koa.set('access-control-allow-headers', ALLOWED_HEADERS);
    koa.set('access-control-max-age', '86400');
    koa.status = 204;
  };
}
