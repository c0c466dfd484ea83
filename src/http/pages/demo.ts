import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Middleware } from 'koa';
import { builtPage } from './built-page.js';
import type { PackagedPage } from './packaged-page.js';

/** The strictest possible policy: what works here works on any page that uses the browser library. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "require-trusted-types-for 'script'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const SETTINGS_PATH = '/demo/settings.json';

/** A page that uses the browser library with the demo project. */
export const loadDemo = (): Promise<PackagedPage> => builtPage('demo', '/demo', POLICY);

interface FirstRun {
  readonly project_id?: string;
  readonly api_keys?: { readonly demo?: string };
  readonly sample?: { readonly flag_key?: string; readonly survey_slug?: string };
}

/**
 * Koa middleware that tells the demo page about its project: the key created by the first run, which can read decisions and send events for
 * the demo project and nothing else. Without a first run there is no key, and the page asks for one.
 */
export function demoSettings(dataDir: string): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== SETTINGS_PATH || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    const { api_keys, sample, project_id } = await firstRunIn(dataDir);
    ctx.body = {
      key: api_keys?.demo ?? null,
      flag_key: sample?.flag_key ?? null,
      survey_slug: sample?.survey_slug ?? null,
      project_id: project_id ?? null,
    };
  };
}

async function firstRunIn(dataDir: string): Promise<FirstRun> {
  try {
    return JSON.parse(await readFile(join(dataDir, 'first-run.json'), 'utf8')) as FirstRun;
  } catch {
    return {};
  }
}
