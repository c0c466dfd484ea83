import 'reflect-metadata';
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium, launchChromium } from '../browser/chromium.js';
import { buildMember, buildWorld, type World } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { openTab } from './open-tab.js';

const flags = suite('console: flags');

let test: TestApp;
let world: World;
let browser: Browser;

flags.before(async () => {
  test = await openTestApp();
  world = await buildWorld(test);
  if (hasChromium()) browser = await launchChromium();
});

flags.after(async () => {
  await browser?.close();
  await test.close();
});

const place = (...rest: string[]) => ['/p', world.projectId, 'live', ...rest].join('/');

interface StoredFlag {
  haltedAt: string | null;
  haltReason: string | null;
  currentVersion: number;
  description: string;
  rules: { percentage: number; conditions: { attribute: string; operator: string; values: unknown[] }[] }[];
}

async function storedFlag(key: string): Promise<StoredFlag | null> {
  const { flagByKey } = await world.owner.client.graphql<{ flagByKey: StoredFlag | null }>(
    `query($projectId: ID!, $key: String!) { flagByKey(projectId: $projectId, environment: live, key: $key) {
      haltedAt haltReason currentVersion description rules { percentage conditions { attribute operator values } } } }`,
    { projectId: world.projectId, key },
  );
  return flagByKey;
}

if (hasChromium()) {
  flags('somebody signs in by the form, makes a flag, targets it, tries it, and takes the change back', async () => {
    const { page, faults, expectFault, settle, close } = await openTab(browser, test.baseUrl);
    await page.goto(place('flags'));
    await page.waitForURL(/\/sign-in/);
    await settle();
    await expectFault('UNAUTHENTICATED');
    await page.getByLabel('E-mail').fill(world.owner.email);
    await page.getByLabel(/^Password/).fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('do not belong together').waitFor();
    await expectFault('WRONG_CREDENTIALS');
    await page.getByLabel(/^Password/).fill(world.owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor();

    await page.getByRole('button', { name: 'New flag' }).first().click();
    await page.getByLabel(/^Key/).fill('journey.flag');
    await page.getByRole('button', { name: 'Create flag' }).click();
    await page.getByRole('heading', { name: 'journey.flag', level: 1 }).waitFor();
    await page.getByRole('button', { name: '+ Rule' }).click();
    await page.getByRole('button', { name: '+ Condition' }).click();
    await page.getByRole('combobox', { name: 'Values' }).fill('ios');
    await page.keyboard.press('Enter');
    await page.getByLabel('Note for the history').fill('iPhones first');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    assert.equal((await storedFlag('journey.flag'))?.rules, [
      { percentage: 100, conditions: [{ attribute: 'platform', operator: 'in', values: ['ios'] }] },
    ]);

    await page.getByRole('tab', { name: 'Try as a person' }).click();
    await page.getByLabel('Platform').fill('ios');
    await page.getByRole('button', { name: 'Try', exact: true }).click();
    await page.getByText('Rule 1 gives on').waitFor();

    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText('iPhones first').waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByText('Back to version 1.').waitFor();
    assert.equal((await storedFlag('journey.flag'))?.rules, []);
    assert.equal(faults, []);
    await close();
  });

  flags('a flag is halted on a phone by keyboard only, and resumed', async () => {
    const { key } = await buildFlag(world, { key: 'on.call' });
    const { page, faults, close } = await openTab(browser, test.baseUrl, { user: world.owner, width: 375 });
    await page.goto(place('flags', key));
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
    await page.keyboard.press('Control+Enter');
    await page.getByText(/^Halted.+everybody gets off/).waitFor();
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
    assert.equal(faults, []);
    await close();
  });

  flags(
    'the finder opens the halt of a flag, and an answer that arrives late leaves the chosen line alone',
    async () => {
      const { key } = await buildFlag(world, { key: 'found.late' });
      const { page, faults, close } = await openTab(browser, test.baseUrl, { user: world.owner });
      await page.goto(place('flags'));
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
      await page.getByText(`Halt ${key}`).click();
      await page
        .getByRole('dialog')
        .getByLabel(/^Reason/)
        .waitFor();
      assert.equal(faults, []);
      await close();
    },
  );

  flags('whoever was slower sees both texts before anything is overwritten', async () => {
    const { id, key } = await buildFlag(world, { key: 'two.editors' });
    const { page, faults, close } = await openTab(browser, test.baseUrl, { user: world.owner });
    await page.goto(place('flags', key));
    await page.getByLabel('Description').fill('mine');
    await world.owner.client.graphql(
      'mutation($input: UpdateFlagInput!) { updateFlag(input: $input) { currentVersion } }',
      { input: { flagId: id, rules: [{ variant: 'on', percentage: 10 }] } },
    );
    await page.getByText('saved another version while you were editing').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    const merge = page.getByRole('dialog', { name: 'Somebody else saved' });
    await merge.getByRole('region', { name: 'rules' }).getByText('changed by only they').waitFor();
    await merge.getByRole('region', { name: 'description' }).getByText('changed by only you').waitFor();
    await merge.getByRole('button', { name: 'Go on with this' }).click();
    await until(
      'their share stands in the rule',
      async () => (await page.getByLabel('Share of them').inputValue()) === '10 %',
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const merged = await storedFlag(key);
    assert.equal([merged?.description, merged?.rules[0]?.percentage], ['mine', 10]);
    assert.equal(faults, []);
    await close();
  });

  flags('a viewer finds every button, and each says why it does nothing', async () => {
    const { key } = await buildFlag(world, { key: 'only.seen' });
    const viewer = await buildMember(test, world, 'viewer');
    const { page, faults, close } = await openTab(browser, test.baseUrl, { user: viewer });
    await page.goto(place('flags', key));
    const halt = page.getByRole('button', { name: 'Halt' });
    await halt.focus();
    assert.is(await halt.getAttribute('aria-disabled'), 'true');
    await page.getByRole('tooltip').getByText('Your role here is viewer').waitFor();
    await halt.press('Enter');
    assert.is(await page.getByRole('dialog').count(), 0);
    assert.is(await page.getByRole('button', { name: '+ Rule' }).isDisabled(), true);
    assert.equal(faults, []);
    await close();
  });
}

flags('the pages and their scripts are served where no browser is', async () => {
  const page = await fetch(test.baseUrl + place('flags'), { headers: { accept: 'text/html' } });
  assert.is(page.status, 200);
  const [script] = /\/assets\/[^"]+\.js/.exec(await page.text()) ?? [];
  assert.is((await fetch(test.baseUrl + script)).status, 200);
});

flags.run();
