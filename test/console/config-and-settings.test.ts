import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../browser/chromium.js';
import { buildConfigItem } from '../support/factories/config-factory.js';
import { buildWorld } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { until } from '../support/until.js';
import { inConsole } from './console-place.js';
import { holdBack, sentBy } from './requests.js';

const settings = suite('console: config, settings, and odd input');
const here = inConsole(settings);

async function storedValue(key: string): Promise<string | undefined> {
  const { configItemByKey } = await here.world.owner.client.graphql<{
    configItemByKey: { defaultValue: string } | null;
  }>(
    'query($projectId: ID!, $key: String!) { configItemByKey(projectId: $projectId, environment: live, key: $key) { defaultValue } }',
    { projectId: here.world.projectId, key },
  );
  return configItemByKey?.defaultValue;
}

async function ask<T>(query: string): Promise<T> {
  return here.world.owner.client.graphql<T>(query, query.includes('$id') ? { id: here.world.projectId } : {});
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

/** Text wider than any screen, markup, and right-to-left text. */
const TEXTS = ['m'.repeat(200), '<script>alert(1)</script><img src=x onerror=alert(2)>', 'مرحبا (1) 🚀'];
const LONG_KEY = 'k'.repeat(200);

async function survey(name: string): Promise<string> {
  const { createSurvey } = await here.world.owner.client.graphql<{ createSurvey: { id: string } }>(
    'mutation($input: CreateSurveyInput!) { createSurvey(input: $input) { id } }',
    { input: { projectId: here.world.projectId, name, kind: 'nps', questions: [{ kind: 'nps', prompt: name }] } },
  );
  return createSurvey.id;
}

if (hasChromium()) {
  settings('operators change the plan of a project and its limits; other owners only read them', async () => {
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('settings'));
    const usage = page.getByRole('region', { name: 'Usage this month' });
    await usage.getByText('0 of 100,000').first().waitFor();
    const form = page.getByRole('dialog', { name: 'Plan and limits' });
    const events = form.getByLabel('Events per month');
    await usage.getByRole('button', { name: 'Change plan' }).click();
    await form.getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: 'Pro' }).click();
    await events.fill('2500');
    await form.getByRole('button', { name: 'Save' }).click();
    await usage.getByText('0 of 2,500').waitFor();
    await usage.getByText('0 of 50,000').waitFor();
    await usage.getByRole('button', { name: 'Change plan' }).click();
    assert.is(await events.inputValue(), '2500');
    await events.fill('');
    await form.getByRole('button', { name: 'Save' }).click();
    await usage.getByText('0 of 5,000,000').waitFor();
    const other = await buildWorld(here.test);
    const theirs = await here.openTab({ user: other.owner });
    await theirs.page.goto(`/p/${other.projectId}/live/settings?plan=yes`);
    await theirs.page.getByText('Plans and limits are set by').waitFor();
    assert.is(await theirs.page.getByRole('button', { name: 'Change plan' }).count(), 0);
    assert.is(await theirs.page.getByRole('dialog').count(), 0);
    assert.equal([...faults, ...theirs.faults], []);
    await close();
    await theirs.close();
  });

  settings('an item is created, rejected by its schema, changed, and rolled back after a preview', async () => {
    const { page, faults, expectFault, close } = await here.openTab();
    await page.goto(here.path('config'));
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
    const value = page.getByRole('textbox', { name: 'Value', exact: true });
    await value.and(page.locator('[aria-invalid=true]:focus')).waitFor();
    await value.fill('{"title": Autumn}');
    await value.locator('.cm-faulty').getByText('Autumn').waitFor();
    await value.fill('{"title":"Autumn sale"}');
    await value.and(page.locator('[aria-invalid=false]')).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    assert.match((await storedValue('shop.banner')) ?? '', 'Autumn sale');
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Restore' }).last().click();
    await page.getByRole('dialog').locator('.cm-content').getByText('Sale').first().waitFor();
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByText('Rolled back to version 1.').waitFor();
    assert.equal(JSON.parse((await storedValue('shop.banner')) ?? ''), { title: 'Sale' });
    const rules = (weight: number) => [
      {
        conditions: [],
        percentage: 100,
        split: [
          { value: '1', weight },
          { value: '2', weight: 1 },
        ],
      },
    ];
    const { id } = await buildConfigItem(here.world, { key: 'shop.share', rules: rules(9) });
    await here.world.owner.client.graphql(
      'mutation($input: UpdateConfigItemInput!) { updateConfigItem(input: $input) { id } }',
      {
        input: { id, rules: rules(5) },
      },
    );
    await page.goto(here.path('config', 'shop.share'));
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('dialog').locator('.cm-content').getByText('"weight": 9').waitFor();
    assert.equal(faults, []);
    await close();
  });

  settings(
    'keys, tokens and members are created, shown, changed and removed, each after a warning of the consequences',
    async () => {
      const tab = await here.openTab();
      const { page, faults, expectFault, goWithin, close } = tab;
      await page.goto(here.path('settings'));
      for (const blank of ['', '  ']) {
        await page.getByLabel('Name', { exact: true }).fill(blank);
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByRole('alert').getByText('not only spaces').waitFor();
        await expectFault('not only spaces');
        assert.is(await page.getByLabel('Name', { exact: true }).inputValue(), blank);
        await page.getByLabel('Name', { exact: true }).and(page.locator('[aria-invalid=true]')).waitFor();
      }
      await page.getByLabel('Name', { exact: true }).fill('Renamed');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      const addresses = page.getByRole('combobox', { name: 'Allowed IP addresses for keys' });
      await addresses.fill('nowhere');
      await addresses.press('Enter');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').getByText('addresses:').waitFor();
      await expectFault('authorizedAddresses');
      await page.getByRole('button', { name: 'Discard', exact: true }).click();
      // Someone else changes the project and takes it back, which the page learns only after it has saved.
      await page.getByLabel('Name', { exact: true }).fill('Renamed again');
      const newer = await holdBack(page, 'query ProjectSettings');
      for (const name of ['Theirs', 'Renamed'])
        await ask(`mutation($id: ID!) { updateProject(input: { id: $id, name: "${name}" }) { id } }`);
      await page.getByRole('button', { name: 'Save' }).click();
      await expectFault('PROJECT_CHANGED_MEANWHILE');
      newer();
      await page.getByText('Saved.').waitFor();

      await page.getByRole('tab', { name: /keys/i }).click();
      await page.getByLabel('New key for live').fill('journey');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('button', { name: "I've saved it" }).click();
      const key = page.getByRole('row', { name: /^journey/ });
      await key.getByText('never used', { exact: true }).waitFor();
      await key.getByRole('button', { name: 'Revoke' }).click();
      const question = page.getByRole('dialog', { name: 'Revoke the live key journey?' });
      await question.getByText('Every app that has it is refused').waitFor();
      await question.getByRole('button', { name: 'Revoke' }).click();
      await key.waitFor({ state: 'hidden' });

      await page.getByRole('tab', { name: /members/i }).click();
      const newMember = page.getByRole('textbox', { name: 'New member' });
      await newMember.fill('journey@example.com');
      const answer = await holdBack(page, 'mutation AddMember');
      await sentBy(page, 'AddMember', () => page.getByRole('button', { name: 'Add', exact: true }).click());
      await newMember.fill('next@example.com');
      answer();
      await page.getByRole('button', { name: "I've saved it" }).click();
      assert.is(await newMember.inputValue(), 'next@example.com');
      const role = page.getByRole('combobox', { name: 'Role of journey@example.com', exact: true });
      await role.click();
      await page.getByRole('option', { name: 'Editor' }).click();
      await until('the role is stored', async () => {
        const { members } = await ask<{ members: { nodes: { role: string; user: { email: string } }[] } }>(
          '{ members { nodes { role user { email } } } }',
        );
        return members.nodes.find(({ user }) => user.email === 'journey@example.com')?.role === 'editor';
      });
      await page.getByRole('combobox', { name: 'Role of journey@example.com in this project' }).click();
      await page.getByRole('option', { name: 'Owner' }).click();
      await page.getByText('journey@example.com is now owner here.').waitFor();
      await page
        .getByRole('row', { name: /journey@example/ })
        .getByRole('button', { name: 'Remove' })
        .click();
      await page.getByText("They own 1 project, as do the organization's owners.").waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('row', { name: /journey@example/ }).waitFor({ state: 'hidden' });
      await page.goto(here.path('settings?tab=members&q=nobody.like.it'));
      await page.getByText('No members with nobody.like.it in their email address.').waitFor();
      await page.getByLabel('Search members').fill(here.world.owner.email.slice(0, -2).toUpperCase());
      await page
        .getByRole('row', { name: new RegExp(here.world.owner.email) })
        .getByRole('link', { name: 'Audit' })
        .click();
      await page.locator('summary').filter({ hasText: 'User signed in' }).first().waitFor();

      await goWithin(here.path('settings?tab=tokens'));
      await page.getByLabel('New token').fill('nightly');
      await page.getByRole('button', { name: 'Create token' }).click();
      await page.getByRole('button', { name: "I've saved it" }).click();
      await page
        .getByRole('row', { name: /^nightly/ })
        .getByRole('link', { name: 'Audit' })
        .click();
      await page.getByText('No changes with the API token').waitFor();
      await page.getByRole('button', { name: 'Remove filter: API token' }).click();
      await page.locator('summary').filter({ hasText: 'nightly' }).first().waitFor();
      const { project } = await ask<{ project: { name: string } }>('query($id: ID!) { project(id: $id) { name } }');
      assert.is(project.name, 'Renamed again');
      assert.equal(faults, []);
      await close();
    },
  );

  settings('the project switcher can create a project; any number of keys and boards is listed', async () => {
    const own = { projectId: here.world.projectId };
    for (let number = 0; number < 101; number += 1) {
      const [key, board] = [
        { ...own, environment: 'live', name: `key ${number}` },
        { ...own, name: `board ${number}` },
      ];
      await here.world.owner.client.graphql(
        'mutation($key: CreateApiKeyInput!, $board: CreateBoardInput!) { createApiKey(input: $key) { secret } createBoard(input: $board) { id } }',
        { key, board },
      );
    }
    const { page, faults, expectFault, goWithin, close } = await here.openTab();
    await page.goto(here.path('settings?tab=keys'));
    await page.getByRole('button', { name: 'Load more keys' }).click();
    for (const number of [0, 100]) await page.getByText(`key ${number}`, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Load more keys' }).waitFor({ state: 'hidden' });
    await goWithin(here.path('boards'));
    await page.getByRole('button', { name: 'Load more boards' }).click();
    for (const number of [0, 100]) await page.getByText(`board ${number}`, { exact: true }).waitFor();

    await page.getByRole('combobox', { name: 'Project' }).click();
    await page.getByRole('option', { name: 'New project…' }).click();
    const name = page.getByRole('dialog').getByRole('textbox', { name: 'Project name' });
    await name.fill('  ');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByText('name must have 1 to 200 characters, not only spaces').waitFor();
    await expectFault('createProject');
    await name.fill('Second');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.waitForURL(/\/test\/start$/);
    await until(
      'the new project is in view',
      async () => (await page.getByRole('combobox', { name: 'Project' }).inputValue()) === 'Second',
    );
    await page.getByRole('combobox', { name: 'Project' }).click();
    for (const option of ['Second', 'New project…']) await page.getByRole('option', { name: option }).waitFor();
    assert.equal(faults, []);
    await close();
  });

  settings('a value is edited in a form built from its schema, beside its text', async () => {
    const { key } = await buildConfigItem(here.world, {
      type: 'json',
      value: JSON.stringify({ title: 'Sale' }),
      jsonSchema: SCHEMA,
    });
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('config', key));
    await page.getByRole('textbox', { name: 'title' }).fill('🎈'.repeat(41));
    await page.getByText('Must be at most 40 characters.').waitFor();
    await page.getByRole('textbox', { name: 'title' }).fill('🎈'.repeat(40));
    await page.getByText('Must be at most 40 characters.').waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: 'title' }).fill('Autumn sale');
    await page.getByRole('button', { name: 'Set size' }).click();
    await page.getByRole('combobox', { name: 'size' }).click();
    await page.getByRole('option', { name: 'large' }).click();
    await page.getByRole('button', { name: 'Set limit' }).click();
    await page.getByRole('textbox', { name: 'limit' }).fill('12');
    await page.getByText('Must be at most 9.').waitFor();
    await page.getByRole('textbox', { name: 'limit' }).fill('7');
    await page.getByRole('button', { name: 'Set isOn' }).click();
    await page.getByRole('checkbox', { name: 'isOn' }).check();
    await page.getByRole('button', { name: 'Set links' }).click();
    await page.getByRole('button', { name: '+ links' }).click();
    await page.getByRole('textbox', { name: 'url' }).fill('/sale');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const { configItemByKey } = await here.world.owner.client.graphql<{ configItemByKey: { defaultValue: string } }>(
      'query($id: ID!, $key: String!) { configItemByKey(projectId: $id, environment: live, key: $key) { defaultValue } }',
      { id: here.world.projectId, key },
    );
    assert.equal(JSON.parse(configItemByKey.defaultValue), {
      title: 'Autumn sale',
      size: 'large',
      limit: 7,
      isOn: true,
      links: [{ url: '/sale' }],
    });
    await page.getByRole('textbox', { name: 'Value', exact: true }).fill('[1]');
    await page.getByText('match the schema').waitFor();
    assert.equal(faults, []);
    await close();
  });

  settings('long words, markup and right-to-left text are shown as text, and widen no page or survey', async () => {
    await buildFlag(here.world, { key: LONG_KEY, description: TEXTS[0] ?? '' });
    const rows = Array.from({ length: 4_000 }, (_, id) => ({ id, name: `row ${id}`, tags: ['a', 'b'] }));
    const { key: big } = await buildConfigItem(here.world, { type: 'json', value: JSON.stringify({ rows }) });
    const surveys = await Promise.all(TEXTS.map(survey));
    const tab = await here.openTab({ width: 375 });
    const { page } = tab;
    const spoken: string[] = [];
    page.on('dialog', (question) => {
      spoken.push(question.message());
      void question.dismiss();
    });
    const found: string[] = [];
    let cards = 0;
    const [long, markup, other] = surveys.map((id) => `surveys/${id}`);
    // Pages of one kind never follow each other: both would have the same heading, so the test could not tell them apart.
    for (const path of ['flags', `${long}`, `flags/${LONG_KEY}`, `${markup}`, 'surveys', `${other}`, `config/${big}`]) {
      const address = here.path(`${path}${path.startsWith('surveys/') ? '?tab=questions' : ''}`);
      if (path !== 'flags') await tab.goWithin(address);
      else {
        await page.goto(address);
        await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor();
        await tab.settle();
      }
      const overflow = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
      if (overflow > 0) found.push(`${path} is ${overflow} px wider than the screen`);
      for (const card of await page.locator('.card').all()) {
        cards += 1;
        const hidden = (await card.evaluate('(card) => card.scrollWidth - card.clientWidth')) as number;
        if (hidden > 0) found.push(`the survey of ${path} is ${hidden} px wider than its card`);
      }
    }
    await tab.goWithin(here.path('config'));
    const row = (await page.getByRole('row', { name: big }).textContent()) ?? '';
    assert.ok(row.includes('row 0') && row.length < 1_000, `${row.length} characters`);
    assert.equal([...found, ...spoken, ...tab.faults], []);
    assert.is(cards, surveys.length);
    page.removeAllListeners('dialog');
    await tab.close();
  });
}

settings('without a browser: the queries of the pages are answered', async () => {
  await here.world.live.get('/api/v1/handshake?distinct_id=a');
  assert.is(await storedValue('nothing.here').catch(() => undefined), undefined);
});

settings('without a browser: the project is named', async () => {
  const { project } = await ask<{ project: { name: string } }>('query($id: ID!) { project(id: $id) { name } }');
  assert.ok(project.name);
});

settings('without a browser: a name of 200 characters is accepted', async () => {
  assert.ok(await survey('n'.repeat(200)));
});

settings.run();
