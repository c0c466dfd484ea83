import Router from '@koa/router';
import type { Middleware } from 'koa';
import { preflight } from './cors.js';
import { type RequestState, type Route, type RunnerParts, runRoute } from './route.js';

/**
 * The REST face as one middleware. Paths without parameters are found in a map before the router is asked, because the
 * busiest ones are among them.
 */
export function restFace(routes: readonly Route[], parts: RunnerParts): Middleware<RequestState> {
  const fixed = new Map<string, Middleware<RequestState>>();
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  const methods = new Map<string, { allowed: string[]; crossOrigin: boolean }>();
  for (const row of routes) {
    const run = runRoute(row, parts);
    for (const path of [row.path, ...(row.aliases ?? [])]) {
      if (path.includes(':')) router.register(path, [row.method], run as never);
      else fixed.set(`${row.method} ${path}`, run);
      const known = methods.get(path) ?? { allowed: [], crossOrigin: false };
      known.allowed.push(row.method);
      known.crossOrigin ||= row.caller.crossOrigin;
      methods.set(path, known);
    }
  }
  for (const [path, { allowed, crossOrigin }] of methods) {
    const options = crossOrigin ? preflight(allowed) : refuseMethod(allowed);
    router.register(path, ['OPTIONS'], options as never);
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !allowed.includes(method));
    router.register(path, others, refuseMethod(allowed) as never);
  }
  const routed = router.routes() as unknown as Middleware<RequestState>;
  return (koa, next) => {
    const method = koa.method === 'HEAD' ? 'GET' : koa.method;
    const run = fixed.get(`${method} ${koa.path}`);
    return run ? run(koa, next) : routed(koa, next);
  };
}

function refuseMethod(allowed: readonly string[]): Middleware {
  return async (koa) => {
    koa.status = 405;
    koa.set('allow', allowed.join(', '));
    koa.body = { error: 'method_not_allowed' };
  };
}
