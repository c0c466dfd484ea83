import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type PackagedPage, type PageAsset, pageHeaders } from './packaged-page.js';

const BUILT_PAGES = fileURLToPath(new URL('../../../browser', import.meta.url));

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
};

const ENCODINGS = { br: '.br', gzip: '.gz' };

/** A page that the build put into `dist/browser`, with its hashed assets. */
export async function builtPage(name: string, basePath: string, policy: string): Promise<PackagedPage> {
  const folder = join(BUILT_PAGES, name);
  const files = (await readdir(join(folder, 'assets'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && extname(entry.name) in CONTENT_TYPES)
    .map((entry) => join(entry.parentPath, entry.name));
  const assets = await Promise.all(
    files.map(
      async (file): Promise<[string, PageAsset]> => [`${basePath}/${relative(folder, file)}`, await asset(file)],
    ),
  );
  return {
    html: await readFile(join(folder, 'index.html'), 'utf8'),
    headers: pageHeaders(policy),
    assets: new Map(assets),
  };
}

async function asset(file: string): Promise<PageAsset> {
  const encoded = await Promise.all(
    Object.entries(ENCODINGS)
      .filter(([, ending]) => existsSync(file + ending))
      .map(async ([encoding, ending]) => [encoding, await readFile(file + ending)] as const),
  );
  return {
    contentType: CONTENT_TYPES[extname(file)] ?? 'application/octet-stream',
    content: await readFile(file),
    encoded: Object.fromEntries(encoded),
  };
}
