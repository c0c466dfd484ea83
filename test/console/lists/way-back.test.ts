import type { Locator, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../../browser/chromium.js';
import { until } from '../../support/until.js';
import { inConsole } from '../console-place.js';

const ways = suite('console: the way back to a long list');

/** More than two pages of flags, and of events. */
const COUNT = 230;

const here = inConsole(ways);
ways.before(async () => {
  const keys = Array.from({ length: COUNT }, (_, at) => `flag.${String(at).padStart(3, '0')}`);
  for (let at = 0; at < COUNT; at += 10) await Promise.all(keys.slice(at, at + 10).map(create));
});

async function create(key: string): Promise<void> {
  const input = { projectId: here.world.projectId, environment: 'live', key };
  await here.world.owner.client.graphql('mutation($input: CreateFlagInput!) { createFlag(input: $input) { id } }', {
    input,
  });
}

const topOf = (frame: Locator): Promise<number> => frame.evaluate(({ scrollTop }) => scrollTop);

/** Scrolls like a mouse wheel until the row is there. */
async function scrollTo(page: Page, frame: Locator, row: Locator): Promise<void> {
  await frame.hover();
  await until('the row is in sight', async () => {
    await page.mouse.wheel(0, 1_500);
    return row.isVisible();
  });
}

if (hasChromium()) {
  ways(
    'a table keeps its scroll position after returning from a row of its third page, and after a reload',
    async () => {
      const { page, faults, settle, close } = await here.openTab();
      await page.goto(here.path('flags?order=key.asc'));
      const table = page.getByRole('table', { name: 'Flags' });
      await table.waitFor();
      assert.is(await topOf(table), 0);
      const row = table.getByRole('link', { name: 'flag.215' });
      await scrollTo(page, table, row);
      await settle();
      // A wheel's scrolling continues after the row comes into sight, and a click scrolls the row fully into view.
      await table.evaluate((frame) => {
        frame.addEventListener('click', () => Object.assign(globalThis, { leftAt: frame.scrollTop }), true);
      });
      await row.click();
      await page.getByRole('heading', { level: 1, name: 'flag.215' }).waitFor();
      const top = await page.evaluate('leftAt');
      const isThere = () => until('the table is at its former position', async () => (await topOf(table)) === top);
      await page.goBack();
      await isThere();
      await row.waitFor();
      await page.reload();
      await isThere();
      await row.waitFor();
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Config' }).click();
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Flags' }).click();
      await table.getByRole('link', { name: 'flag.229' }).waitFor();
      assert.is(await topOf(table), 0, 'a new visit begins at the top');
      assert.equal(faults, []);
      await close();
    },
  );

  ways('a re-sorted list begins at the top, and a dialog over it moves nothing', async () => {
    const { page, faults, settle, close } = await here.openTab();
    await page.goto(here.path('flags?order=key.asc'));
    const table = page.getByRole('table', { name: 'Flags' });
    const far = table.getByRole('link', { name: 'flag.215' });
    await table.waitFor();
    await scrollTo(page, table, far);
    await settle();
    await until('the wheel is at rest', async () => {
      const before = await topOf(table);
      await page.waitForTimeout(100);
      return before === (await topOf(table));
    });
    const top = await topOf(table);
    await page.getByRole('button', { name: 'New flag' }).click();
    await page.getByRole('dialog').getByLabel('Key').waitFor();
    await settle();
    assert.is(await topOf(table), top, 'behind the dialog');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await settle();
    assert.is(await topOf(table), top, 'after the dialog');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Flags' }).click();
    await table.getByRole('link', { name: 'flag.229' }).waitFor();
    assert.is(await topOf(table), 0, 'the same page reloaded');
    await page.goBack();
    await far.waitFor();
    await until('the table is at its former position', async () => (await topOf(table)) === top);
    await table.getByRole('button', { name: 'Flag ↑' }).click();
    await table.getByRole('link', { name: 'flag.229' }).waitFor();
    await settle();
    assert.is(await topOf(table), 0, 'in another order');
    assert.equal(faults, []);
    await close();
  });

  ways('a list with a More button keeps its position and the pages loaded so far', async () => {
    const { page, faults, settle, close } = await here.openTab();
    await page.goto(here.path('audit'));
    const entries = page.getByRole('region', { name: 'Changes' }).locator('details');
    const more = page.getByRole('button', { name: 'Load older entries' });
    await more.click();
    await until('two pages are there', async () => (await entries.count()) >= 100);
    await more.click();
    await until('three pages are there', async () => (await entries.count()) >= 150);
    await entries.nth(130).scrollIntoViewIfNeeded();
    await settle();
    const top = await page.evaluate('scrollY');
    const isThere = () =>
      until('the page is at its former position', async () => (await page.evaluate('scrollY')) === top);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Config' }).click();
    await page.getByRole('heading', { level: 1, name: 'Config' }).waitFor();
    await page.goBack();
    await isThere();
    await page.reload();
    await isThere();
    assert.ok((await entries.count()) >= 150);
    assert.equal(faults, []);
    await close();
  });
}

ways('without a browser: a list of more than two pages is read to its end', async () => {
  const { flags } = await here.world.owner.client.graphql<{ flags: { totalCount: number } }>(
    'query($id: ID!) { flags(projectId: $id, environment: live, first: 1) { totalCount } }',
    { id: here.world.projectId },
  );
  assert.is(flags.totalCount, COUNT);
});

ways.run();
