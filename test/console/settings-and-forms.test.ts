import 'reflect-metadata';
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium, launchChromium } from '../browser/chromium.js';
import { buildConfigItem } from '../support/factories/config-factory.js';
import { buildWorld, type World } from '../support/factories/factories.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { openTab } from './open-tab.js';

const settings = suite('console: settings, and values by their schema');

let test: TestApp;
let world: World;
let browser: Browser;

settings.before(async () => {
  test = await openTestApp();
  world = await buildWorld(test);
  if (hasChromium()) browser = await launchChromium();
});

settings.after(async () => {
  await browser?.close();
  await test.close();
});

const place = (...rest: string[]) => ['/p', world.projectId, 'live', ...rest].join('/');

async function ask<T>(query: string): Promise<T> {
  return world.owner.client.graphql<T>(query, query.includes('$id') ? { id: world.projectId } : {});
}

const SCHEMA = {
  type: 'object',
  required: ['title'],
  properties: {
    title: { type: 'string', maxLength: 40 },
    size: { enum: ['small', 'large'] },
    limit: { type: 'integer', minimum: 1, maximum: 9 },
    isOn: { type: 'boolean' },
    links: { type: 'array', items: { type: 'object', required: ['url'], properties: { url: { type: 'string' } } } },
  },
};

if (hasChromium()) {
  settings(
    'keys, tokens and members are made, seen, changed and taken away, each after it is said what goes along',
    async () => {
      const { page, faults, close } = await openTab(browser, test.baseUrl, { user: world.owner });
      await page.goto(place('settings'));
      await page.getByLabel('Name', { exact: true }).fill('Renamed');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();

      await page.getByRole('tab', { name: /keys/i }).click();
      await page.getByLabel('New key for live').fill('journey');
      await page.getByRole('button', { name: 'Make key' }).click();
      await page.getByRole('button', { name: 'It is kept' }).click();
      const key = page.getByRole('row', { name: /^journey/ });
      await key.getByRole('button', { name: 'Revoke' }).click();
      const question = page.getByRole('dialog', { name: 'Revoke the live key journey?' });
      await question.getByText('Every app that has it is refused').waitFor();
      await question.getByRole('button', { name: 'Revoke' }).click();
      await key.waitFor({ state: 'hidden' });

      await page.getByRole('tab', { name: /members/i }).click();
      await page.getByRole('textbox', { name: 'New member' }).fill('journey@example.com');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('button', { name: 'It is kept' }).click();
      const role = page.getByRole('combobox', { name: 'Role of journey@example.com', exact: true });
      await role.click();
      await page.getByRole('option', { name: 'editor' }).click();
      await until('the role is stored', async () => {
        const { members } = await ask<{ members: { nodes: { role: string; user: { email: string } }[] } }>(
          '{ members { nodes { role user { email } } } }',
        );
        return members.nodes.find(({ user }) => user.email === 'journey@example.com')?.role === 'editor';
      });
      await page
        .getByRole('row', { name: /journey@example/ })
        .getByRole('button', { name: 'Remove' })
        .click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('row', { name: /journey@example/ }).waitFor({ state: 'hidden' });
      const { project } = await ask<{ project: { name: string } }>('query($id: ID!) { project(id: $id) { name } }');
      assert.is(project.name, 'Renamed');
      assert.equal(faults, []);
      await close();
    },
  );

  settings('a value is filled in by its schema, beside its text', async () => {
    const { key } = await buildConfigItem(world, {
      type: 'json',
      value: JSON.stringify({ title: 'Sale' }),
      jsonSchema: SCHEMA,
    });
    const { page, faults, close } = await openTab(browser, test.baseUrl, { user: world.owner });
    await page.goto(place('config', key));
    await page.getByRole('textbox', { name: 'title' }).fill('Autumn sale');
    await page.getByRole('button', { name: 'Give size' }).click();
    await page.getByRole('combobox', { name: 'size' }).click();
    await page.getByRole('option', { name: 'large' }).click();
    await page.getByRole('button', { name: 'Give limit' }).click();
    await page.getByRole('textbox', { name: 'limit' }).fill('12');
    await page.getByText('At most 9.').waitFor();
    await page.getByRole('textbox', { name: 'limit' }).fill('7');
    await page.getByRole('button', { name: 'Give isOn' }).click();
    await page.getByRole('checkbox', { name: 'isOn' }).check();
    await page.getByRole('button', { name: 'Give links' }).click();
    await page.getByRole('button', { name: '+ links' }).click();
    await page.getByRole('textbox', { name: 'url' }).fill('/sale');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const { configItemByKey } = await world.owner.client.graphql<{ configItemByKey: { defaultValue: string } }>(
      'query($id: ID!, $key: String!) { configItemByKey(projectId: $id, environment: live, key: $key) { defaultValue } }',
      { id: world.projectId, key },
    );
    assert.equal(JSON.parse(configItemByKey.defaultValue), {
      title: 'Autumn sale',
      size: 'large',
      limit: 7,
      isOn: true,
      links: [{ url: '/sale' }],
    });
    await page.getByRole('textbox', { name: 'Value', exact: true }).fill('[1]');
    await page.getByText('another shape than the schema').waitFor();
    assert.equal(faults, []);
    await close();
  });
}

settings('the project is named where no browser is', async () => {
  const { project } = await ask<{ project: { name: string } }>('query($id: ID!) { project(id: $id) { name } }');
  assert.ok(project.name);
});

settings.run();
