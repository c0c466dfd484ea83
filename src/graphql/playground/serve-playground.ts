import type { Middleware } from 'koa';
import { loadPlayground, type Playground } from './playground.js';

/**
 * Koa middleware that serves the playground at `basePath` and its assets below; other paths go on. The files are read on
 * the first visit, as most servers never get one.
 */
export function servePlayground(basePath = '/playground', graphqlPath = '/graphql'): Middleware {
  let loading: Promise<Playground> | undefined;
  return async (ctx, next) => {
    const isPage = ctx.path === basePath || ctx.path === `${basePath}/`;
    if ((!isPage && !ctx.path.startsWith(`${basePath}/`)) || (ctx.method !== 'GET' && ctx.method !== 'HEAD'))
      return next();
    loading ??= loadPlayground(basePath, graphqlPath);
    const playground = await loading;
    if (isPage) {
      ctx.set(playground.headers);
      ctx.body = playground.html;
      return;
    }
    const asset = playground.assets.get(ctx.path);
    if (!asset) return next();
    ctx.set({
      'content-type': asset.contentType,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    ctx.body = asset.content;
  };
}
