import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Locator, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../browser/chromium.js';
import { type FilledProject, fillProject } from '../contract/filled-project.js';
import { buildConfigItem } from '../support/factories/config-factory.js';
import { buildMember, buildProject, type TestUser } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { inConsole, WITH_RECEIVERS } from './console-place.js';
import { fillWithLongTexts } from './long-project.js';
import type { Tab } from './open-tab.js';

const routes = suite('console: every page');

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The addresses of the console's pages, as in its route table. */
const PATHS = [...readFileSync('src/console/app/routes.tsx', 'utf8').matchAll(/^ {2}'(\/[^']*)': lazyPage/gm)].map(
  ([, path]) => path ?? '',
);

let filled: FilledProject;

const here = inConsole(routes, WITH_RECEIVERS);
routes.before(async () => {
  if (here.browser) filled = await fillProject(here.test, here.world);
});

const addressIn = (projectId: string, path: string, parts: Readonly<Record<string, unknown>>): string => {
  const known = path.replace(/\$\w+/g, (part) => {
    const value = parts[part];
    assert.ok(value, `no example of ${part} in ${path}`);
    return encodeURIComponent(String(value));
  });
  return `/p/${projectId}/live${known === '/' ? '' : known}`;
};

/** Fills in the parameters of an address, for a project that has rows of everything. */
async function addressOf(path: string): Promise<string> {
  const { flag, configItem } = await here.world.owner.client.graphql<{
    flag: { key: string };
    configItem: { key: string };
  }>('query($flag: ID!, $item: ID!) { flag(id: $flag) { key } configItem(id: $item) { key } }', {
    flag: filled['flag id']?.[0],
    item: filled['configItem id']?.[0],
  });
  return addressIn(here.world.projectId, path, {
    $flagKey: flag.key,
    $itemKey: configItem.key,
    $issueId: filled['crashIssue id']?.[0],
    $distinctId: filled.distinctId?.find((one) => typeof one === 'string'),
    $subscriptionId: filled['webhookSubscription id']?.[0],
    $surveyId: filled['survey id']?.[0],
    $boardId: filled['board id']?.[0],
  });
}

async function load({ page, settle }: Tab, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await settle();
}

interface Violation {
  id: string;
  impact: string;
  nodes: { target: string[]; failureSummary: string }[];
}

const EVERY_RULE = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** All rules whose result can change when only the colors do. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** What surrounds every page and is the same on each. */
const AROUND_ALL = ['header.top', 'nav[aria-label="Pages"]'];

/** What axe, already loaded in the page, reports as serious or critical. */
async function seriousFaults(page: Page, rules: readonly string[], exclude: readonly string[]): Promise<string[]> {
  const { violations } = (await page.evaluate(
    `axe.run(${JSON.stringify({ include: ['html'], exclude })}, { resultTypes: ['violations'], runOnly: ${JSON.stringify(rules)} })`,
  )) as { violations: Violation[] };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join()} ${failureSummary}`).join(' | ')}`,
    );
}

/** Places where a Hebrew name shares a line with other text without its direction being isolated. */
const LOOSE_NAMES = `{
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walk.nextNode()) {
    const { data, parentElement: around } = walk.currentNode;
    const isKept = ['plaintext', 'isolate'].includes(getComputedStyle(around).unicodeBidi) && around.textContent === data;
    if (data.includes('שלום') && !data.includes('\\u2068') && !isKept) found.push(around.outerHTML);
  }
  found;
}`;

routes('the table of routes is read', () => {
  assert.ok(PATHS.length > 5, PATHS.join());
  assert.is(new Set(PATHS).size, PATHS.length);
});

if (hasChromium()) {
  routes(
    'no page has a serious fault in light or dark, overflows a phone, or has an error in its console or an answer',
    async () => {
      const tab = await here.openTab();
      const { page } = tab;
      const found: string[] = [];
      let seen: readonly string[] = [];
      for (const path of PATHS) {
        const address = await addressOf(path);
        if (seen.length > 0) await tab.goWithin(address);
        else {
          await load(tab, address);
          await page.evaluate(AXE);
        }
        const faults = await seriousFaults(page, EVERY_RULE, seen);
        await page.emulateMedia({ colorScheme: 'dark' });
        faults.push(...(await seriousFaults(page, RULES_OF_COLOURS, seen)));
        seen = AROUND_ALL;
        await page.setViewportSize({ width: 375, height: 812 });
        const overflow = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
        if (overflow > 0) faults.push(`is ${overflow} px wider than the screen`);
        await page.emulateMedia({ colorScheme: 'light' });
        await page.setViewportSize({ width: 1400, height: 900 });
        found.push(...[...faults, ...tab.faults.splice(0)].map((fault) => `${path}: ${fault}`));
      }
      assert.equal(found, []);
      await tab.close();
    },
  );

  routes('with the longest texts no page overflows a phone, and no table column is crushed', async () => {
    const project = await buildProject(here.world);
    const parts = await fillWithLongTexts(project);
    const tab = await here.openTab({ width: 360 });
    const { page } = tab;
    const found: string[] = [];
    for (const [at, path] of PATHS.entries()) {
      const address = addressIn(project.projectId, path, parts);
      if (at === 0) await load(tab, address);
      else await tab.goWithin(address);
      const excess = await page.evaluate('document.scrollingElement.scrollWidth - innerWidth');
      if (Number(excess) > 0) found.push(`${path} is ${excess} px wider than the screen`);
    }
    const edge =
      "Math.max(...[...document.querySelectorAll('[role=dialog] *')].map((one) => one.getBoundingClientRect().right))";
    const other = `${String(parts.$flagKey).slice(1)}2`;
    await tab.goWithin(`${addressIn(project.projectId, '/flags/$flagKey', { $flagKey: other })}?halt=yes`);
    await page.getByRole('list', { name: 'Effects of the halt' }).getByText(other).waitFor();
    if (Number(await page.evaluate(edge)) > 360) found.push('the effects of a halt leave the dialog');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Find' }).fill(other);
    await page
      .locator('[data-action]', { hasText: `Halt ${other}` })
      .first()
      .waitFor();
    if (Number(await page.evaluate(edge)) > 360) found.push('a key leaves the finder');
    await page.keyboard.press('Escape');
    assert.equal(found, []);
    await page.setViewportSize({ width: 1400, height: 900 });
    await tab.goWithin(addressIn(project.projectId, '/crashes/symbols', {}));
    const row = page.getByRole('row').filter({ hasText: '51 B' });
    const height = async (shown: Locator): Promise<number> => (await shown.boundingBox())?.height ?? 0;
    assert.ok((await height(row.locator('time'))) < 30, 'the time is on one line');
    await page.setViewportSize({ width: 360, height: 812 });
    assert.equal(tab.faults, []);
    await tab.close();
  });

  routes(
    'right-to-left names are isolated, start at their own beginning when truncated, and leave the line alone',
    async () => {
      const project = await buildProject(here.world);
      const name = 'שלום (5)!';
      const long = `${name} ${'עולם '.repeat(30)}`.trim();
      const operations = [name, long].map((event_name) => ({
        type: 'track',
        payload: { event_name, distinct_id: name },
      }));
      await project.live.post('/api/v1/batch', { operations });
      const tab = await here.openTab({ width: 360 });
      await load(tab, `/p/${project.projectId}/live/events`);
      const cell = (text: string) => tab.page.locator('summary .mono').getByText(text, { exact: true });
      const edgesOf = (text: string, part: string) =>
        cell(text).evaluate((shown, of) => {
          const range = shown.ownerDocument.createRange();
          const at = shown.textContent.indexOf(of);
          range.setStart(shown.firstChild, at);
          range.setEnd(shown.firstChild, at + of.length);
          const [{ left, right }, frame] = [range.getBoundingClientRect(), shown.getBoundingClientRect()];
          return { left: left - frame.left, right: frame.right - right };
        }, part);
      const [first, last] = [await edgesOf(name, 'ש'), await edgesOf(name, '!')];
      assert.ok(last.left < first.left, 'the mark is at its end, which is left');
      assert.ok((await edgesOf(long, 'ש')).right >= -1, 'its beginning is in sight');
      await load(tab, `/p/${project.projectId}/live/boards`);
      await tab.page.getByLabel('New board').fill(name);
      const typed = await tab.page.evaluate('getComputedStyle(document.activeElement).unicodeBidi');
      assert.is(typed, 'plaintext');
      assert.equal(tab.faults, []);
      await tab.close();
    },
  );

  routes('right-to-left names leave the words around them in place on every page', async () => {
    const project = await buildProject(here.world);
    const parts = await fillWithLongTexts(project, 'שלום (5)!');
    const tab = await here.openTab();
    const found: string[] = [];
    for (const [at, path] of PATHS.entries()) {
      const address = addressIn(project.projectId, path, parts);
      if (at === 0) await load(tab, address);
      else await tab.goWithin(address);
      const hasPanels = (await tab.page.getByRole('tabpanel').count()) > 0;
      const tabs = hasPanels ? await tab.page.getByRole('tab').all() : [null];
      for (const [nth, open] of tabs.entries()) {
        await open?.click();
        await tab.settle();
        const loose = await tab.page.evaluate<string[]>(LOOSE_NAMES);
        found.push(...loose.map((text) => `${path} ${nth}: ${text}`));
      }
    }
    await tab.goWithin(addressIn(project.projectId, '/audit', parts));
    for (const entry of await tab.page.locator('summary').all()) await entry.click();
    await tab.page.locator('.cm-line', { hasText: 'שלום' }).first().waitFor();
    found.push(...(await tab.page.evaluate<string[]>(LOOSE_NAMES)).map((text) => `changes: ${text}`));
    assert.equal(found, []);
    assert.equal(tab.faults, []);
    await tab.close();
  });

  routes("on a tablet the navigation is visible, and a row's name has room", async () => {
    const tab = await here.openTab({ width: 768 });
    await load(tab, `/p/${here.world.projectId}/live/flags`);
    for (const width of [768, 1000, 1120]) {
      await tab.page.setViewportSize({ width, height: 900 });
      await tab.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Config' }).waitFor();
      const cell = await tab.page.getByRole('table').getByRole('cell').first().boundingBox();
      assert.ok((cell?.width ?? 0) > 150, `${cell?.width} px at ${width}`);
    }
    await tab.page.setViewportSize({ width: 768, height: 900 });
    assert.equal(tab.faults, []);
    await tab.close();
  });

  routes('any id or key works in a link and in its address', async () => {
    const project = await buildProject(here.world);
    const ids = ['.', '..', '~.', 'a/b', '50%25', 'a?b#c', '$id', ' ü 😀'];
    await project.live.post('/api/v1/batch', {
      operations: ids.map((distinct_id) => ({ type: 'people', payload: { distinct_id, properties: {} } })),
    });
    for (const key of ['.', '..']) {
      await buildFlag(project, { key });
      await buildConfigItem(project, { key });
    }
    const tab = await here.openTab();
    const { page } = tab;
    const lists = { 'events/people': ids, flags: ['.', '..'], config: ['.', '..'] };
    await load(tab, `/p/${project.projectId}/live`);
    for (const [list, names] of Object.entries(lists)) {
      for (const given of names) {
        const name = given.trim();
        await tab.goWithin(`/p/${project.projectId}/live/${list}`);
        await page.getByRole('table').getByRole('link', { name, exact: true }).click();
        await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      }
      await load(tab, page.url());
      await page.getByRole('heading', { level: 1, name: names.at(-1)?.trim() ?? '', exact: true }).waitFor();
      await page.locator('.sheet-crumb a').click();
      await page.waitForURL(`**/live/${list}`);
    }
    assert.equal(tab.faults, []);
    await tab.close();
  });

  routes('an address with an unknown tab, order, filter or time still shows the page', async () => {
    const tab = await here.openTab();
    const { page } = tab;
    const place = `/p/${here.world.projectId}/live`;
    await load(tab, `${place}/settings?tab=nowhere`);
    await page.getByRole('tab', { name: 'Project', selected: true }).waitFor();
    await page.getByRole('tabpanel').waitFor();
    for (const list of ['flags', 'config', 'crashes']) {
      await tab.goWithin(`${place}/${list}?order=nothing.up&show=nothing`);
      await page.getByRole('table').waitFor();
    }
    await tab.goWithin(`${place}/events?span=ever`);
    await page.getByText(/by day$/).waitFor();
    await tab.goWithin(`${place}/nothing/here`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    assert.is(await page.getByRole('main').count(), 1);
    assert.equal(tab.faults, []);
    await tab.close();
  });

  for (const role of ['viewer', 'editor', 'admin'] as const) {
    routes(`${role}: the navigation leads to what the role may see, and nothing there is refused`, async () => {
      const user: TestUser = await buildMember(here.test, here.world, role);
      const tab = await here.openTab({ user });
      await load(tab, `/p/${here.world.projectId}/live/flags`);
      const links = await tab.page.getByRole('navigation', { name: 'Pages' }).locator('a[href^="/p/"]').all();
      assert.ok(links.length > 1);
      for (const link of links) {
        const name = (await link.getAttribute('href')) ?? '';
        await link.click();
        await tab.page.waitForURL((url) => url.pathname === name);
        await tab.page.getByRole('heading', { level: 1 }).first().waitFor();
        await tab.settle();
        assert.equal(tab.faults, [], `${name} as ${role}`);
      }
      await tab.close();
    });
  }
}

routes.run();
