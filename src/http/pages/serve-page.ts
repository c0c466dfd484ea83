import type { Context, Middleware } from 'koa';
import type { PackagedPage, PageAsset } from './packaged-page.js';

/**
 * Koa middleware that serves a page at `basePath` and its assets below it; other paths pass through. The files are read on the first visit,
 * since most servers never get one.
 */
export function servePage(basePath: string, load: () => Promise<PackagedPage>): Middleware {
  let loading: Promise<PackagedPage> | undefined;
  return async (ctx, next) => {
    const isPage = ctx.path === basePath || ctx.path === `${basePath}/`;
    if ((!isPage && !ctx.path.startsWith(`${basePath}/`)) || (ctx.method !== 'GET' && ctx.method !== 'HEAD'))
      return next();
    loading ??= load();
    const page = await loading;
    if (isPage) {
      ctx.set(page.headers);
      ctx.body = page.html;
      return;
    }
    const asset = page.assets.get(ctx.path);
    return asset ? sendAsset(ctx, asset) : next();
  };
}

/** Answers with a page asset, compressed if the browser accepts it. */
export function sendAsset(ctx: Context, asset: PageAsset): void {
  ctx.set({
    'content-type': asset.contentType,
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  });
  const encodings = Object.keys(asset.encoded ?? {});
  if (encodings.length > 0) ctx.vary('accept-encoding');
  // Browsers list gzip first, although they like all encodings equally.
  const encoding = encodings.find((name) => ctx.acceptsEncodings(name) === name);
  if (encoding !== undefined) ctx.set('content-encoding', encoding);
  ctx.body = (encoding && asset.encoded?.[encoding]) ?? asset.content;
}
