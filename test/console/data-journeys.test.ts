import 'reflect-metadata';
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium, launchChromium } from '../browser/chromium.js';
import { buildConfigItem } from '../support/factories/config-factory.js';
import { buildProject, buildWorld, type World } from '../support/factories/factories.js';
import { buildSurvey } from '../support/factories/survey-factory.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { openTab } from './open-tab.js';

const journeys = suite('console: journeys through events and archives');

let test: TestApp;
let world: World;
let browser: Browser;

journeys.before(async () => {
  test = await openTestApp();
  world = await buildWorld(test);
  if (hasChromium()) browser = await launchChromium();
});
journeys.before.each(async () => {
  world = await buildProject(world);
});
journeys.after(async () => {
  await browser?.close();
  await test.close();
});

const place = (...rest: string[]) => ['/p', world.projectId, 'live', ...rest].join('/');

if (hasChromium()) {
  journeys('events of a name are broken down by a property that they have', async () => {
    const plans = ['pro', 'pro', 'at', 'free', null];
    const operations = plans.map((plan) => ({
      type: 'track',
      payload: { event_name: 'bought', distinct_id: 'shopper', properties: plan === null ? {} : { plan } },
    }));
    assert.is((await world.live.post('/api/v1/batch', { operations })).status, 200);
    const { page, faults, close } = await openTab(browser, test.baseUrl, { user: world.owner });
    await page.goto(place('events'));
    await page.getByLabel('Event name').fill('bought');
    const panel = page.getByRole('region', { name: 'By property' });
    await panel.getByText('Choose a property').waitFor();
    await panel.getByLabel('Property').click();
    await page.getByRole('option', { name: 'plan' }).click();
    await panel.getByText('All 5 events of this time.').waitFor();
    const rows = await panel.locator('tr').allTextContents();
    assert.is(rows[0], 'pro2 (40.0 %)');
    assert.equal(new Set(rows.slice(1)), new Set(['"at"1 (20.0 %)', 'free1 (20.0 %)', '(not set)1 (20.0 %)']));
    await panel.getByLabel('Property').fill('nothing.like.it');
    await panel.getByText('(not set)').waitFor();
    assert.equal(faults, []);
    await close();
  });

  journeys('a config item and a survey say what goes along before they are archived, and come back', async () => {
    const item = await buildConfigItem(world, { key: 'most' });
    const survey = await buildSurvey(world, {});
    const { page, faults, close } = await openTab(browser, test.baseUrl, { user: world.owner });
    for (const [address, words] of [
      [place('config', item.key), 'they fall back to what is in their code'],
      [place('surveys', survey.id), 'Its responses, its results and its history stay.'],
    ] as const) {
      await page.goto(address);
      await page.getByRole('button', { name: 'Archive' }).click();
      const dialog = page.getByRole('dialog').last();
      await dialog.getByText(words).waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Archive' }).click();
      await dialog.getByRole('button', { name: 'Archive' }).click();
      await page.getByRole('button', { name: 'Take out of the archive' }).click();
      await page.getByRole('button', { name: 'Archive' }).waitFor();
    }
    assert.equal(faults, []);
    await close();
  });
}

journeys.run();
