import { METHODS } from 'node:http';
import Router from '@koa/router';
import type { Middleware } from 'koa';
import type { Route } from '../route.js';
import { allowReading, preflight } from './cors.js';
import { type RunnerParts, runnerOf } from './runner.js';

/** What the server put into Koa's state before any route. */
export interface RequestState {
  requestId: string;
  address: string;
  /** Set by the matching route, for metrics. */
  route?: string;
  /** Error code of the response, for metrics. */
  refusal?: string;
}

/** The REST face as one middleware: the common path to the rows. */
export function restFace(routes: readonly Route[], parts: RunnerParts): Middleware<RequestState> {
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  // The router's types are from another Koa release, here and in the return value.
  const register = (path: string, names: string[], middleware: Middleware<RequestState>) =>
    router.register(path, names, middleware as never);
  const methods = new Map<string, { allowed: string[]; crossOrigin: boolean }>();
  for (const row of routes) {
    const run = answeredBy(row, parts);
    for (const path of [row.path, ...(row.aliases ?? [])]) {
      register(path, [row.method], run);
      const known = methods.get(path) ?? { allowed: [], crossOrigin: false };
      known.allowed.push(row.method);
      known.crossOrigin ||= row.caller.crossOrigin;
      methods.set(path, known);
    }
  }
  for (const [path, { allowed, crossOrigin }] of methods) {
    const answered = allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed;
    const refuse = refuseMethod(answered, crossOrigin);
    if (crossOrigin) register(path, ['OPTIONS'], preflight(allowed));
    const others = METHODS.filter((method) => !answered.includes(method) && !(crossOrigin && method === 'OPTIONS'));
    register(path, others, refuse);
  }
  return router.routes() as unknown as Middleware<RequestState>;
}

function answeredBy(row: Route, parts: RunnerParts): Middleware<RequestState> {
  const run = runnerOf(row, parts);
  return async (koa) => {
    koa.state.route = row.path;
    // The runner sends the response itself, as on the fast path.
    koa.respond = false;
    const { requestId, address } = koa.state;
    const { params = {} } = koa as { params?: Record<string, string> };
    koa.state.refusal = await run({ message: koa.req, response: koa.res, params, requestId, address });
  };
}

function refuseMethod(allowed: readonly string[], crossOrigin: boolean): Middleware {
  return async (koa) => {
    if (crossOrigin) allowReading(koa);
    koa.status = 405;
    koa.set('allow', allowed.join(', '));
    koa.body = { error: 'method_not_allowed' };
  };
}
