import { readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildSchema, parse, validate } from 'graphql';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadApiReference } from '../../src/http/pages/api-reference.js';
import { loadPlayground } from '../../src/http/pages/playground.js';
import { PLAYGROUND_EXAMPLES } from '../../src/playground/examples.js';
import { openTestApp } from '../support/test-app.js';

const pages = suite('pages');

for (const [name, load] of Object.entries({ playground: loadPlayground, 'API reference': loadApiReference })) {
  pages(`the ${name} loads nothing from another origin`, async () => {
    const { html, assets, headers } = await load();
    const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)]
      .map(([, url]) => url ?? '')
      .filter((url) => url !== 'data:,');
    assert.ok(loaded.length > 0);
    for (const url of loaded) assert.ok(assets.has(url), `${url} is not among the assets`);
    assert.not.match(headers['content-security-policy'] ?? '', /https?:|\*|unsafe-eval/);
    assert.match(headers['content-security-policy'] ?? '', "default-src 'none'");
  });

  pages(`the ${name} has no inline script, which the policy would block`, async () => {
    const { html } = await load();
    assert.not.match(html, /<script(?![^>]* src=)/);
    assert.not.match(html, / on\w+="/);
  });
}

pages('a packaged page names its assets by content hash', async () => {
  const first = await loadApiReference('/page', '/here');
  const second = await loadApiReference('/page', '/elsewhere');
  const changed = [...second.assets.keys()].filter((path) => !first.assets.has(path));
  assert.is(changed.length, 1);
  assert.match(changed[0] ?? '', /\/page\.js$/);
});

pages('a built page names its assets by content hash, and has them compressed', async () => {
  const { assets } = await loadPlayground();
  for (const [path, { content, encoded = {} }] of assets) {
    assert.match(path, /^\/playground\/assets\/.+-[\w-]{8}\.\w+$/);
    if (encoded.br) assert.equal(brotliDecompressSync(encoded.br), content, path);
    if (encoded.gzip) assert.equal(gunzipSync(encoded.gzip), content, path);
  }
  assert.ok([...assets.values()].some(({ encoded }) => encoded?.br && encoded.gzip));
});

pages('assets are sent in an encoding that the browser can read', async () => {
  const test = await openTestApp();
  const [path] = /\/playground\/assets\/[^"]+\.js/.exec(await (await fetch(`${test.baseUrl}/playground`)).text()) ?? [];
  const asked = ['br', 'gzip', 'identity', 'gzip, deflate, br, zstd', 'br;q=0, gzip'];
  const expected = ['br', 'gzip', 'identity', 'br', 'gzip'];
  for (const [at, accepted] of asked.entries()) {
    const answer = await fetch(`${test.baseUrl}${path}`, { headers: { 'accept-encoding': accepted } });
    assert.is(answer.headers.get('content-encoding') ?? 'identity', expected[at]);
    assert.match(answer.headers.get('vary') ?? '', /accept-encoding/i);
    assert.match(await answer.text(), 'import');
  }
  await test.close();
});

pages('are served with their assets, and nothing else below them', async () => {
  const test = await openTestApp();
  for (const path of ['/playground', '/docs', '/docs/']) {
    const answer = await fetch(test.baseUrl + path);
    assert.is(answer.status, 200, path);
    assert.match(answer.headers.get('content-type') ?? '', 'text/html');
    for (const [, asset] of (await answer.text()).matchAll(/<script [^>]*src="([^"]+)"/g)) {
      const script = await fetch(test.baseUrl + asset);
      assert.is(script.status, 200, asset);
      assert.match(script.headers.get('cache-control') ?? '', 'immutable');
      assert.ok((await script.text()).length > 0);
    }
  }
  assert.is((await fetch(`${test.baseUrl}/docs/nothing.js`)).status, 404);
  assert.is((await fetch(`${test.baseUrl}/docs`, { method: 'POST' })).status, 404);
  await test.close();
});

pages('every example of the playground is valid against the schema', () => {
  const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
  for (const { query } of PLAYGROUND_EXAMPLES) {
    assert.equal(
      validate(schema, parse(query)).map(({ message }) => message),
      [],
    );
  }
});

pages('every example of the playground has an operation name, for its tab', () => {
  for (const { query } of PLAYGROUND_EXAMPLES)
    assert.match(query, /^(?:#.*\n)*(?:query|mutation|subscription) [A-Z]\w+/);
});

pages.run();
