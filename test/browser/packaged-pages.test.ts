import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openTestApp } from '../support/test-app.js';
import { hasChromium, launchChromium } from './chromium.js';

const pages = suite('pages of packages');

if (hasChromium()) {
  for (const [path, shown] of [
    ['/docs', 'h2'],
    ['/playground', '.graphiql-editor'],
  ] as const) {
    pages(`${path} opens without an error and asks no other host`, async () => {
      const test = await openTestApp();
      const browser = await launchChromium();
      try {
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
      } finally {
        await browser.close();
        await test.close();
      }
    });
  }
}

pages.run();
