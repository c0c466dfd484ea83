import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { build } from 'vite';
import { buildConfigItem } from '../support/factories/config-factory.js';
import { buildWorld } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { openTestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { hasChromium, launchChromium } from './chromium.js';

const x = suite('React bindings');

const PAGE = '<!doctype html><div id="root"></div><script type="module" src="/page.js"></script>';

x('render on the server what the page begins with, and fallbacks without it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-react-'));
  try {
    await build({
      configFile: false,
      logLevel: 'error',
      ssr: { noExternal: true },
      build: {
        outDir: folder,
        emptyOutDir: true,
        ssr: 'test/fixtures/react-page/rendered.ts',
        rolldownOptions: { output: { entryFileNames: 'rendered.mjs' } },
      },
    });
    const program = `import(${JSON.stringify(join(folder, 'rendered.mjs'))}).then((made) => { console.log(JSON.stringify(made.rendered)); process.exit(); });`;
    const rendered = JSON.parse(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' }));
    const paragraph = (text: string) => `<p id="shown">${text}</p>`;
    assert.equal(rendered, [paragraph('new 7'), paragraph('none 1'), paragraph('none 1')]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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
