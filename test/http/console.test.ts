import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadConsole } from '../../src/http/pages/console.js';
import { openTestApp, type TestApp } from '../support/test-app.js';

const FIRST_LOAD_BYTES = 250 * 1024;

const pages = suite('console over HTTP');

let test: TestApp;

pages.before(async () => {
  test = await openTestApp();
});

pages.after(() => test.close());

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

pages('every address within the console serves its page, but only to browsers', async () => {
  for (const path of ['/', '/sign-in', '/p/some/live/flags', '/nothing/here']) {
    const page = await fetch(test.baseUrl + path, { headers: HTML });
    assert.is(page.status, 200, path);
    assert.match(page.headers.get('content-type') ?? '', 'text/html');
    assert.is(page.headers.get('cache-control'), 'no-cache');
    const program = await fetch(test.baseUrl + path);
    assert.is(program.status, 404, path);
    assert.equal(await program.json(), { error: 'not_found' });
  }
  assert.is((await fetch(test.baseUrl, { method: 'HEAD', headers: HTML })).status, 200);
  assert.is((await fetch(test.baseUrl, { method: 'POST', headers: HTML })).status, 404);
});

pages('API paths keep their answers, even for browsers', async () => {
  const all = [
    '/api/nothing',
    '/ofrep/nothing',
    '/objects/nothing',
    '/metrics/nothing',
    '/docs/nothing.js',
    '/assets/nothing.js',
  ];
  for (const path of all) {
    const [browser, program] = await Promise.all([
      fetch(test.baseUrl + path, { headers: HTML }),
      fetch(test.baseUrl + path),
    ]);
    assert.is(browser.status, program.status, path);
    assert.is(await browser.text(), await program.text(), path);
  }
  assert.is((await fetch(`${test.baseUrl}/healthz`, { headers: HTML })).status, 200);
});

pages('the policy allows nothing from other hosts and no inline script; each answer has its own nonce', async () => {
  const nonces = new Set<string>();
  for (let visit = 0; visit < 3; visit++) {
    const answer = await fetch(test.baseUrl, { headers: HTML });
    const policy = answer.headers.get('content-security-policy') ?? '';
    assert.match(policy, "default-src 'self'");
    assert.match(policy, "script-src 'self';");
    assert.not.match(policy, /unsafe|https?:|\*/);
    const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? [];
    const html = await answer.text();
    assert.ok(html.includes(`content="${nonce}"`));
    assert.not.match(html, /<script(?![^>]* src=)| on\w+=|__STYLE_NONCE__/);
    nonces.add(nonce);
  }
  assert.is(nonces.size, 3);
});

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
}

pages('what loads before the first page is at most 250 kB of script, without the editor or the charts', async () => {
  const { assets } = await loadConsole();
  const manifest = JSON.parse(readFileSync('dist/browser/console/.vite/manifest.json', 'utf8')) as Record<
    string,
    Chunk
  >;
  const eager = new Map<string, Chunk>();
  const walk = (name: string): void => {
    const chunk = manifest[name];
    if (!chunk || eager.has(name)) return;
    eager.set(name, chunk);
    for (const next of chunk.imports ?? []) walk(next);
  };
  for (const [name, { isEntry }] of Object.entries(manifest)) if (isEntry) walk(name);
  const sizes = [...eager.values()].map(({ file }) => {
    const asset = assets.get(`/${file}`);
    return (asset?.encoded?.gzip ?? asset?.content)?.length ?? Number.NaN;
  });
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(total <= FIRST_LOAD_BYTES, `${total} bytes before the first page`);
  const text = [...eager.values()].map(({ file }) => assets.get(`/${file}`)?.content.toString() ?? '').join();
  assert.not.match(text, /cm-editor|recharts/);
});

pages.run();
