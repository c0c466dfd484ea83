import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { build } from 'vite';
import { QuarterdeckProvider, useConfig, useFlag } from '../../src/sdk/react/react.js';
import { buildConfigItem } from '../support/factories/config-factory.js';
import { buildWorld } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { openTestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { hasChromium, launchChromium } from './chromium.js';

const x = suite('React bindings');

const PAGE = '<!doctype html><div id="root"></div><script type="module" src="/page.js"></script>';

/** What a shop shows. */
function Shown() {
  return createElement('p', null, `${useFlag('banner', 'none')} ${useConfig('limit', 1)}`);
}

x('render on the server what the page begins with, and fallbacks without it', () => {
  const rendered = (bootstrap: object) =>
    renderToString(createElement(QuarterdeckProvider, { source: null, bootstrap }, createElement(Shown)));
  assert.is(rendered({ flags: { banner: 'new' }, config: { limit: 7 } }), '<p>new 7</p>');
  assert.is(rendered({ flags: { banner: true } }), '<p>none 1</p>', 'a value of another type');
  assert.is(renderToString(createElement(Shown)), '<p>none 1</p>', 'without a provider');
});

if (hasChromium()) {
  x('take over the page of the server as it is, then follow the flags, in strict mode', async () => {
    const test = await openTestApp();
    const world = await buildWorld(test);
    const variants = ['off', 'live'].map((value) => ({ key: value, value }));
    const rules = [{ variant: 'live' }];
    await buildFlag(world, { key: 'banner', kind: 'variant', variants, defaultVariant: 'off', rules });
    await buildConfigItem(world, { key: 'limit', value: '9' });
    const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-react-'));
    const entry = 'test/fixtures/react-page/page.ts';
    await build({
      configFile: false,
      logLevel: 'error',
      define: { 'process.env.NODE_ENV': '"development"' },
      build: { outDir: folder, emptyOutDir: true, lib: { entry, formats: ['es'], fileName: 'page' } },
    });
    const site = createServer(async ({ url = '/' }, response) => {
      const isPage = url.startsWith('/?');
      response.writeHead(200, { 'content-type': isPage ? 'text/html' : 'text/javascript' });
      response.end(isPage ? PAGE : await readFile(join(folder, basename(url))).catch(() => ''));
    });
    await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready));
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      const query = new URLSearchParams({ url: test.baseUrl, key: world.keys.live });
      await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/?${query}`);
      const shown = () => page.textContent('#shown');
      await until('the answer of the server', async () => (await shown()) === 'live 9');
      await world.live.post('/api/switch/halt-webhook', { flag_key: 'banner', reason: 'errors' });
      await until('the halt', async () => (await shown()) === 'off 9');
      assert.equal(await page.evaluate('shown'), ['of the server 7', 'live 9', 'off 9']);
      assert.equal(await page.evaluate('problems'), []);
    } finally {
      await browser.close();
      site.closeAllConnections();
      site.close();
      await test.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
}

x.run();
