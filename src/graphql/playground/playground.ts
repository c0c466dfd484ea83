import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { playgroundScript } from './playground-script.js';

/** One file that the playground page loads. Its path holds a hash of its content, so it may be cached for ever. */
export interface PlaygroundAsset {
  path: string;
  contentType: string;
  content: Buffer;
}

/** The page, the headers it must be sent with, and what it loads, by path. */
export interface Playground {
  html: string;
  headers: Readonly<Record<string, string>>;
  assets: ReadonlyMap<string, PlaygroundAsset>;
}

/** Nothing from elsewhere: GraphiQL sets styles on elements and carries its fonts as data URIs, hence those two allowances. */
const contentSecurityPolicy = [
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

const pageStyle = `html, body { height: 100%; margin: 0; }
body { display: flex; flex-direction: column; font-family: system-ui, sans-serif; }
header { display: flex; gap: 1rem; align-items: center; padding: 0.5rem 1rem; background: #16324f; color: #fff; }
header strong { flex: none; }
header label { display: flex; flex: 1; gap: 0.5rem; align-items: center; justify-content: flex-end; font-size: 0.875rem; }
header input { flex: 0 1 32rem; padding: 0.25rem 0.5rem; border: 0; border-radius: 4px; font-family: monospace; }
#graphiql { flex: 1; min-height: 0; }
`;

/**
 * GraphiQL with everything it needs from the installed packages, so that it works without a network.
 * @param basePath path of the page; its assets lie below
 * @param graphqlPath path of the GraphQL endpoint on the same origin
 */
export async function loadPlayground(basePath = '/playground', graphqlPath = '/graphql'): Promise<Playground> {
  const assets = new Map<string, PlaygroundAsset>();
  const add = (name: string, contentType: string, content: Buffer): string => {
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
    const path = `${basePath}/${hash}/${name}`;
    assets.set(path, { path, contentType, content });
    return path;
  };
  const script = 'text/javascript; charset=utf-8';
  const style = 'text/css; charset=utf-8';
  const styles = [
    add('graphiql.css', style, await packaged('graphiql', 'graphiql.min.css')),
    add('page.css', style, Buffer.from(pageStyle)),
  ];
  const scripts = [
    add('react.js', script, await packaged('react', 'umd/react.production.min.js')),
    add('react-dom.js', script, await packaged('react-dom', 'umd/react-dom.production.min.js')),
    add('graphiql.js', script, await packaged('graphiql', 'graphiql.min.js')),
    add('page.js', script, Buffer.from(playgroundScript(graphqlPath))),
  ];
  return { html: page(styles, scripts), headers: pageHeaders, assets };
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
  'cache-control': 'no-cache',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

function packaged(name: string, file: string): Promise<Buffer> {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  return readFile(join(dirname(manifest), file));
}

function page(styles: readonly string[], scripts: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Quarterdeck playground</title>
<link rel="icon" href="data:,">
${styles.map((path) => `<link rel="stylesheet" href="${path}">`).join('\n')}
</head>
<body>
<header>
<strong>Quarterdeck</strong>
<label>Token <input id="token" type="password" autocomplete="off" spellcheck="false" placeholder="paste one, or run the tab SignIn"></label>
</header>
<div id="graphiql"></div>
${scripts.map((path) => `<script defer src="${path}"></script>`).join('\n')}
</body>
</html>
`;
}
