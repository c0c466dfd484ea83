import type { RequestListener, ServerResponse } from 'node:http';
import { answeredRequest, awaitReport } from '../kernel/requests/answered-request.js';
import type { OpenSpan, Tracer } from '../kernel/tracing/tracer.js';

/** One server span per request, named for its route, as a child of the caller's span when it sends a `traceparent`. */
export function tracedRequests(tracer: Tracer, handle: RequestListener): RequestListener {
  return (request, response) => {
    const span = tracer.start('server', request.method ?? '', request.headers);
    if (span.isRecorded) endWithResponse(span, request.method ?? '', response);
    span.run(() => handle(request, response));
  };
}

function endWithResponse(span: OpenSpan, method: string, response: ServerResponse): void {
  awaitReport(response);
  response.once('close', () => {
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
}
