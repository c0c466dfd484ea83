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

  journeys(
    'Start makes a key, its snippet sends the first event as it stands, and keys that would not are told',
    async () => {
      const { page, faults, close } = await openTab(browser, test.baseUrl, { user: world.owner });
      await page.goto(place('start'));
      const key = page.getByLabel('Project key for live');
      for (const [wrong, words] of [
        [world.keys.test, 'This key is for test'],
        ['sk_deploy_something', 'A deploy token sends no events.'],
        ['hello', 'That is no project key'],
      ] as const) {
        await key.fill(wrong);
        await page.getByText(words).waitFor();
        assert.is(await page.getByText('✓ Ready').count(), 0);
      }
      await page.getByRole('button', { name: 'Make a key' }).click();
      await page.getByText('✓ Ready').waitFor();
      await page.getByText('Waiting for it').waitFor();
      const snippet = (await page.locator('pre.code').first().textContent()) ?? '';
      const [, secret = ''] = /x-api-key: (\S+)'/.exec(snippet) ?? [];
      const [, body = ''] = /-d '([^']+)'/.exec(snippet) ?? [];
      const [address = ''] = /http\S+$/.exec(snippet) ?? [];
      const headers = { 'x-api-key': secret, 'content-type': 'application/json' };
      const answer = await fetch(address, { method: 'POST', headers, body });
      assert.is(answer.status, 200, await answer.text());
      await page.getByText('✓ Received').waitFor();
      await page.getByRole('status').getByText('first_steps').waitFor();
      assert.equal(faults, []);
      await close();
    },
  );

  journeys(
    'a person has the events of all their ids, one of which is split off; a stranger has events alone',
    async () => {
      const send = async (path: string, body: object) =>
        assert.is((await world.live.post(path, body)).status, 200, JSON.stringify(body));
      await send('/api/v1/people', { distinct_id: 'ada', properties: { plan: 'pro' } });
      await send('/api/v1/track', { event_name: 'as.ada', distinct_id: 'ada' });
      await send('/api/v1/track', { event_name: 'on.the.phone', distinct_id: 'phone' });
      await send('/api/v1/alias', { alias_id: 'phone', distinct_id: 'ada' });
      await send('/api/v1/track', { event_name: 'passing.by', distinct_id: 'stranger' });
      const { page, faults, close } = await openTab(browser, test.baseUrl, { user: world.owner });
      await page.goto(place('people', 'ada'));
      const timeline = page.getByRole('region', { name: 'Timeline' });
      await timeline.getByText('on.the.phone').waitFor();
      await timeline.getByText('as.ada').waitFor();
      await page.getByRole('button', { name: 'Split off' }).click();
      await page.getByRole('dialog', { name: 'Split off phone?' }).getByRole('button', { name: 'Split off' }).click();
      await page.getByText('phone is a person of its own again.').waitFor();
      await timeline.getByText('on.the.phone').waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Erase' }).click();
      await page.getByRole('dialog').last().getByRole('button', { name: 'Erase' }).click();
      await page.getByText('What is stored of them is being erased.').waitFor();
      await page.goto(place('people', 'stranger'));
      await page.getByText('Nothing is stored of this id but what stands here').waitFor();
      await timeline.getByText('passing.by').waitFor();
      assert.equal(faults, []);
      await close();
    },
  );
}

journeys.run();
