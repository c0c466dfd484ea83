import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadDemo } from '../../src/http/pages/demo.js';
import { startServerProcess } from '../harness/server-process.js';
import { Client } from '../support/client.js';
import { createTestDatabase } from '../support/database.js';
import { openTestApp } from '../support/test-app.js';
import { run } from '../torture/browser.torture.js';
import { quickly } from '../torture/quickly.js';
import { hasChromium, launchChromium } from './chromium.js';

const demo = suite('the demo page');

demo('loads nothing from other hosts and allows no inline style or script', async () => {
  const { html, assets, headers } = await loadDemo();
  for (const [, url = ''] of html.matchAll(/(?:src|href)="(\/demo[^"]+)"/g)) assert.ok(assets.has(url), url);
  assert.not.match(String(headers['content-security-policy']), /unsafe|https?:|\*/);
  assert.ok(
    [...assets.keys()].some((path) => path.includes('survey-widget')),
    'the widget is a chunk of its own',
  );
});

demo('without a first run the page contains no key', async () => {
  const test = await openTestApp();
  const { status, body } = await new Client(test.baseUrl).get('/demo/settings.json');
  await test.close();
  assert.equal([status, body], [200, { key: null, flag_key: null, survey_slug: null, project_id: null }]);
});

if (hasChromium()) {
  const log = (page: Page, text: string) => page.locator('#log li', { hasText: text }).first().waitFor();

  demo('shows a newcomer changing flags, a survey, an event and a crash', async () => {
    const database = await createTestDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'quarterdeck-demo-'));
    const server = await startServerProcess({ dataDir, env: { DATABASE_URL: database.url, LOG_LEVEL: 'error' } });
    const browser = await launchChromium();
    try {
      const { api_keys: keys } = await server.firstRun();
      const page = await browser.newPage();
      const refused: string[] = [];
      page.on('console', (message) =>
        refused.push(...(/Content Security Policy/.test(message.text()) ? [message.text()] : [])),
      );
      await page.goto(`${server.url}/demo`);
      await page.locator('#state', { hasText: 'Connected as' }).waitFor();
      assert.is(await page.locator('#max-items').textContent(), '25');

      await page.click('#order');
      await log(page, 'stored the event');
      await page.locator('quarterdeck-survey').waitFor();
      await page.locator('quarterdeck-survey label').nth(9).click();
      await page.locator('quarterdeck-survey .go').click();
      await page.locator('quarterdeck-survey textarea').fill('It works.');
      await page.locator('quarterdeck-survey .go').click();
      await page.locator('quarterdeck-survey', { hasText: 'Thank you!' }).waitFor();
      await page.locator('quarterdeck-survey .go').click();

      await page.click('#crash');
      await log(page, 'stored the crash report');

      const link = page.locator('#log a', { hasText: 'crashes' });
      assert.match(String(await link.getAttribute('href')), /^\/p\/[^/]+\/live\/crashes$/);

      const halt = { flag_key: 'new_checkout', reason: 'demo' };
      const byPageKey = new Client(server.url).withKey((keys as { demo?: string }).demo ?? '');
      assert.is((await byPageKey.post('/api/switch/halt-webhook', halt)).status, 403, 'a visitor cannot halt');
      assert.is((await byPageKey.withKey(keys.live).post('/api/switch/halt-webhook', halt)).status, 200);
      await page.reload();
      await page.locator('#checkout-reason', { hasText: 'halted' }).waitFor();
      assert.equal(refused, []);
    } finally {
      await browser.close();
      await server.stop();
      await database.drop();
      await rm(dataDir, { recursive: true });
    }
  });

  demo('loses and duplicates nothing when the server dies twice under the page', () => quickly(2, run));
}

demo.run();
