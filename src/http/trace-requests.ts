import type { Middleware } from 'koa';
import type { Tracer } from '../kernel/tracer.js';

/** One server span per request, named for its route, below the caller's span when it sends a `traceparent`. */
export function traceRequests(tracer: Tracer): Middleware<{ route?: string; refusal?: string; requestId?: string }> {
  return async (koa, next) => {
    const span = tracer.start(2, koa.get('traceparent') || undefined);
    try {
      await next();
    } finally {
      const { route, refusal, requestId = '' } = koa.state;
      span?.end(
        route ? `${koa.method} ${route}` : koa.method,
        {
          'http.request.method': koa.method,
          'http.response.status_code': koa.status,
          'url.scheme': koa.protocol,
          'quarterdeck.request_id': requestId,
          ...(route ? { 'http.route': route } : {}),
          ...(refusal ? { 'error.type': refusal } : {}),
        },
        koa.status >= 500,
      );
    }
  };
}
