import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** One asset of a page. Its path contains a hash of its content, so it may be cached forever. */
export interface PageAsset {
  contentType: string;
  content: Buffer;
  /** The same content compressed, by its `Accept-Encoding` name. */
  encoded?: Readonly<Record<string, Buffer>>;
}

/** A page, its headers, and its assets by path. */
export interface PackagedPage {
  html: string;
  headers: Readonly<Record<string, string>>;
  assets: ReadonlyMap<string, PageAsset>;
}

/** What a page is made of, in the order in which browsers load it. */
export interface PageParts {
  title: string;
  /** The HTML between `<body>` and the scripts. */
  body: string;
  styles: readonly NamedFile[];
  scripts: readonly NamedFile[];
}

interface NamedFile {
  name: string;
  content: Buffer | string;
}

/** Nothing from other origins. The packaged pages set inline styles and embed fonts and pictures as data URIs, hence those allowances. */
export const PACKAGED_PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function pageHeaders(policy: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'no-cache',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}

/** A file of an installed package, so that pages work offline. */
export function packagedFile(name: string, file: string): Promise<Buffer> {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  return readFile(join(dirname(manifest), file));
}

/** Assembles a page. */
export function packagedPage(basePath: string, { title, body, styles, scripts }: PageParts): PackagedPage {
  const assets = new Map<string, PageAsset>();
  const add =
    (contentType: string) =>
    ({ name, content }: NamedFile): string => {
      const bytes = Buffer.from(content);
      const path = `${basePath}/${hash('sha256', bytes).slice(0, 16)}/${name}`;
      assets.set(path, { contentType, content: bytes });
      return path;
    };
  const stylePaths = styles.map(add('text/css; charset=utf-8'));
  const scriptPaths = scripts.map(add('text/javascript; charset=utf-8'));
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
${stylePaths.map((path) => `<link rel="stylesheet" href="${path}">`).join('\n')}
</head>
<body>
${body}
${scriptPaths.map((path) => `<script defer src="${path}"></script>`).join('\n')}
</body>
</html>
`;
  return { html, headers: pageHeaders(PACKAGED_PAGE_POLICY), assets };
}
