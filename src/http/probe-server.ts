import { createServer, type Server } from 'node:http';
import Koa from 'koa';
import type { App } from '../app.js';
import { inTime } from '../kernel/turns/in-time.js';
import { refusesMethod } from './other-methods.js';
import { serveMetrics } from './serve-metrics.js';

const ANSWERS_WITHIN_MS = 1000;

/**
 * `/healthz`: the process is alive. `/readyz`: the database answers; without Redis, the object store, the analytics store, or a writable
 * disk it is ready but degraded.
 */
export function probes(app: App): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/healthz' && ctx.path !== '/readyz') {
      await next();
    } else if (refusesMethod(ctx)) {
      return;
    } else if (ctx.path === '/healthz') {
      ctx.body = { status: 'ok' };
    } else {
      const [ready, degraded] = await Promise.all([isSoon(app.databaseAnswers()), degradedParts(app)]);
      ctx.status = ready ? 200 : 503;
      ctx.body = ready
        ? { status: degraded.length > 0 ? 'degraded' : 'ok', degraded }
        : { error: 'database_unreachable' };
    }
  };
}

async function degradedParts(app: App): Promise<string[]> {
  const { parts, modules } = app;
  const objects = parts.objects.check().then(
    () => true,
    () => false,
  );
  const redisAway = parts.shared.redisAnswers() === false;
  const ofModules = modules.flatMap(({ degraded }) => degraded?.() ?? []);
  const [hasObjects, hasDisk] = await Promise.all([isSoon(objects), isSoon(app.diskTakesWrites())]);
  const away = { redis: redisAway, objects: !hasObjects, disk: !hasDisk };
  return [...Object.entries(away).flatMap(([part, isAway]) => (isAway ? [part] : [])), ...ofModules];
}

/** A frozen server neither answers nor fails; a probe must not hang with it. */
const isSoon = (answer: Promise<boolean>): Promise<boolean> => inTime(answer, ANSWERS_WITHIN_MS, false);

/** Only the probes and the metrics, for a process that serves nothing else. It isn't listening yet. */
export function createProbeServer(app: App): Server {
  const koa = new Koa();
  koa.use(probes(app));
  koa.use(serveMetrics(app.parts.metrics, app.options.env.metricsToken));
  return createServer(koa.callback());
}
