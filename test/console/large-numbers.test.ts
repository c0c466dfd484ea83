import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../browser/chromium.js';
import { buildConfigItem } from '../support/factories/config-factory.js';
import { buildWorld } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { until } from '../support/until.js';
import { inConsole } from './console-place.js';

const numbers = suite('console: large numbers, of digits and of projects');
const here = inConsole(numbers);

const LARGE = '9007199254740993';

const buildAccount = (value: string) =>
  buildConfigItem(here.world, {
    type: 'json',
    value,
    jsonSchema: {
      type: 'object',
      properties: { account: { type: 'integer' }, share: { type: 'number' }, name: { type: 'string' } },
      required: ['account', 'share', 'name'],
    },
  });

async function storedValue(key: string): Promise<string> {
  const { configItemByKey } = await here.world.owner.client.graphql<{ configItemByKey: { defaultValue: string } }>(
    'query($id: ID!, $key: String!) { configItemByKey(projectId: $id, environment: live, key: $key) { defaultValue } }',
    { id: here.world.projectId, key },
  );
  return configItemByKey.defaultValue.replaceAll(/\s/g, '');
}

if (hasChromium()) {
  numbers('a value with one is edited as text, and as a form once it is quoted', async () => {
    const { key } = await buildAccount(`{"account":${LARGE},"share":1,"name":"a"}`);
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('config', key));
    await page.getByText(`The form would round ${LARGE}; edit it as text.`).waitFor();
    assert.is(await page.getByRole('textbox', { name: 'name' }).count(), 0);
    const text = page.getByRole('textbox', { name: 'Value', exact: true });
    await text.fill(`{"account":1,"share":1,"name":"${LARGE}"}`);
    await page.getByRole('textbox', { name: 'name' }).fill(`${LARGE}1`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    assert.is(await storedValue(key), `{"account":1,"share":1,"name":"${LARGE}1"}`);
    assert.equal(faults, []);
    await close();
  });

  numbers('one typed in a form stays in its field with an error, and the value is unchanged', async () => {
    const { key } = await buildAccount('{"account":12,"share":1,"name":"a"}');
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('config', key));
    const text = page.getByRole('textbox', { name: 'Value', exact: true });
    const shows = (part: string) =>
      until(`the value has ${part}`, async () =>
        ((await text.textContent()) ?? '').replaceAll(/\s/g, '').includes(part),
      );
    for (const [label, digits, kept, part] of [
      ['account', LARGE, '9007199254740992', '"account":9007199254740992,'],
      ['share', '0.12345678901234567890', '0.5', '"share":0.5,'],
    ] as const) {
      const field = page.getByRole('textbox', { name: label });
      await field.fill(digits);
      await page.getByText(`${digits} would be rounded; edit it as text.`).waitFor();
      await field.press('Tab');
      assert.is(await field.inputValue(), digits);
      assert.is(((await text.textContent()) ?? '').includes(digits.slice(0, 10)), false);
      await field.fill(kept);
      await page.getByText('would be rounded').waitFor({ state: 'hidden' });
      await field.press('Tab');
      await shows(part);
    }
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    assert.is(await storedValue(key), '{"account":9007199254740992,"share":0.5,"name":"a"}');
    assert.equal(faults, []);
    await close();
  });

  numbers('decimals of a config item and its rules are kept as typed', async () => {
    const { key } = await buildConfigItem(here.world, {
      type: 'float',
      value: '0.5',
      rules: [{ conditions: [], value: '1.5' }],
    });
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('config', key));
    const long = ['0.12345678901234567890', '1.00000000000000000001'];
    await page.getByLabel('Value', { exact: true }).fill(long[0] ?? '');
    await page
      .getByRole('region', { name: 'Rule 1' })
      .getByLabel('They get')
      .fill(long[1] ?? '');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    assert.is(await storedValue(key), long[0]);
    const { configItemByKey } = await here.world.owner.client.graphql<{
      configItemByKey: { rules: { value: string }[] };
    }>(
      'query($id: ID!, $key: String!) { configItemByKey(projectId: $id, environment: live, key: $key) { rules { value } } }',
      { id: here.world.projectId, key },
    );
    assert.is(configItemByKey.rules[0]?.value, long[1]);
    assert.equal(faults, []);
    await close();
  });

  numbers('variant decimals with too many digits are refused, but other notations are accepted', async () => {
    const variants = [
      { key: 'a', value: 1 },
      { key: 'b', value: 2 },
    ];
    const { key } = await buildFlag(here.world, { kind: 'variant', variants, defaultVariant: 'a' });
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('flags', key));
    const value = page.getByLabel('Value of variant 1');
    const refused = page.getByText('would be rounded');
    for (const text of ['0.12345678901234567890', '[1e400]', '1.00000000000000000001', '1e-400']) {
      await value.fill(text);
      await refused.waitFor();
    }
    for (const text of ['0.10', '1.50e+3', '-0.000001', '1E-7', '100000000000000000000', '0.00']) {
      await value.fill(text);
      await refused.waitFor({ state: 'hidden' });
    }
    assert.equal(faults, []);
    await close();
  });

  numbers('each of more than a hundred projects is found by name in the switcher and the finder', async () => {
    const { owner, projectId } = await buildWorld(here.test);
    const names = [...Array.from({ length: 101 }, (_, number) => `A ${number}`), 'Zebra', 'Zoo'];
    for (const name of names)
      await owner.client.graphql('mutation($name: String!) { createProject(input: { name: $name }) { id } }', {
        name,
      });
    const { page, faults, close } = await here.openTab({ user: owner });
    await page.goto(`/p/${projectId}/test/flags`);
    const project = page.getByRole('combobox', { name: 'Project' });
    await project.click();
    await page.getByRole('option', { name: /^\d+ more: type part of a name$/ }).waitFor();
    await project.fill('zeb');
    await page.getByRole('option', { name: 'Zebra' }).click();
    await until('it is in view', async () => (await project.inputValue()) === 'Zebra');
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Find' }).fill('zoo');
    await page.getByText('Switch to project').click();
    await until('it is in view', async () => (await project.inputValue()) === 'Zoo');
    await page.goto('/');
    await until('the home page opens it', async () => (await project.inputValue()) === 'Zoo');
    assert.equal(faults, []);
    await close();
  });
}

numbers('without a browser: the initial values of the form are stored', async () => {
  const { key } = await buildAccount(`{"account":${LARGE},"share":1,"name":"a"}`);
  assert.is(await storedValue(key), `{"account":${LARGE},"share":1,"name":"a"}`);
});

numbers.run();
