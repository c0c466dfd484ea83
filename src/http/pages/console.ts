import { randomBytes } from 'node:crypto';
import type { Middleware } from 'koa';
import { builtPage } from './built-page.js';
import { type PackagedPage, pageHeaders } from './packaged-page.js';
import { sendAsset } from './serve-page.js';

/** Placeholder in the built page for the nonce of one response. */
const NONCE = '__STYLE_NONCE__';

/** First path segments that belong to the APIs: a 404 there keeps its API format, for browsers too. */
const PROGRAMS = new Set([
  'api',
  'assets',
  'demo',
  'docs',
  'graphql',
  'healthz',
  'metrics',
  'objects',
  'ofrep',
  'openapi.json',
  'openfeature',
  'playground',
  'readyz',
]);

/** Nothing from other origins, and no inline script. The component kit writes style elements, which the nonce allows one by one. */
const policyWith = (nonce: string): string =>
  [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The console as built, with a placeholder for its style nonce. */
export const loadConsole = (): Promise<PackagedPage> => builtPage('console', '', policyWith(NONCE));

/**
 * Koa middleware that serves the console at `/`, its assets, and the same page for every path within it: a browser that asks for HTML at an
 * unclaimed path gets the console, which does its own routing. API clients still get a 404.
 */
export function serveConsole(load: () => Promise<PackagedPage>): Middleware {
  let loading: Promise<PackagedPage> | undefined;
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    const first = ctx.path.split('/', 2)[1] ?? '';
    if (first === 'assets') {
      loading ??= load();
      const asset = (await loading).assets.get(ctx.path);
      return asset ? sendAsset(ctx, asset) : next();
    }
    if (PROGRAMS.has(first) || !/text\/html/i.test(ctx.get('accept'))) return next();
    loading ??= load();
    const { html } = await loading;
    const nonce = randomBytes(16).toString('base64');
    ctx.vary('accept');
    ctx.set(pageHeaders(policyWith(nonce)));
    ctx.body = html.replaceAll(NONCE, nonce);
  };
}
