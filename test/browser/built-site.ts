import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { openLocally } from '../support/receivers/open-locally.js';
import { viteBuild } from '../support/vite-build.js';

const PAGE = '<!doctype html><div id="root"></div><script type="module" src="/page.js"></script>';

/** A site with one page, whose script is bundled from a file. */
export interface BuiltSite {
  /** Address of the page. The page reads its own query string. */
  readonly url: string;
  close(): Promise<void>;
}

/** Bundles the script `entry` (a path from the repository root) and serves a page that runs it. */
export async function openBuiltSite(entry: string): Promise<BuiltSite> {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-page-'));
  await viteBuild({
    define: { 'process.env.NODE_ENV': '"development"' },
    build: { outDir: folder, emptyOutDir: true, lib: { entry, formats: ['es'], fileName: 'page' } },
  });
  const site = createServer(async ({ url = '/' }, response) => {
    const isPage = url.startsWith('/?');
    response.writeHead(200, { 'content-type': isPage ? 'text/html' : 'text/javascript' });
    response.end(isPage ? PAGE : await readFile(join(folder, basename(url))).catch(() => ''));
  });
  const origin = await openLocally(site);
  return {
    url: `${origin}/`,
    close: async () => {
      site.closeAllConnections();
      site.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
