import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { Metrics } from '../kernel/metrics.js';
import { type AnsweredRequest, noteAnswer } from '../kernel/requests/answered-request.js';
import { refusesMethod } from './other-methods.js';

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;
const LOOPBACK_HOST = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i;
const FORWARDING_HEADERS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
];

/** What the handler of a request reports, as far as there is one. */
type MeasuredState = Partial<AnsweredRequest>;

const arrivals = new WeakMap<object, number>();

/** Records when a request arrived that a fast path hands on, in milliseconds of the process's clock. */
export function noteArrival(message: IncomingMessage, at: number): void {
  arrivals.set(message, at);
}

/** Times every request. Routes identify themselves in Koa's state; everything else counts as `other`. */
export function measureRequests(metrics: Metrics): Middleware<MeasuredState> {
  return async (koa, next) => {
    const startedAt = arrivals.get(koa.req) ?? performance.now();
    try {
      await next();
    } finally {
      const route = koa.state.route ?? (koa.path === '/graphql' ? '/graphql' : 'other');
      const method = route === 'other' ? 'any' : koa.method;
      const seconds = (performance.now() - startedAt) / 1000;
      const { refusal = '', requestId = '' } = koa.state;
      metrics.requests.of(method, route).observe(koa.status, refusal, seconds);
      noteAnswer(koa.res, { route: route === 'other' ? '' : route, refusal, requestId });
    }
  };
}

/**
 * `GET /metrics` in Prometheus text format. With a token, only callers who send it as bearer can read it; without one, only direct callers
 * on this machine, not through a proxy. Everyone else gets a 404.
 */
export function serveMetrics(metrics: Metrics, token: string | null): Middleware {
  return async (koa, next) => {
    if (koa.path !== '/metrics' || !mayRead(koa, token)) return next();
    if (refusesMethod(koa)) return;
    koa.type = metrics.contentType;
    koa.body = await metrics.text();
  };
}

function mayRead(koa: Context, token: string | null): boolean {
  if (token !== null) return sameSecret(koa.get('authorization'), `Bearer ${token}`);
  return LOOPBACK.test(koa.req.socket.remoteAddress ?? '') && !looksForwarded(koa);
}

/**
 * Not every proxy adds a header: HAProxy keeps the public host name and adds nothing, and nginx replaces the name and, until 1.29, speaks
 * HTTP/1.0, which no scraper does.
 */
function looksForwarded(koa: Context): boolean {
  return (
    FORWARDING_HEADERS.some((name) => koa.get(name) !== '') ||
    !LOOPBACK_HOST.test(koa.get('host')) ||
    koa.req.httpVersionMinor === 0
  );
}

function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
}
