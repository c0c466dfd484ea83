import type { Middleware } from 'koa';

const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** The headers that {@link securityHeaders} gives an answer which is data and has a cache rule of its own, as pairs. */
export function securityHeadersOfData(publicUrl: string): readonly string[] {
  return [...Object.entries(always(publicUrl)).flat(), 'content-security-policy', DATA_POLICY];
}

/**
 * What every answer says to browsers: no guessing of types, no frames, no referrer, nothing to run, and no copy in any cache
 * unless the route says so. A route's own headers stand. With HTTPS in front, browsers are asked to keep using it.
 */
export function securityHeaders(publicUrl: string): Middleware {
  const headers = { ...always(publicUrl), 'content-security-policy': DATA_POLICY };
  return async (koa, next) => {
    koa.set(headers);
    await next();
    const { res } = koa;
    if (res.headersSent) return;
    if (!res.hasHeader('cache-control') && !res.hasHeader('etag')) res.setHeader('cache-control', 'no-store');
  };
}

function always(publicUrl: string): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}
