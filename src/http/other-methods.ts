import type { Context } from 'koa';

/** Answers 405 to every method but GET and HEAD, and says whether it did. */
export function refusesMethod(koa: Context): boolean {
  if (koa.method === 'GET' || koa.method === 'HEAD') return false;
  koa.status = 405;
  koa.set('allow', 'GET, HEAD');
  koa.body = { error: 'method_not_allowed' };
  return true;
}
