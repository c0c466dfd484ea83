import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../browser/chromium.js';
import { buildConfigItem } from '../support/factories/config-factory.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { buildSurvey } from '../support/factories/survey-factory.js';
import { until } from '../support/until.js';
import { inConsole } from './console-place.js';

const fields = suite('console: what is typed in a field is what is stored');
const here = inConsole(fields);

async function storedVariants(key: string): Promise<{ key: string; value: unknown }[]> {
  const { flagByKey } = await here.world.owner.client.graphql<{
    flagByKey: { variants: { key: string; value: unknown }[] };
  }>(
    'query($id: ID!, $key: String!) { flagByKey(projectId: $id, environment: live, key: $key) { variants { key value } } }',
    { id: here.world.projectId, key },
  );
  return flagByKey.variants;
}

const VARIANTS = [
  { key: 'a', value: 'first' },
  { key: 'b', value: 'second' },
  { key: 'c', value: 3 },
];

if (hasChromium()) {
  fields('decimals are typed key by key in the form of a JSON Schema', async () => {
    const { key } = await buildConfigItem(here.world, {
      type: 'json',
      value: '{"share":1}',
      jsonSchema: { type: 'object', required: ['share'], properties: { share: { type: 'number' } } },
    });
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('config', key));
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

  fields('a share that is cleared and retyped is the new one, and a merely cleared one stays', async () => {
    const rule = (percentage: number) => ({ variant: 'on', percentage });
    const { key } = await buildFlag(here.world, { rules: [rule(100), rule(50)] });
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('flags', key));
    const [first, second] = [0, 1].map((at) => page.getByLabel('Percentage').nth(at));
    const clear = async (field = first) => {
      // The field places the caret a moment after it gets the focus.
      await until('it is empty', async () => {
        await field?.press('ControlOrMeta+a');
        await page.keyboard.press('Backspace');
        return (await field?.inputValue()) === '';
      });
    };
    await clear();
    await page.keyboard.type('25');
    await page.keyboard.press('Tab');
    assert.is(await first?.inputValue(), '25%');
    await clear();
    await page.keyboard.type('33.05');
    await clear(second);
    await page.keyboard.press('Tab');
    assert.is(await second?.inputValue(), '50%');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const { flagByKey } = await here.world.owner.client.graphql<{ flagByKey: { rules: { percentage: number }[] } }>(
      'query($id: ID!, $key: String!) { flagByKey(projectId: $id, environment: live, key: $key) { rules { percentage } } }',
      { id: here.world.projectId, key },
    );
    assert.equal(
      flagByKey.rules.map(({ percentage }) => percentage),
      [33.05, 50],
    );
    assert.equal(faults, []);
    await close();
  });

  fields('a condition compares ids, versions and long numbers as the texts typed', async () => {
    const { key } = await buildFlag(here.world, { rules: [] });
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('flags', key));
    const typeFor = async (attribute: string, ...values: string[]) => {
      await page.getByRole('button', { name: '+ Rule' }).click();
      const rule = page.getByRole('region', { name: /^Rule \d+$/ }).last();
      await rule.getByRole('button', { name: '+ Condition' }).click();
      const field = rule.getByRole('combobox', { name: 'Values' });
      // A value typed before its attribute is chosen takes the type of the chosen one.
      await field.fill('3');
      await field.press('Enter');
      await rule.getByLabel('Attribute').fill(attribute);
      for (const value of values) {
        await field.pressSequentially(value);
        await field.press('Enter');
      }
    };
    await typeFor('distinct_id', '12345', '1.10', '1234567890123456789', 'true');
    await typeFor('props.number', '12', '"12"', '1234567890123456789');
    await typeFor('props.city', 'Paris, Texas');
    await typeFor('props.code', 'x');
    await page.locator('input[aria-label="Comparison"]').last().click();
    await page.getByRole('option', { name: 'matches pattern' }).last().click();
    await page.getByRole('combobox', { name: 'Values' }).last().pressSequentially('^[a-c]{1,3}$');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const { flagByKey } = await here.world.owner.client.graphql<{
      flagByKey: { rules: { conditions: { values: unknown[] }[] }[] };
    }>(
      'query($id: ID!, $key: String!) { flagByKey(projectId: $id, environment: live, key: $key) { rules { conditions { values } } } }',
      { id: here.world.projectId, key },
    );
    assert.equal(
      flagByKey.rules.map(({ conditions }) => conditions[0]?.values),
      [
        ['3', '12345', '1.10', '1234567890123456789', 'true'],
        ['3', 12, '12', '1234567890123456789'],
        ['3', 'Paris, Texas'],
        ['3', 'x', '^[a-c]{1,3}$'],
      ],
    );
    const { body } = await here.world.live.get('/api/v1/handshake?distinct_id=12345');
    assert.match(JSON.stringify(body), new RegExp(`"${key}":{"value":true`));
    assert.equal(faults, []);
    await close();
  });

  fields('a number that a script compared with ids is shown with what to write instead', async () => {
    const conditions = [{ attribute: 'distinct_id', operator: 'in', values: [12345] }];
    const { key } = await buildFlag(here.world, { rules: [{ conditions, variant: 'on' }] });
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('flags', key));
    const warning = page.getByText('distinct_id is always a text, so it never equals the number 12345; write "12345"');
    await warning.waitFor();
    await page.getByRole('combobox', { name: 'Values' }).pressSequentially('7');
    await page.getByRole('combobox', { name: 'Values' }).press('Enter');
    await warning.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const { body } = await here.world.live.get('/api/v1/handshake?distinct_id=12345');
    assert.match(JSON.stringify(body), new RegExp(`"${key}":{"value":true`));
    assert.equal(faults, []);
    await close();
  });

  fields('a number of an item is stored without the whitespace pasted with it', async () => {
    const { key } = await buildConfigItem(here.world, { type: 'int', value: '25' });
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('config', key));
    const value = page.getByRole('textbox', { name: 'Value', exact: true });
    await value.fill(' 5 ');
    assert.is(await value.inputValue(), '5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    assert.equal(faults, []);
    await close();
  });

  fields('variant values show what would be stored after a removal, a discard and a halt', async () => {
    const { id, key } = await buildFlag(here.world, { kind: 'variant', variants: VARIANTS, defaultVariant: 'c' });
    const { page, faults, settle, close } = await here.openTab();
    await page.goto(here.path('flags', key));
    const value = (at: number) => page.getByLabel(`Value of variant ${at}`);
    await page.getByRole('button', { name: 'Remove variant 1' }).click();
    await value(3).waitFor({ state: 'hidden' });
    assert.equal([await value(1).inputValue(), await value(2).inputValue()], ['second', '3']);
    await value(1).fill('typed');
    await page.getByRole('button', { name: 'Discard' }).click();
    await value(3).waitFor();
    assert.equal([await value(1).inputValue(), await value(2).inputValue()], ['first', 'second']);
    await value(2).press('End');
    await value(2).pressSequentially(' and more');
    await here.world.owner.client.graphql('mutation($input: HaltFlagInput!) { haltFlag(input: $input) { id } }', {
      input: { flagId: id, reason: 'too many errors' },
    });
    await page.getByText('too many errors').first().waitFor();
    await settle();
    assert.is(await value(2).inputValue(), 'second and more');
    await value(2).and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    assert.equal(
      (await storedVariants(key)).map(({ value: stored }) => stored),
      ['first', 'second and more', 3],
    );
    assert.equal(faults, []);
    await close();
  });

  fields('a value that would be stored differently is refused at its field', async () => {
    const { key } = await buildFlag(here.world, { kind: 'variant', variants: VARIANTS, defaultVariant: 'c' });
    const { page, faults, goWithin, close } = await here.openTab();
    await page.goto(here.path('flags', key));
    const value = page.getByLabel('Value of variant 1');
    const save = page.getByRole('button', { name: 'Save' });
    for (const [text, words] of [
      ['9007199254740993', '9007199254740993 would be rounded'],
      ['{"id": [12345678901234567890]}', '12345678901234567890 would be rounded'],
      ['{"id": 12', "This isn't valid JSON"],
    ] as const) {
      await value.fill(text);
      await page.getByText(words).waitFor();
      assert.is(await save.isDisabled(), true, text);
    }
    await value.fill('"9007199254740993"');
    await page.getByText("This isn't valid JSON").waitFor({ state: 'hidden' });
    await save.click();
    await page.getByText('Saved.').waitFor();
    assert.is((await storedVariants(key))[0]?.value, '9007199254740993');

    await goWithin(here.path('flags'));
    await page.getByRole('button', { name: 'New flag' }).first().click();
    await page.getByLabel(/^Key/).fill('refused.at.first');
    await page.getByText('Several variants').click();
    await value.fill('9007199254740993');
    await page.getByText('would be rounded').waitFor();
    await value.press('Control+Enter');
    assert.is(await page.getByRole('button', { name: 'Create flag' }).getAttribute('aria-disabled'), 'true');
    await value.fill('12');
    await page.getByRole('button', { name: 'Create flag' }).click();
    await page.getByRole('heading', { name: 'refused.at.first', level: 1 }).waitFor();
    assert.is((await storedVariants('refused.at.first'))[0]?.value, 12);
    assert.equal(faults, []);
    await close();
  });

  fields("tabbing through a field leaves a colleague's change to the board rule alone", async () => {
    const survey = await buildSurvey(here.world, { name: 'Passed through' });
    const { createBoard } = await here.world.owner.client.graphql<{ createBoard: { id: string } }>(
      'mutation($input: CreateBoardInput!) { createBoard(input: $input) { id } }',
      { input: { projectId: here.world.projectId, name: 'Triage' } },
    );
    const { createTriageRule: rule } = await here.world.owner.client.graphql<{ createTriageRule: { id: string } }>(
      'mutation($input: CreateTriageRuleInput!) { createTriageRule(input: $input) { id } }',
      { input: { boardId: createBoard.id, surveyId: survey.id, comparison: 'lte', score: 6 } },
    );
    const { page, faults, settle, close } = await here.openTab();
    const written: string[] = [];
    page.on('request', (request) => {
      const body = request.postData() ?? '';
      if (body.includes('mutation UpdateTriageRule')) written.push(body);
    });
    await page.goto(here.path('boards', createBoard.id));
    const score = page.getByLabel('Score for Passed through');
    await score.waitFor();
    await settle();
    await here.world.owner.client.graphql(
      'mutation($input: UpdateTriageRuleInput!) { updateTriageRule(input: $input) { id } }',
      { input: { id: rule.id, score: 4, comparison: 'gte' } },
    );
    await until("the colleague's change is there", async () => {
      const comparison = page.getByRole('combobox', { name: 'Comparison for Passed through' });
      return (await comparison.inputValue()) === 'at least';
    });
    await score.focus();
    await score.press('Tab');
    assert.is(await score.inputValue(), '4');
    await score.fill('');
    await score.press('Tab');
    assert.is(await score.inputValue(), '4');
    await settle();
    assert.equal(written, []);
    await score.fill('3');
    await score.press('Tab');
    await page.getByText('Saved.').waitFor();
    assert.is(await score.inputValue(), '3');
    assert.is(written.length, 1);
    assert.equal(faults, []);
    await close();
  });

  fields('what is typed for a rule while the previous number is being stored stays', async () => {
    const survey = await buildSurvey(here.world, { name: 'Typed on' });
    const { createBoard } = await here.world.owner.client.graphql<{ createBoard: { id: string } }>(
      'mutation($input: CreateBoardInput!) { createBoard(input: $input) { id } }',
      { input: { projectId: here.world.projectId, name: 'Typed on' } },
    );
    await here.world.owner.client.graphql(
      'mutation($input: CreateTriageRuleInput!) { createTriageRule(input: $input) { id } }',
      { input: { boardId: createBoard.id, surveyId: survey.id, comparison: 'lte', score: 6 } },
    );
    const { page, faults, settle, close } = await here.openTab();
    await page.goto(here.path('boards', createBoard.id));
    const score = page.getByLabel('Score for Typed on');
    const answer = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('mutation UpdateTriageRule')) await answer.promise;
      await route.fallback();
    });
    await score.fill('3');
    await score.press('Tab');
    await score.fill('5');
    answer.resolve();
    await page.getByText('Saved.').waitFor();
    await settle();
    assert.is(await score.inputValue(), '5');
    assert.equal(faults, []);
    await close();
  });

  fields('a branch written as a predicate matches the same answers as before', async () => {
    const survey = await buildSurvey(here.world, {
      questions: [
        { id: 'nps', kind: 'nps', prompt: 'How likely?' },
        { id: 'why', kind: 'text', prompt: 'Why?' },
      ],
      branchingRules: [{ fromQuestionId: 'nps', predicate: 'answer >= 9', toQuestionId: null }],
    });
    const { page, faults, close } = await here.openTab();
    await page.goto(`${here.path('surveys', survey.id)}?tab=questions`);
    await page.getByRole('combobox', { name: 'Comparison' }).click();
    await page.getByRole('option', { name: 'custom predicate' }).click();
    assert.is(await page.getByLabel('Predicate').inputValue(), 'AND(answer >= 9, always)');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    assert.equal(faults, []);
    await close();
  });

  fields('Ctrl+K opens the finder from within a field, where a slash is just a slash', async () => {
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('events'));
    const name = page.getByRole('textbox', { name: 'Event name' });
    await name.pressSequentially('a/b');
    assert.is(await name.inputValue(), 'a/b');
    assert.is(await page.getByRole('textbox', { name: 'Find' }).count(), 0);
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Find' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await name.and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Account and appearance' }).focus();
    await page.keyboard.press('/');
    await page.getByRole('textbox', { name: 'Find' }).and(page.locator(':focus')).waitFor();
    assert.equal(faults, []);
    await close();
  });

  fields('no finder opens over a form, because both would react to Escape', async () => {
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('releases'));
    await page.getByRole('button', { name: 'New entry' }).click();
    const form = page.getByRole('dialog', { name: 'New entry' });
    const title = form.getByLabel('Title');
    await title.fill('a title');
    const finder = page.getByRole('textbox', { name: 'Find' });
    await page.keyboard.press('Control+k');
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    assert.is(await finder.count(), 0);
    await title.and(page.locator(':focus')).waitFor();
    await form.getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('/');
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    assert.is(await finder.count(), 0);
    assert.is(await title.inputValue(), 'a title');
    assert.equal(faults, []);
    await close();
  });
}

fields('without a browser: the initial values of the fields are stored', async () => {
  const { key } = await buildFlag(here.world, { kind: 'variant', variants: VARIANTS, defaultVariant: 'c' });
  assert.equal(await storedVariants(key), VARIANTS);
});

fields.run();
