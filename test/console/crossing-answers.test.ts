import type { Locator, Page, Request } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../browser/chromium.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { buildSurvey } from '../support/factories/survey-factory.js';
import { buildSubscription } from '../support/factories/webhook-factory.js';
import { until } from '../support/until.js';
import { inConsole } from './console-place.js';
import { holdBack, sentBy } from './requests.js';

const crossing = suite('console: answers that come late or not at all, and presses that they cross');
const here = inConsole(crossing);

interface StoredFlag {
  description: string;
  haltReason: string | null;
}

interface StoredHook {
  enabled: boolean;
  description: string;
}

async function storedFlag(key: string): Promise<StoredFlag> {
  const { flagByKey } = await here.world.owner.client.graphql<{ flagByKey: StoredFlag }>(
    'query($id: ID!, $key: String!) { flagByKey(projectId: $id, environment: live, key: $key) { description haltReason } }',
    { id: here.world.projectId, key },
  );
  return flagByKey;
}

async function storedHook(id: string): Promise<StoredHook> {
  const query = 'query($id: ID!) { webhookSubscription(id: $id) { enabled description } }';
  return (await here.world.owner.client.graphql<{ webhookSubscription: StoredHook }>(query, { id }))
    .webhookSubscription;
}

const update = (input: object) =>
  here.world.owner.client.graphql('mutation($input: UpdateFlagInput!) { updateFlag(input: $input) { id } }', { input });

const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click();

/** The top of an element, measured from the top of the window. */
const topOf = (part: Locator): Promise<number> => part.evaluate((element) => element.getBoundingClientRect().top);

if (hasChromium()) {
  crossing('a saved value appears at once and is edited from there, however late the page reloads', async () => {
    const { key } = await buildFlag(here.world, { key: 'slow.line', description: 'as it was' });
    const { page, faults, settle, close } = await here.openTab();
    await page.goto(here.path('flags', key));
    const description = page.getByLabel('Description');
    await description.waitFor();
    await settle();
    const answers = await holdBack(page, 'query FlagByKey');
    await description.fill('first');
    await sentBy(page, 'UpdateFlag', () => save(page));
    await page.getByText('Saved.').waitFor();
    assert.is(await description.inputValue(), 'first');
    await description.fill('second');
    assert.equal(await sentBy(page, 'UpdateFlag', () => save(page)), ['description']);
    await page.getByText('Saved.').waitFor();
    assert.is(await description.inputValue(), 'second');
    await page.getByRole('button', { name: 'Halt' }).click();
    await page.getByLabel(/^Reason/).fill('it fails');
    await page.getByRole('button', { name: 'Halt now' }).click();
    await page.getByText(/^Halted.+everyone gets off/).waitFor();
    answers();
    await settle();
    assert.is((await storedFlag(key)).description, 'second');
    assert.equal(faults, []);
    await close();
  });

  crossing('what a page reads once the stream of changes is open is read once', async () => {
    await buildFlag(here.world, { key: 'read.once' });
    const { page, faults, settle, close } = await here.openTab();
    const lists: Request[] = [];
    page.on('request', (request) => {
      if (request.postData()?.includes('query Flags(')) lists.push(request);
    });
    const stream = page.waitForResponse('**/graphql/stream');
    // The list is queried once the page knows its project.
    const answers = await holdBack(page, 'query Scope');
    await page.goto(here.path('flags'));
    await stream;
    answers();
    await page.getByRole('link', { name: 'read.once' }).waitFor();
    await settle();
    assert.is(lists.length, 1);
    assert.equal(faults, []);
    await close();
  });

  crossing('a change between what a page read and the opening of its stream appears', async () => {
    const { id, key } = await buildFlag(here.world, { key: 'before.stream', description: 'as it was' });
    const { page, faults, settle, close } = await here.openTab();
    const late = Promise.withResolvers<void>();
    await page.route('**/graphql/stream', async (route) => {
      await late.promise;
      await route.continue();
    });
    await page.goto(here.path('flags', key));
    const description = page.getByLabel('Description');
    await description.waitFor();
    await settle();
    await update({ flagId: id, description: 'as it is' });
    assert.is(await description.inputValue(), 'as it was');
    late.resolve();
    await until('the page has the change', async () => (await description.inputValue()) === 'as it is');
    assert.equal(faults, []);
    await close();
  });

  crossing('when a page is read twice at once, the older answer does not replace the newer one', async () => {
    const { id, key } = await buildFlag(here.world, { key: 'read.twice', description: 'as it was' });
    const { page, faults, settle, close } = await here.openTab();
    await page.goto(here.path('flags', key));
    const description = page.getByLabel('Description');
    await description.waitFor();
    await settle();
    const late = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    let asked = 0;
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('query FlagByKey(')) return route.fallback();
      asked += 1;
      if (asked > 1) return route.fallback();
      const response = await route.fetch();
      held.resolve();
      await late.promise;
      await route.fulfill({ response });
    });
    await update({ flagId: id, description: 'as it was then' });
    await held.promise;
    const usage = page.waitForRequest((one) => one.postData()?.includes('query FlagUsage(') === true);
    await update({ flagId: id, description: 'as it is' });
    await (await usage).response();
    late.resolve();
    await settle();
    await until('the newer one stands', async () => (await description.inputValue()) === 'as it is');
    assert.equal(faults, []);
    await close();
  });

  crossing('answers to requests from before a lost connection do not say that it is back', async () => {
    const { key } = await buildFlag(here.world, { key: 'broken.line' });
    const { page, settle, close } = await here.openTab();
    await page.goto(here.path('flags', key));
    await page.getByLabel('Description').fill('never stored');
    await settle();
    const asked = Promise.withResolvers<void>();
    const late = Promise.withResolvers<void>();
    let isLost = false;
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('mutation')) isLost = true;
      if (isLost) return route.abort();
      asked.resolve();
      await late.promise;
      await route.continue();
    });
    await buildFlag(here.world, { key: 'made.meanwhile' });
    await asked.promise;
    await page.getByRole('button', { name: 'Save' }).click();
    const told = page.getByRole('status').getByText("Can't reach the server.");
    await told.waitFor();
    late.resolve();
    await settle();
    assert.ok(await told.isVisible());
    const again = page.waitForRequest('**/graphql');
    await page.getByRole('button', { name: 'Try again' }).click();
    await again;
    await page.unroute('**/graphql');
    await told.waitFor({ state: 'hidden' });
    await close();
  });

  crossing('Save stores the edits even while a switch beside the form is in flight', async () => {
    const { id } = await buildSubscription(here.world, 'https://pager.example/');
    const { page, close } = await here.openTab();
    await page.goto(here.path('webhooks', `${id}?tab=settings`));
    await page.getByLabel('Description').fill('the pager');
    const late = Promise.withResolvers<void>();
    const isSave = (request: Request) => request.postData()?.includes('"description"') === true;
    await page.route('**/graphql', async (route, request) => {
      const response = await route.fetch();
      if (!isSave(request)) await late.promise;
      await route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Disable' }).click();
    await until('it is off', async () => !(await storedHook(id)).enabled);
    const refused = page.waitForResponse((one) => isSave(one.request()));
    await save(page);
    assert.match(await (await refused).text(), 'VERSION_CONFLICT');
    late.resolve();
    await page.getByText('Saved.').waitFor();
    assert.equal(await storedHook(id), { enabled: false, description: 'the pager' });
    await close();
  });

  crossing('Save takes one press, even if leaving the field makes it grow and moves the button', async () => {
    const { key } = await buildFlag(here.world, { key: 'pressed.once' });
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('flags', key));
    const values = page.locator('input[aria-label="Values"]');
    const button = page.getByRole('button', { name: 'Save' });
    for (const rule of [0, 1, 2, 3, 4]) {
      await page.getByRole('button', { name: '+ Rule' }).click();
      await page.getByRole('button', { name: '+ Condition' }).nth(rule).click();
      await values.last().fill(`a text that is so long that nothing else stands beside it ${rule}`);
      if (rule < 4) await values.last().press('Enter');
    }
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await button.hover();
    const before = await topOf(button);
    await page.mouse.down();
    await until('it has moved', async () => (await topOf(button)) !== before);
    const sent = await sentBy(page, 'UpdateFlag', () => page.mouse.up());
    assert.equal(sent, ['rules']);
    await page.getByText('Saved.').waitFor();
    assert.equal(faults, []);
    await close();
  });

  crossing('a halt takes one press, even if its consequences appear under the pointer', async () => {
    const { key } = await buildFlag(here.world, { key: 'halted.once' });
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('flags', key));
    const consequences = await holdBack(page, 'query PreviewHalt');
    await page.getByRole('button', { name: 'Halt' }).click();
    await page.getByLabel(/^Reason/).fill('it fails');
    const button = page.getByRole('button', { name: 'Halt now' });
    await button.hover();
    const before = await topOf(button);
    await page.mouse.down();
    consequences();
    await page.getByRole('list', { name: 'Effects of the halt' }).waitFor();
    assert.ok((await topOf(button)) > before);
    await page.mouse.up();
    await page.getByText(/^Halted.+everyone gets off/).waitFor();
    assert.is((await storedFlag(key)).haltReason, 'it fails');
    assert.equal(faults, []);
    await close();
  });

  crossing('a part that fails to load says so in place, rather than looking loading or empty', async () => {
    const { key } = await buildFlag(here.world, { key: 'unread' });
    const { id } = await buildSurvey(here.world);
    const tab = await here.openTab();
    const { page, goWithin, expectFault } = tab;
    await page.route('**/graphql', (route) =>
      /query (?:Keys|DeployTokens|Tokens|ProjectSettings|SurveyResults|Boards|SymbolSources|AlertRules|CrashSampling|FlagUsage)\(?/.test(
        route.request().postData() ?? '',
      )
        ? route.fulfill({ json: { errors: [{ message: 'It is too much.' }], data: null } })
        : route.fallback(),
    );
    await page.goto(here.path('flags'));
    await page.getByRole('heading', { level: 1 }).waitFor();
    const parts: Record<string, string[]> = {
      'settings?tab=keys': ['Project keys', 'Deploy tokens'],
      [`flags/${key}`]: ['Usage'],
      'settings?tab=tokens': ['API tokens'],
      boards: ['Boards'],
      settings: [],
      'crashes/alerts': ['Alert rules', 'Sampling'],
      [`surveys/${id}`]: [],
      'crashes/symbols': ['Sources'],
    };
    for (const [path, panels] of Object.entries(parts)) {
      await goWithin(here.path(...path.split('/')));
      const failed = { hasText: 'It is too much.' };
      await page.getByRole('alert').filter(failed).first().waitFor();
      for (const name of panels) await page.getByRole('region', { name }).filter(failed).waitFor();
      assert.is(await page.getByLabel('Share of crashes that SDKs send').count(), 0);
      assert.is(await page.getByRole('status', { name: 'Loading' }).count(), 0, path);
    }
    await expectFault('It is too much.');
    assert.equal(tab.faults, []);
    await tab.close();
  });

  crossing('a press that leaves the button before it ends does nothing', async () => {
    const { key } = await buildFlag(here.world, { key: 'thought.better' });
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('flags', key));
    await page.getByRole('button', { name: 'Halt' }).hover();
    await page.mouse.down();
    await page.getByRole('heading', { name: key, level: 1 }).hover();
    await page.mouse.up();
    await page.getByRole('button', { name: '+ Rule' }).click();
    assert.is(await page.getByRole('dialog').count(), 0);
    assert.equal(faults, []);
    await close();
  });
}

crossing('without a browser: a flag is halted', async () => {
  const { id, key } = await buildFlag(here.world);
  await here.world.owner.client.graphql('mutation($input: HaltFlagInput!) { haltFlag(input: $input) { id } }', {
    input: { flagId: id, reason: 'it fails' },
  });
  assert.is((await storedFlag(key)).haltReason, 'it fails');
});

crossing.run();
