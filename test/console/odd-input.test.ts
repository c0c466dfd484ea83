import 'reflect-metadata';
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium, launchChromium } from '../browser/chromium.js';
import { buildConfigItem } from '../support/factories/config-factory.js';
import { buildWorld, type World } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { openTab } from './open-tab.js';

const odd = suite('console: odd input');

let test: TestApp;
let world: World;
let browser: Browser;

odd.before(async () => {
  test = await openTestApp();
  world = await buildWorld(test);
  if (hasChromium()) browser = await launchChromium();
});

odd.after(async () => {
  await browser?.close();
  await test.close();
});

/** A word that is wider than any screen, markup, and another direction. */
const TEXTS = ['m'.repeat(200), '<script>alert(1)</script><img src=x onerror=alert(2)>', 'مرحبا (1) 🚀'];
const LONG_KEY = 'k'.repeat(200);

async function survey(name: string): Promise<string> {
  const { createSurvey } = await world.owner.client.graphql<{ createSurvey: { id: string } }>(
    'mutation($input: CreateSurveyInput!) { createSurvey(input: $input) { id } }',
    { input: { projectId: world.projectId, name, kind: 'nps', questions: [{ kind: 'nps', prompt: name }] } },
  );
  return createSurvey.id;
}

if (hasChromium()) {
  odd('long words, markup and other directions are text, and make no page or survey wider', async () => {
    await buildFlag(world, { key: LONG_KEY, description: TEXTS[0] ?? '' });
    const rows = Array.from({ length: 4_000 }, (_, id) => ({ id, name: `row ${id}`, tags: ['a', 'b'] }));
    const { key: big } = await buildConfigItem(world, { type: 'json', value: JSON.stringify({ rows }) });
    const surveys = await Promise.all(TEXTS.map(survey));
    const tab = await openTab(browser, test.baseUrl, { user: world.owner, width: 375 });
    const { page } = tab;
    const spoken: string[] = [];
    page.on('dialog', (question) => {
      spoken.push(question.message());
      void question.dismiss();
    });
    const found: string[] = [];
    for (const path of [
      'flags',
      `flags/${LONG_KEY}`,
      'surveys',
      ...surveys.map((id) => `surveys/${id}`),
      `config/${big}`,
    ]) {
      await page.goto(`/p/${world.projectId}/live/${path}${path.startsWith('surveys/') ? '?tab=questions' : ''}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await tab.settle();
      const overflow = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
      if (overflow > 0) found.push(`${path} is ${overflow} px wider than the screen`);
      for (const card of await page.locator('.card').all()) {
        const hidden = (await card.evaluate('(card) => card.scrollWidth - card.clientWidth')) as number;
        if (hidden > 0) found.push(`the survey of ${path} is ${hidden} px wider than its card`);
      }
    }
    assert.equal([...found, ...spoken, ...tab.faults], []);
    page.removeAllListeners('dialog');
    await tab.close();
  });
}

odd('a name of 200 characters is taken where no browser is', async () => {
  assert.ok(await survey('n'.repeat(200)));
});

odd.run();
