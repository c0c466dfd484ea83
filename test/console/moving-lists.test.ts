import 'reflect-metadata';
import type { Browser, Request } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../browser/chromium.js';
import type { World } from '../support/factories/factories.js';
import { draftEntries } from '../support/factories/webhook-factory.js';
import type { TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { inConsole } from './console-place.js';
import { openTab } from './open-tab.js';

const lists = suite('console: a list of which several pages are read, while it changes');

/** More than two pages of the changelog. */
const COUNT = 60;
const PAGE = 25;

let test: TestApp;
let world: World;
let browser: Browser;
let ids: string[];

inConsole(lists, async (place) => {
  ({ test, world, browser } = place);
  ids = await draftEntries(world, COUNT);
});

const place = (...rest: string[]) => ['/p', world.projectId, 'live', ...rest].join('/');

/** The titles of the entries that there are, as a list of them begins. */
async function storedTitles(first: number): Promise<string[]> {
  const { changelogEntries } = await world.owner.client.graphql<{
    changelogEntries: { nodes: { title: string }[] };
  }>('query($id: ID!, $first: Int!) { changelogEntries(projectId: $id, first: $first) { nodes { title } } }', {
    id: world.projectId,
    first,
  });
  return changelogEntries.nodes.map(({ title }) => title);
}

if (hasChromium()) {
  lists('entries that come and go at its top leave no hole in it, and none twice', async () => {
    const { page, faults, settle, close } = await openTab(browser, test.baseUrl, { user: world.owner });
    await page.goto(place('releases'));
    const shown = page.locator('.entry strong');
    const more = page.getByRole('button', { name: 'Older entries' });
    await more.click();
    await until('two pages are there', async () => (await shown.count()) === 50);
    await more.click();
    await until('all are there', async () => (await shown.count()) === COUNT);
    await settle();
    await draftEntries(world, 3, 'Later');
    const isWhole = (words: string) =>
      until(words, async () => {
        const stored = await storedTitles(100);
        return JSON.stringify(await shown.allTextContents()) === JSON.stringify(stored);
      });
    await isWhole('new entries are on top, and all others below them');
    for (const id of ids.slice(-30))
      await world.owner.client.graphql('mutation($id: ID!) { deleteChangelogEntry(input: { id: $id }) { id } }', {
        id,
      });
    await isWhole('what was deleted is gone, and the others are there once');
    assert.equal(faults, []);
    await close();
  });

  lists('a page far down that failed once is asked for again, and the rows above it go on', async () => {
    const { page, faults, expectFault, settle, close } = await openTab(browser, test.baseUrl, { user: world.owner });
    const first = (await draftEntries(world, 6 * PAGE)).at(-1);
    const cursors = new Set<string>();
    const note = (request: Request) => {
      const { variables } = (request.postDataJSON() ?? {}) as { variables?: { after?: string } };
      if (variables?.after) cursors.add(variables.after);
    };
    page.on('request', note);
    await page.goto(place('releases'));
    const shown = page.locator('.entry strong');
    for (let pages = 1; pages < 6; pages++) {
      await until(`${pages} pages are there`, async () => (await shown.count()) === pages * PAGE);
      await page.getByRole('button', { name: 'Older entries' }).click();
    }
    await until('six pages are there', async () => (await shown.count()) === 6 * PAGE);
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
    await draftEntries(world, 1, 'On top');
    await expectFault('fails once');
    await settle();
    await world.owner.client.graphql(
      'mutation($input: UpdateChangelogEntryInput!) { updateChangelogEntry(input: $input) { id } }',
      { input: { id: first, title: 'Renamed' } },
    );
    await page.getByText('Renamed', { exact: true }).waitFor();
    assert.is((await shown.allTextContents())[0], 'On top 0');
    assert.equal(faults, []);
    await close();
  });
}

lists('there are more entries than two pages have where no browser is', async () => {
  assert.ok((await storedTitles(100)).length > 30);
});

lists.run();
