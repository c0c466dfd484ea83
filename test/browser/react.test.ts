import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildConfigItem } from '../support/factories/config-factory.js';
import { buildProject, buildWorld, type World } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { buildSurvey } from '../support/factories/survey-factory.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { viteBuild } from '../support/vite-build.js';
import { type BuiltSite, openBuiltSite } from './built-site.js';
import { hasChromium, launchChromium } from './chromium.js';

const x = suite('React bindings');

x('render the initial values on the server, and fallbacks without it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-react-'));
  try {
    await viteBuild({
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
  let test: TestApp;
  let world: World;
  let site: BuiltSite;
  let browser: Browser;

  x.before(async () => {
    test = await openTestApp();
    world = await buildWorld(test);
    site = await openBuiltSite('test/fixtures/react-page/page.ts');
    browser = await launchChromium();
  });
  x.before.each(async () => {
    if (test) world = await buildProject(world);
  });
  x.after(async () => {
    await browser?.close();
    await site?.close();
    await test?.close();
  });

  const open = async (more: Record<string, string> = {}): Promise<Page> => {
    const variants = ['off', 'live'].map((value) => ({ key: value, value }));
    const rules = [{ variant: 'live' }];
    await buildFlag(world, { key: 'banner', kind: 'variant', variants, defaultVariant: 'off', rules });
    const page = await browser.newPage();
    await page.goto(`${site.url}?${new URLSearchParams({ url: test.baseUrl, key: world.keys.live, ...more })}`);
    return page;
  };
  const halt = () => world.live.post('/api/switch/halt-webhook', { flag_key: 'banner', reason: 'errors' });

  x("hydrate the server's markup unchanged, then follow the flags, in strict mode", async () => {
    await buildConfigItem(world, { key: 'limit', value: '9' });
    const page = await open();
    const shown = () => page.textContent('#shown');
    await until('the answer of the server', async () => (await shown()) === 'live 9');
    await halt();
    await until('the halt', async () => (await shown()) === 'off 9');
    assert.equal(await page.evaluate('shown'), ['of the server 7', 'live 9', 'off 9']);
    assert.equal(await page.evaluate('problems'), []);
  });

  x('show one consistent value everywhere, even beside suspended parts, and render only when needed', async () => {
    await buildConfigItem(world, { key: 'list', type: 'json', value: '{"words":["a"]}' });
    const page = await open({ whole: '1' });
    await page.locator('i', { hasText: 'live' }).waitFor();
    await page.locator('b', { hasText: 'a' }).waitFor();
    const before = await page.evaluate<number>('counted.renders');
    await halt();
    await page.locator('i', { hasText: 'off' }).waitFor();
    const shown = await page.evaluate<string[]>('shown');
    assert.equal(
      shown.filter((text) => text.includes('live') && text.includes('off')),
      [],
    );
    assert.is(await page.evaluate('counted.renders'), before, 'the list is unchanged');
    assert.equal(await page.evaluate('problems'), []);
  });

  x('show a survey once while it is rendered, and report when it is gone', async () => {
    await buildSurvey(world, { name: 'nps' });
    const page = await open({ whole: '1' });
    const cards = page.locator('quarterdeck-survey');
    await page.click('#ask');
    await cards.waitFor();
    assert.is(await cards.count(), 1, 'strict mode mounts twice');
    await page.click('#ask');
    assert.equal([await cards.count(), await page.evaluate('counted.ends')], [0, []]);
    await page.click('#ask');
    await page.locator('quarterdeck-survey .close').click();
    await until('the end', async () => (await page.evaluate<boolean[]>('counted.ends')).length > 0);
    assert.equal(await page.evaluate('counted.ends'), [true]);

    await page.click('#ask');
    await page.route('**/api/pulse/surveys/nps*', (route) => route.abort());
    await page.click('#ask');
    await until(
      'the report that there is none',
      async () => (await page.evaluate<boolean[]>('counted.ends')).length > 1,
    );
    assert.equal(await page.evaluate('counted.ends'), [true, false]);
  });
}

x.run();
