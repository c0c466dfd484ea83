import type { Locator, Page, Request } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../../browser/chromium.js';
import { draftEntries } from '../../support/factories/webhook-factory.js';
import { until } from '../../support/until.js';
import { inConsole } from '../console-place.js';

const lists = suite('console: a list of which several pages are read, while it changes');

/** More than two pages of the changelog. */
const COUNT = 60;
const PAGE = 25;

let ids: string[];

const here = inConsole(lists);
lists.before(async () => {
  ids = await draftEntries(here.world, COUNT);
});

/** The titles of the first stored entries, in list order. */
async function storedTitles(first: number): Promise<string[]> {
  const { changelogEntries } = await here.world.owner.client.graphql<{
    changelogEntries: { nodes: { title: string }[] };
  }>('query($id: ID!, $first: Int!) { changelogEntries(projectId: $id, first: $first) { nodes { title } } }', {
    id: here.world.projectId,
    first,
  });
  return changelogEntries.nodes.map(({ title }) => title);
}

const shownTitles = (page: Page): Locator => page.locator('.entry strong');

/** Loads more until this many pages are there. */
async function readPages(page: Page, count: number): Promise<void> {
  for (let pages = 1; ; pages++) {
    await until(`${pages} pages are there`, async () => (await shownTitles(page).count()) === pages * PAGE);
    if (pages === count) return;
    await page.getByRole('button', { name: 'Load older entries' }).click();
  }
}

if (hasChromium()) {
  lists('entries that come and go at its top leave no gap and no duplicate', async () => {
    const { page, faults, settle, close } = await here.openTab();
    await page.goto(here.path('releases'));
    const shown = page.locator('.entry strong');
    const more = page.getByRole('button', { name: 'Load older entries' });
    await more.click();
    await until('two pages are there', async () => (await shown.count()) === 50);
    await more.click();
    await until('all are there', async () => (await shown.count()) === COUNT);
    await settle();
    await draftEntries(here.world, 3, 'Later');
    const isWhole = (words: string) =>
      until(words, async () => {
        const stored = await storedTitles(100);
        return JSON.stringify(await shown.allTextContents()) === JSON.stringify(stored);
      });
    await isWhole('new entries are on top, and all others below them');
    for (const id of ids.slice(-30))
      await here.world.owner.client.graphql('mutation($id: ID!) { deleteChangelogEntry(input: { id: $id }) { id } }', {
        id,
      });
    await isWhole('what was deleted is gone, and the others are there once');
    assert.equal(faults, []);
    await close();
  });

  lists('a distant page that failed once is requested again, and the rows above it keep updating', async () => {
    const { page, faults, expectFault, settle, close } = await here.openTab();
    const first = (await draftEntries(here.world, 6 * PAGE)).at(-1);
    const cursors = new Set<string>();
    const note = (request: Request) => {
      const { variables } = (request.postDataJSON() ?? {}) as { variables?: { after?: string } };
      if (variables?.after) cursors.add(variables.after);
    };
    page.on('request', note);
    await page.goto(here.path('releases'));
    await readPages(page, 6);
    await settle();
    page.off('request', note);
    const after = new Set<string>();
    let hasFailed = false;
    await page.route('**/graphql', async (route) => {
      const { query = '', variables } = JSON.parse(route.request().postData() ?? '{}');
      if (!query.includes('changelogEntries(') || !variables.after || hasFailed) return route.fallback();
      if (!cursors.has(variables.after)) after.add(variables.after);
      if (after.size < 5) return route.fallback();
      hasFailed = true;
      return route.fulfill({ json: { errors: [{ message: 'fails once' }], data: null } });
    });
    await draftEntries(here.world, 1, 'On top');
    await expectFault('fails once');
    await settle();
    await here.world.owner.client.graphql(
      'mutation($input: UpdateChangelogEntryInput!) { updateChangelogEntry(input: $input) { id } }',
      { input: { id: first, title: 'Renamed' } },
    );
    await page.getByText('Renamed', { exact: true }).waitFor();
    assert.is(await shownTitles(page).first().textContent(), 'On top 0');
    assert.equal(faults, []);
    await close();
  });

  lists('in a burst the top follows at once, distant pages are requested twice, and no row is duplicated', async () => {
    const { context, close } = await here.openTab();
    const page = await context.newPage();
    await draftEntries(here.world, 6 * PAGE, 'Far');
    // Time stands still, and the test controls when timers fire.
    await page.addInitScript(`{
      const { setTimeout } = window;
      const now = Date.now();
      Date.now = () => now;
      window.waiting = [];
      window.setTimeout = (run, wait, ...rest) =>
        wait > 1_000 ? window.waiting.push(run) : setTimeout(run, wait / 10, ...rest);
    }`);
    await page.goto(here.path('releases'));
    await readPages(page, 6);
    const answer = Promise.withResolvers<void>();
    let asked = 0;
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('changelogEntries(')) return route.fallback();
      const response = await route.fetch();
      const { data } = await response.json();
      if (Number(/^Far (\d+)$/.exec(data.changelogEntries.nodes[0]?.title)?.[1]) < 2 * PAGE + 10) {
        asked += 1;
        await answer.promise;
      }
      return route.fulfill({ response });
    });
    const titles = Array.from({ length: 6 * PAGE }, (_, at) => `Far ${6 * PAGE - 1 - at}`);
    const showsAtOnce = async (title: string) => {
      await draftEntries(here.world, 1, title);
      titles.unshift(`${title} 0`);
      await shownTitles(page).getByText(`${title} 0`, { exact: true }).waitFor();
      const shown = (await shownTitles(page).allTextContents()).slice(0, titles.length);
      assert.equal(shown, titles.slice(0, shown.length));
      assert.ok(shown.length >= 6 * PAGE, String(shown.length));
    };
    const passTime = () => page.evaluate('for (const run of window.waiting.splice(0)) run()');
    await showsAtOnce('First');
    assert.is(asked, 0);
    const passTimeUntil = (words: string, is: () => boolean | Promise<boolean>) =>
      until(words, async () => {
        await passTime();
        return is();
      });
    await passTimeUntil('the first distant page is requested', () => asked === 1);
    await showsAtOnce('Second');
    answer.resolve();
    await until('the next follows it', () => asked === 2);
    for (const title of ['Third', 'Fourth']) await showsAtOnce(title);
    assert.is(asked, 2);
    await passTimeUntil(
      'the list ends where its pages end',
      async () => (await shownTitles(page).count()) === 6 * PAGE,
    );
    assert.equal(await shownTitles(page).allTextContents(), titles.slice(0, 6 * PAGE));
    assert.ok(asked <= 6, `${asked} for two pages, after a burst of four changes`);
    await close();
  });

  lists('a page that fails on its first load says so, and is requested again on demand', async () => {
    const { page, faults, expectFault, close } = await here.openTab();
    await page.route('**/graphql', async (route) => {
      const { query = '', variables } = JSON.parse(route.request().postData() ?? '{}');
      if (!query.includes('changelogEntries(') || !variables.after) return route.fallback();
      return route.fulfill({ json: { errors: [{ message: 'It is too much.' }], data: null } });
    });
    await page.goto(here.path('releases'));
    await page.getByRole('button', { name: 'Load older entries' }).click();
    const alert = page.getByRole('alert').filter({ hasText: "The remaining rows couldn't be loaded. It is too much." });
    await alert.waitFor();
    await expectFault('It is too much.');
    await page.unrouteAll({ behavior: 'wait' });
    await alert.getByRole('button', { name: 'Try again' }).click();
    await until('two pages are there', async () => (await shownTitles(page).count()) === 2 * PAGE);
    assert.is(await alert.count(), 0);
    assert.equal(faults, []);
    await close();
  });
}

lists('without a browser: there are more entries than two pages hold', async () => {
  assert.ok((await storedTitles(100)).length > 30);
});

lists.run();
