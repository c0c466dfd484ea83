import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../browser/chromium.js';
import { buildMember } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { until } from '../support/until.js';
import { inConsole } from './console-place.js';

const flags = suite('console: flags, and that what was typed is not lost');
const here = inConsole(flags);

interface StoredFlag {
  haltedAt: string | null;
  haltReason: string | null;
  currentVersion: number;
  description: string;
  rules: { percentage: number; conditions: { attribute: string; operator: string; values: unknown[] }[] }[];
  variants: { key: string; value: unknown }[];
}

async function storedFlag(key: string): Promise<StoredFlag | null> {
  const { flagByKey } = await here.world.owner.client.graphql<{ flagByKey: StoredFlag | null }>(
    `query($projectId: ID!, $key: String!) { flagByKey(projectId: $projectId, environment: live, key: $key) {
      haltedAt haltReason currentVersion description variants { key value }
      rules { percentage conditions { attribute operator values } } } }`,
    { projectId: here.world.projectId, key },
  );
  return flagByKey;
}

async function flagKeys(): Promise<string[]> {
  const { flags } = await here.world.owner.client.graphql<{ flags: { nodes: { key: string }[] } }>(
    'query($id: ID!) { flags(projectId: $id, environment: live) { nodes { key } } }',
    { id: here.world.projectId },
  );
  return flags.nodes.map(({ key }) => key);
}

if (hasChromium()) {
  flags('a user signs in, creates a flag, targets it, tries it, and undoes the change', async () => {
    const { page, faults, expectFault, settle, close } = await here.openTab({ user: null });
    await page.goto(here.path('flags'));
    await page.waitForURL(/\/sign-in/);
    await settle();
    await expectFault('UNAUTHENTICATED');
    await page.getByLabel('Email').fill(here.world.owner.email);
    await page.getByLabel(/^Password/).fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('The email or password is wrong').waitFor();
    await expectFault('WRONG_CREDENTIALS');
    await page.getByLabel(/^Password/).fill(here.world.owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor();

    await page.getByRole('button', { name: 'New flag' }).first().click();
    await page.getByLabel(/^Key/).fill('journey.flag');
    await page.getByRole('button', { name: 'Create flag' }).click();
    await page.getByRole('heading', { name: 'journey.flag', level: 1 }).waitFor();
    await page.getByText('On/off', { exact: true }).waitFor();
    await page.getByRole('button', { name: '+ Rule' }).click();
    await page.getByRole('button', { name: '+ Condition' }).click();
    await page.getByRole('option', { name: 'app_version' }).waitFor();
    await page.keyboard.type('plan');
    await page.getByRole('option', { name: 'props.plan' }).click();
    await page.getByRole('combobox', { name: 'Attribute' }).fill('platform');
    await page.getByRole('combobox', { name: 'Values' }).fill('ios');
    await page.keyboard.press('Enter');
    await page.getByLabel('Note for the history').fill('iPhones first');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    assert.equal((await storedFlag('journey.flag'))?.rules, [
      { percentage: 100, conditions: [{ attribute: 'platform', operator: 'in', values: ['ios'] }] },
    ]);

    await page.getByRole('tab', { name: 'Try as a person' }).click();
    assert.is(await page.getByLabel('Distinct id').inputValue(), '');
    await page.getByLabel('Platform').fill('ios');
    await page.getByRole('button', { name: 'Try', exact: true }).click();
    await page.getByText('Rule 1 serves on').waitFor();

    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText('iPhones first').waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByText('Version 1 restored.').waitFor();
    assert.equal((await storedFlag('journey.flag'))?.rules, []);
    assert.equal(faults, []);
    await close();
  });

  flags('a flag is halted and resumed on a phone by keyboard alone', async () => {
    const { key } = await buildFlag(here.world, { key: 'on.call' });
    const { page, faults, close } = await here.openTab({ width: 375 });
    await page.goto(here.path('flags', key));
    await page.getByRole('heading', { name: key, level: 1 }).waitFor();
    const focused = () =>
      page.locator(':focus').evaluate((element) => (element as { textContent: string }).textContent);
    for (let presses = 0; presses < 20; presses++) {
      await page.keyboard.press('Tab');
      if ((await focused()) === 'Halt') break;
    }
    assert.is(await focused(), 'Halt');
    await page.keyboard.press('Enter');
    await page.getByLabel(/^Reason/).waitFor();
    await until('the reason has the focus', async () =>
      page.getByLabel(/^Reason/).evaluate((element) => element.matches(':focus')),
    );
    await page.keyboard.type('error rate above 5 %');
    await page.getByLabel('Evidence').fill('graphs.example/d/1');
    await page.getByText('You can still halt').waitFor();
    await page.getByLabel('Evidence').fill('https://graphs.example/d/1');
    await page.getByText('You can still halt').waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+Enter');
    await page.getByText(/^Halted.+everyone gets off/).waitFor();
    const evidence = page.getByRole('link', { name: 'https://graphs.example/d/1' });
    assert.is(await evidence.getAttribute('rel'), 'noopener noreferrer');
    assert.is((await storedFlag(key))?.haltReason, 'error rate above 5 %');
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    assert.ok((overflow as number) <= 0, `the page is ${overflow} px wider than the screen`);
    await page.getByRole('button', { name: 'Resume' }).press('Enter');
    const question = page.getByRole('dialog', { name: `Resume ${key} in live?` });
    await question.getByText('error rate above 5 %').waitFor();
    await until('Cancel has the focus', async () =>
      question.getByRole('button', { name: 'Cancel' }).evaluate((element) => element.matches(':focus')),
    );
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await until('the flag is resumed', async () => (await storedFlag(key))?.haltedAt === null);
    await evidence.waitFor({ state: 'hidden' });
    await page.getByRole('tab', { name: 'History' }).click();
    await evidence.waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
    const entries = page.getByRole('region', { name: 'Changes' }).locator('summary');
    await entries.filter({ hasText: 'Flag halted' }).press('Enter');
    assert.is(await evidence.getAttribute('rel'), 'noopener noreferrer');
    assert.is(await entries.filter({ hasNotText: key }).count(), 0);
    await page.getByRole('button', { name: `Remove filter: flag ${key}` }).click();
    await entries.filter({ hasNotText: key }).first().waitFor();
    assert.equal(faults, []);
    await close();
  });

  flags('the finder opens the halt of a flag, and a late answer does not move the selection', async () => {
    const { key } = await buildFlag(here.world, { key: 'found.late' });
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('flags'));
    await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor();
    const chosen = () => page.locator('[data-action][data-selected]').textContent();
    await page.keyboard.press('Control+k');
    const gate = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('query Find')) await gate.promise;
      await route.continue();
    });
    await page.getByRole('textbox', { name: 'Find' }).fill('la');
    await page.getByText('Flags', { exact: true }).last().waitFor();
    await page.keyboard.press('ArrowDown');
    const before = await chosen();
    gate.resolve();
    await page.getByText(`Halt ${key}`).waitFor();
    assert.is(await chosen(), before);
    await page.getByRole('textbox', { name: 'Find' }).fill(`halt ${key}`);
    await page.locator('[data-action][data-selected]', { hasText: `Halt ${key}` }).waitFor();
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog')
      .getByLabel(/^Reason/)
      .waitFor();
    assert.equal(faults, []);
    await close();
  });

  flags('on a conflict the slower user sees both texts before anything is overwritten', async () => {
    const variants = (value: string) => [
      { key: 'on', value },
      { key: 'off', value: 'off' },
    ];
    const { id, key } = await buildFlag(here.world, {
      key: 'two.editors',
      kind: 'variant',
      variants: variants('on'),
      defaultVariant: 'off',
    });
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('flags', key));
    await page.getByLabel('Description').fill('mine');
    await page.getByLabel('Value of variant 1').fill('my value');
    await here.world.owner.client.graphql(
      'mutation($input: UpdateFlagInput!) { updateFlag(input: $input) { currentVersion } }',
      { input: { flagId: id, rules: [{ variant: 'on', percentage: 10 }], variants: variants('their value') } },
    );
    await page.getByText('saved a new version while you were editing').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    const merge = page.getByRole('dialog', { name: 'Someone else saved' });
    await merge.getByRole('region', { name: 'rules' }).getByText('changed by them').waitFor();
    await merge.getByRole('region', { name: 'description' }).getByText('changed by you').waitFor();
    const both = merge.getByRole('region', { name: 'variants' });
    await both.getByText('changed by both').waitFor();
    assert.ok(await merge.getByRole('button', { name: '1 to choose' }).isDisabled());
    await both.getByText('Mine', { exact: true }).first().click();
    await merge.getByRole('button', { name: 'Continue' }).click();
    await until('their share is in the rule', async () => (await page.getByLabel('Percentage').inputValue()) === '10%');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const merged = await storedFlag(key);
    assert.equal([merged?.description, merged?.rules[0]?.percentage], ['mine', 10]);
    assert.equal(merged?.variants, variants('my value'));
    assert.equal(faults, []);
    await close();
  });

  flags('a viewer finds every button, each of which says why it is disabled', async () => {
    const { key } = await buildFlag(here.world, { key: 'only.seen' });
    const viewer = await buildMember(here.test, here.world, 'viewer');
    const { page, faults, close } = await here.openTab({ user: viewer });
    await page.goto(here.path('flags', key));
    const halt = page.getByRole('button', { name: 'Halt' });
    await halt.focus();
    assert.is(await halt.getAttribute('aria-disabled'), 'true');
    await page.getByRole('tooltip').getByText('Your role here (viewer)').waitFor();
    await halt.press('Enter');
    assert.is(await page.getByRole('dialog').count(), 0);
    assert.is(await page.getByRole('button', { name: '+ Rule' }).isDisabled(), true);
    assert.equal(faults, []);
    await close();
  });

  flags('a session that ends under a form is renewed in place, and the form continues', async () => {
    const { key } = await buildFlag(here.world, { key: 'long.lunch' });
    const { page, context, faults, expectFault, close } = await here.openTab();
    await page.goto(here.path('flags', key));
    await page.getByLabel('Description').fill('half a sentence');
    await page.getByRole('button', { name: 'Halt' }).click();
    await page.getByLabel(/^Reason/).fill('written before lunch');
    await context.clearCookies();
    await page.getByRole('button', { name: 'Halt now' }).click();
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    await again.waitFor();
    await page.keyboard.press('Escape');
    assert.is(await again.getByLabel('Email').inputValue(), here.world.owner.email);
    await again.getByLabel(/^Password/).fill('not the password');
    await again.getByLabel(/^Password/).press('Enter');
    await again.getByRole('alert').waitFor();
    await again.getByLabel(/^Password/).fill(here.world.owner.password);
    await again.getByLabel(/^Password/).press('Enter');
    await page.getByText(/^Halted.+everyone gets off/).waitFor();
    await page.getByText('written before lunch').waitFor();
    assert.is(await page.getByLabel('Description').inputValue(), 'half a sentence');
    await expectFault('UNAUTHENTICATED');
    await expectFault('WRONG_CREDENTIALS');
    assert.equal(faults, []);
    await close();
  });

  flags('a lost connection leaves the page and its forms in place, and they save once it is back', async () => {
    const { key } = await buildFlag(here.world, { key: 'in.a.tunnel' });
    const { page, context, close } = await here.openTab();
    await page.goto(here.path('flags', key));
    await page.getByLabel('Description').fill('written in a tunnel');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Save' }).click();
    const told = page.getByRole('status').getByText("Can't reach the server.");
    await told.waitFor();
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await page.getByRole('heading', { name: key, level: 1 }).waitFor();
    assert.is(await page.getByLabel('Description').inputValue(), 'written in a tunnel');
    await context.setOffline(false);
    await told.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await close();
  });

  flags('Back closes a form, and asks first if text would be lost; pressing twice sends it once', async () => {
    const { page, faults, close } = await here.openTab();
    const asked: string[] = [];
    page.on('dialog', (question) => {
      asked.push(question.message());
      void question.dismiss();
    });
    await page.goto(here.path('flags'));
    const form = page.getByRole('dialog', { name: 'New flag in live' });
    await page.getByRole('button', { name: 'New flag' }).first().click();
    await form.waitFor();
    await page.goBack();
    await form.waitFor({ state: 'hidden' });
    assert.match(page.url(), /\/flags$/);
    await page.getByRole('button', { name: 'New flag' }).first().click();
    await form.getByLabel(/^Key/).fill('not a key');
    await form.getByRole('button', { name: 'Create flag' }).click();
    await form.getByText(/letters, digits/).waitFor();
    await page.goBack();
    await until('it was asked', () => asked.length === 1);
    await page.keyboard.press('Escape');
    await until('it was asked again', () => asked.length === 2);
    await form.getByLabel(/^Key/).fill('sent.once');
    let sent = 0;
    page.on('request', (request) => {
      if (request.postData()?.includes('mutation CreateFlag')) sent += 1;
    });
    await form.getByRole('button', { name: 'Create flag' }).dblclick();
    await page.getByRole('heading', { name: 'sent.once', level: 1 }).waitFor();
    assert.is(sent, 1);
    assert.ok((await flagKeys()).includes('sent.once'));
    await page.goBack();
    assert.is(await form.count(), 0);
    assert.is(asked.length, 2);
    assert.equal(
      faults.filter((fault) => !fault.includes('letters, digits')),
      [],
    );
    page.removeAllListeners('dialog');
    await close();
  });

  flags('Escape closes only the question over a form; leaving a tab is one step of history', async () => {
    const { key } = await buildFlag(here.world, { key: 'step.back' });
    const { page, faults, goWithin, close } = await here.openTab();
    await page.goto(here.path('flags', key));
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('tab', { name: 'History', selected: true }).waitFor();
    await page.goBack();
    await page.getByRole('tab', { name: 'Targeting', selected: true }).waitFor();
    await goWithin(here.path('boards'));
    await page.getByLabel('New board').fill('Board');
    await page.getByRole('button', { name: 'Create board' }).click();
    await page.getByPlaceholder('What needs doing').fill('A ticket');
    await page.getByRole('button', { name: 'Add ticket' }).click();
    await page.getByRole('button', { name: 'A ticket', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Ticket', exact: true });
    await form.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('dialog', { name: 'Delete the ticket?' });
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    await form.getByLabel(/^Title/).waitFor();
    assert.equal(faults, []);
    await close();
  });

  flags('the finder offers what the page and its row offer, and nothing that the viewer may not do', async () => {
    const { key } = await buildFlag(here.world, { key: 'by.finder' });
    const { page, faults, goWithin, close } = await here.openTab();
    await page.goto(here.path('flags', key));
    await page.getByRole('button', { name: 'Archive' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Find' }).fill('archive');
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: `Archive ${key}?` });
    await until('the question has the focus', async () =>
      question.getByRole('button', { name: 'Cancel' }).evaluate((element) => element.matches(':focus')),
    );
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    await goWithin(here.path('flags'));
    await page.getByRole('link', { name: key }).focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Find' }).fill('halt');
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog', { name: `Halt ${key} in live` })
      .getByLabel(/^Reason/)
      .waitFor();
    await close();
    const viewer = await here.openTab({ user: await buildMember(here.test, here.world, 'viewer') });
    await viewer.page.goto(here.path('flags', key));
    await viewer.page.getByRole('button', { name: 'Archive' }).waitFor();
    await viewer.page.keyboard.press('Control+k');
    await viewer.page.locator('[data-action]').getByText('Sign out').waitFor();
    assert.is(await viewer.page.locator('[data-action]').getByText(key).count(), 0);
    assert.equal([...faults, ...viewer.faults], []);
    await viewer.close();
  });
}

flags('without a browser: the pages and their scripts are served', async () => {
  const page = await fetch(here.test.baseUrl + here.path('flags'), { headers: { accept: 'text/html' } });
  assert.is(page.status, 200);
  const [script] = /\/assets\/[^"]+\.js/.exec(await page.text()) ?? [];
  assert.is((await fetch(here.test.baseUrl + script)).status, 200);
});

flags('without a browser: flags are listed', async () => {
  assert.ok(Array.isArray(await flagKeys()));
});

flags.run();
