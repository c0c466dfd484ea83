import type { Middleware } from 'koa';

const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** The {@link securityHeaders} of a data response with its own cache rule, as pairs. */
export function securityHeadersOfData(publicUrl: string): readonly string[] {
  return [...Object.entries(always(publicUrl)).flat(), 'content-security-policy', DATA_POLICY];
}

/**
 * Security headers of every response: no MIME sniffing, no framing, no referrer, nothing executable, and no caching unless the route allows
 * it. A route's own headers win. Behind HTTPS, browsers are told to keep using it.
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
