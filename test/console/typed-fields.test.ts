import 'reflect-metadata';
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../browser/chromium.js';
import { buildConfigItem } from '../support/factories/config-factory.js';
import type { World } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import type { TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { inConsole } from './console-place.js';
import { openTab } from './open-tab.js';

const fields = suite('console: what is typed in a field is what is stored');

let test: TestApp;
let world: World;
let browser: Browser;

inConsole(fields, (place) => {
  ({ test, world, browser } = place);
});

const place = (...rest: string[]) => ['/p', world.projectId, 'live', ...rest].join('/');

async function storedVariants(key: string): Promise<{ key: string; value: unknown }[]> {
  const { flagByKey } = await world.owner.client.graphql<{
    flagByKey: { variants: { key: string; value: unknown }[] };
  }>(
    'query($id: ID!, $key: String!) { flagByKey(projectId: $id, environment: live, key: $key) { variants { key value } } }',
    { id: world.projectId, key },
  );
  return flagByKey.variants;
}

const VARIANTS = [
  { key: 'a', value: 'first' },
  { key: 'b', value: 'second' },
  { key: 'c', value: 3 },
];

if (hasChromium()) {
  fields('decimals are typed in the form of a JSON Schema key by key', async () => {
    const { key } = await buildConfigItem(world, {
      type: 'json',
      value: '{"share":1}',
      jsonSchema: { type: 'object', required: ['share'], properties: { share: { type: 'number' } } },
    });
    const { page, faults, close } = await openTab(browser, test.baseUrl, { user: world.owner });
    await page.goto(place('config', key));
    const share = page.getByRole('textbox', { name: 'share' });
    const text = page.getByRole('textbox', { name: 'Value', exact: true });
    const shows = (json: string) =>
      until(`the value is ${json}`, async () => ((await text.textContent()) ?? '').replaceAll(/\s/g, '') === json);
    await share.fill('');
    await share.pressSequentially('0.25');
    await shows('{"share":0.25}');
    await share.press('Backspace');
    await share.press('Backspace');
    await share.pressSequentially('50');
    assert.is(await share.inputValue(), '0.50');
    await shows('{"share":0.5}');
    await share.fill('');
    await share.pressSequentially('-1.5');
    await shows('{"share":-1.5}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    assert.equal(faults, []);
    await close();
  });
}

fields('what the fields begin with is stored where no browser is', async () => {
  const { key } = await buildFlag(world, { kind: 'variant', variants: VARIANTS, defaultVariant: 'c' });
  assert.equal(await storedVariants(key), VARIANTS);
});

fields.run();
