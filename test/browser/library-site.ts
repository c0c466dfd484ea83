import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openLocally } from '../support/receivers/open-locally.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const PAGE = `<!doctype html><html lang="en"><head><title>A shop</title><script type="module" src="/page.js"></script></head>
<body><main><h1>A shop</h1><label>Name <input id="name"></label><button id="buy" class="primary">Buy</button></main></body></html>`;

const SCRIPT = `import { createQuarterdeck } from '/browser.js';
globalThis.createQuarterdeck = createQuarterdeck;
globalThis.violations = [];
globalThis.keysSeen = [];
addEventListener('keydown', ({ key }) => keysSeen.push(key));
addEventListener('securitypolicyviolation', ({ violatedDirective, sample }) => violations.push(violatedDirective + ' ' + sample));
`;

/** The packed browser library: the folder of its files. */
export interface PackedLibrary {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Bundles the library as its users get it, into a separate folder, because test files run in parallel. */
export async function packBrowserLibrary(): Promise<PackedLibrary> {
  const out = await mkdtemp(join(tmpdir(), 'quarterdeck-libraries-'));
  await promisify(execFile)(process.execPath, [join(root, '.ci/pack-libraries.mjs'), '--bundle', out, 'browser']);
  return { folder: join(out, 'browser'), remove: () => rm(out, { recursive: true, force: true }) };
}

/** A site on a different origin from the server, with a strict content security policy, that serves a page with the library. */
export class LibrarySite {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** Reads the library into memory; its folder may be deleted afterwards. */
  static async open({ folder }: PackedLibrary): Promise<LibrarySite> {
    const scripts = new Map(
      readdirSync(folder)
        .filter((name) => name.endsWith('.js'))
        .map((name) => [`/${name}`, readFileSync(join(folder, name), 'utf8')]),
    );
    scripts.set('/page.js', SCRIPT);
    const server = createServer(({ url = '/' }, response) => {
      const [path = '/'] = url.split('?');
      const script = scripts.get(path);
      if (script !== undefined)
        response.writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' }).end(script);
      // A page with an opaque origin, like an ad or a preview.
      else if (path === '/sandboxed')
        response
          .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': 'sandbox allow-scripts' })
          .end(PAGE);
      else if (path === '/')
        response
          .writeHead(200, {
            'content-type': 'text/html',
            'content-security-policy':
              "default-src 'none'; script-src 'self'; style-src 'self'; connect-src http://127.0.0.1:*; require-trusted-types-for 'script'",
          })
          .end(PAGE);
      else response.writeHead(404).end();
    });
    return new LibrarySite(server, await openLocally(server));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** A site with the library as it is packed now. */
export async function openLibrarySite(): Promise<LibrarySite> {
  const packed = await packBrowserLibrary();
  try {
    return await LibrarySite.open(packed);
  } finally {
    await packed.remove();
  }
}
