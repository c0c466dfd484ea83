import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildWorld } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { openCount } from '../support/subscription.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { hasChromium, launchChromium } from './chromium.js';

const pages = suite('pages of packages');

if (hasChromium()) {
  let test: TestApp;
  let browser: Browser;

  pages.before(async () => {
    test = await openTestApp({ worker: true });
    browser = await launchChromium();
  });
  pages.after(async () => {
    await browser?.close();
    await test?.close();
  });

  for (const [path, shown] of [
    ['/docs', 'h2'],
    ['/playground', '.graphiql-editor'],
  ] as const) {
    pages(`${path} opens without an error and requests nothing from other hosts`, async () => {
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => {
        if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(test.baseUrl))
          complaints.push(request.url());
      });
      await page.goto(`${test.baseUrl}${path}`);
      await page.locator(shown).first().waitFor();
      await page.waitForLoadState('networkidle');
      assert.equal(complaints, []);
      await page.close();
    });
  }

  pages("the playground shows a subscription's answers as they arrive", async () => {
    const world = await buildWorld(test);
    const page = await browser.newPage({ permissions: ['clipboard-write'] });
    await page.goto(`${test.baseUrl}/playground`);
    await page.locator('#token').fill(world.owner.token);
    await page.locator('#token').blur();
    await page.getByText('Watch', { exact: true }).click();
    // If it were typed, the editor would add closing brackets.
    const paste = async (editor: string, text: string) => {
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
      await page.locator(`${editor} .monaco-editor`).first().click();
      await page.keyboard.press('Control+A');
      await page.keyboard.press('Control+V');
    };
    await paste('.graphiql-editor-tool', JSON.stringify({ projectId: world.projectId }));
    await page.getByRole('button', { name: /^Execute/ }).click();
    await page.getByRole('button', { name: /^Stop/ }).waitFor();
    const shown = page.locator('.graphiql-response');
    await until('the stream is open', async () => (await openCount(test)) === 1);
    const { id } = await buildFlag(world);
    await until('the flag', async () => (await shown.textContent())?.includes(id));
    await page.getByRole('button', { name: /^Stop/ }).click();
    await until('the subscription has ended', async () => (await openCount(test)) === 0);
    const other = 'subscription Other($projectId: ID!) { projectChanged(projectId: $projectId) { kind } }';
    await paste('.graphiql-query-editor', other);
    await page.keyboard.press('Control+Enter');
    await until('pasted text runs at once', async () => (await openCount(test)) === 1);
    await page.close();
  });
}

pages.run();
