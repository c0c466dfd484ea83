import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../../browser/chromium.js';
import { buildConfigItem } from '../../support/factories/config-factory.js';
import { inConsole } from '../console-place.js';

const refused = suite('console: where refused JSON is wrong');
const here = inConsole(refused);

const SCHEMA = { properties: { 'a/b c': { items: { properties: { deep: { type: 'string' } } } } } };

if (hasChromium()) {
  refused('the line that a refusal names is marked and has the cursor, in a value and in a schema', async () => {
    const { key } = await buildConfigItem(here.world, { type: 'json', value: '{}', jsonSchema: { type: 'object' } });
    const { page, faults, expectFault, close } = await here.openTab();
    await page.goto(here.path('config', key));
    const value = page.getByRole('textbox', { name: 'Value', exact: true });
    const schema = page.getByRole('textbox', { name: 'JSON Schema' });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    const marked = page.locator('.cm-faulty');
    await schema.fill(JSON.stringify(SCHEMA));
    await value.fill('{\n  "list": [3],\n  "a/b c": [\n    {"deep": "one"},\n    {"deep": 2}\n  ]\n}');
    await save.click();
    await expectFault('SCHEMA_VIOLATION');
    await value.and(page.locator('[aria-invalid=true]:focus')).waitFor();
    assert.equal(await marked.allInnerTexts(), ['    {"deep": 2}']);
    await page.keyboard.type(' ');
    await marked.waitFor({ state: 'detached' });
    await value.locator('.cm-line', { hasText: '{ "deep": 2}' }).waitFor();

    await value.fill('{}');
    await schema.fill('{\n  "type": "object",\n  "properties": {\n    "n": { "type": "integr" }\n  }\n}');
    await save.click();
    await expectFault('BAD_SCHEMA');
    await schema.and(page.locator('[aria-invalid=true]:focus')).waitFor();
    assert.equal(await marked.allInnerTexts(), ['    "n": { "type": "integr" }']);
    await page.getByRole('button', { name: 'Discard' }).click();
    await marked.waitFor({ state: 'detached' });
    assert.equal(faults, []);
    await close();
  });
}

refused.run();
