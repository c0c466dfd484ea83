import type { RequestListener } from 'node:http';
import { answeredRequest, awaitReport } from '../kernel/requests/answered-request.js';
import type { Tracer } from '../kernel/tracing/tracer.js';

/** One server span per request, named for its route, as a child of the caller's span when it sends a `traceparent`. */
export function tracedRequests(tracer: Tracer, handle: RequestListener): RequestListener {
  return (request, response) => {
    const method = request.method ?? '';
    const span = tracer.start('server', method, request.headers);
    awaitReport(response);
    response.once('close', () => {
      if (!span.isRecorded) return span.end({});
      const { route, refusal, requestId } = answeredRequest(response) ?? {};
      span.end({
        ...(route ? { name: `${method} ${route}` } : {}),
        attributes: {
          'http.request.method': method,
          'http.response.status_code': response.statusCode,
          ...(route ? { 'http.route': route } : {}),
          ...(refusal ? { 'error.type': refusal } : {}),
          ...(requestId ? { 'quarterdeck.request_id': requestId } : {}),
        },
        failed: response.statusCode >= 500,
      });
    });
    span.run(() => handle(request, response));
  };
}
