import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium, launchChromium } from '../browser/chromium.js';
import { buildWorld, type World } from '../support/factories/factories.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { openTab } from './open-tab.js';

const modules = suite('console: config and crashes');

let test: TestApp;
let world: World;
let browser: Browser;

modules.before(async () => {
  test = await openTestApp({ worker: true });
  world = await buildWorld(test);
  if (hasChromium()) browser = await launchChromium();
});

modules.after(async () => {
  await browser?.close();
  await test.close();
});

const place = (...rest: string[]) => ['/p', world.projectId, 'live', ...rest].join('/');

async function sendCrash(): Promise<void> {
  const answer = await world.live.post('/api/catch/events', {
    event_id: randomUUID(),
    timestamp: new Date().toISOString(),
    platform: 'javascript',
    release: '2.4.0',
    level: 'error',
    exception_type: 'TypeError',
    message: 'basket is undefined',
    breadcrumbs: [{ category: 'navigation', message: 'opened the basket' }],
    stacktrace: 'TypeError: basket is undefined\n    at pay (https://shop.example/app.js:10:5)',
  });
  assert.ok(answer.status < 300, answer.text);
}

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

  modules('a crash is read frame by frame, resolved, and back when it happens again; symbols are dropped', async () => {
    await sendCrash();
    await until('the crash has become an issue', async () => {
      const { crashIssues } = await world.owner.client.graphql<{ crashIssues: { nodes: unknown[] } }>(
        'query($id: ID!) { crashIssues(projectId: $id, environment: live) { nodes { id } } }',
        { id: world.projectId },
      );
      return crashIssues.nodes.length > 0;
    });
    const { page, faults, close } = await openTab(browser, test.baseUrl, { user: world.owner });
    await page.goto(place('crashes'));
    await page.getByRole('link', { name: /basket is undefined/ }).click();
    await page.getByText('opened the basket').waitFor();
    await page.getByText('Event 1 of 1').waitFor();
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('Resolved; it comes back').waitFor();
    await page.getByText('resolved', { exact: true }).waitFor();
    await page.goto(place('crashes', 'symbols'));
    await page.getByLabel('Release').fill('2.4.0');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'app.js.map', mimeType: 'application/json', buffer: Buffer.from('{"version":3}') });
    await page.getByRole('status').getByText('app.js.map:').waitFor();
    await page.goto(place('crashes', 'alerts'));
    await page.getByLabel(/^Name/).fill('Anything new');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByText('fired never').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No rule yet.').waitFor();
    assert.equal(faults, []);
    await close();
  });
}

modules('what the pages ask is answered where no browser is', async () => {
  await world.live.get('/api/v1/handshake?distinct_id=a');
  assert.is(await storedValue('nothing.here').catch(() => undefined), undefined);
});

modules.run();
