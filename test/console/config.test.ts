import 'reflect-metadata';
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium, launchChromium } from '../browser/chromium.js';
import { buildWorld, type World } from '../support/factories/factories.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { openTab } from './open-tab.js';

const modules = suite('console: config');

let test: TestApp;
let world: World;
let browser: Browser;

modules.before(async () => {
  test = await openTestApp();
  world = await buildWorld(test);
  if (hasChromium()) browser = await launchChromium();
});

modules.after(async () => {
  await browser?.close();
  await test.close();
});

const place = (...rest: string[]) => ['/p', world.projectId, 'live', ...rest].join('/');

async function storedValue(key: string): Promise<string | undefined> {
  const { configItemByKey } = await world.owner.client.graphql<{ configItemByKey: { defaultValue: string } | null }>(
    'query($projectId: ID!, $key: String!) { configItemByKey(projectId: $projectId, environment: live, key: $key) { defaultValue } }',
    { projectId: world.projectId, key },
  );
  return configItemByKey?.defaultValue;
}

if (hasChromium()) {
  modules('an item is made, refused by its schema, changed and rolled back after a preview', async () => {
    const { page, faults, expectFault, close } = await openTab(browser, test.baseUrl, { user: world.owner });
    await page.goto(place('config'));
    await page.getByRole('button', { name: 'New item' }).first().click();
    await page.getByLabel(/^Key/).fill('shop.banner');
    await page.getByRole('radiogroup', { name: 'Type' }).getByText('json').click();
    await page.getByRole('textbox', { name: 'Value' }).fill('{"title":"Sale"}');
    await page.getByRole('button', { name: 'Create item' }).click();
    await page.getByRole('heading', { name: 'shop.banner', level: 1 }).waitFor();
    await page
      .getByRole('textbox', { name: 'JSON Schema' })
      .fill('{"type":"object","properties":{"title":{"type":"string"}}}');
    await page.getByRole('textbox', { name: 'Value', exact: true }).fill('{"title":12}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('title').waitFor();
    await expectFault('SCHEMA_VIOLATION');
    await page.getByRole('textbox', { name: 'Value', exact: true }).fill('{"title":"Autumn sale"}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    assert.match((await storedValue('shop.banner')) ?? '', 'Autumn sale');
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Restore' }).last().click();
    await page.getByRole('dialog').locator('.cm-content').getByText('Sale').first().waitFor();
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByText('Back to version 1.').waitFor();
    assert.equal(JSON.parse((await storedValue('shop.banner')) ?? ''), { title: 'Sale' });
    assert.equal(faults, []);
    await close();
  });
}

modules('what the pages ask is answered where no browser is', async () => {
  await world.live.get('/api/v1/handshake?distinct_id=a');
  assert.is(await storedValue('nothing.here').catch(() => undefined), undefined);
});

modules.run();
