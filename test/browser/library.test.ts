import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildConfigItem } from '../support/factories/config-factory.js';
import { buildProject, buildWorld, type World } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { hasChromium, launchChromium } from './chromium.js';
import { beginOn, openLibraryPage } from './library-page.js';
import { LibrarySite, type PackedLibrary, packBrowserLibrary } from './library-site.js';
import { storedEvents } from './stored-events.js';

/** Documented size limits, in gzipped bytes. */
const MOST_CORE = 10_000;
const MOST_WIDGET = 25_000;
/** The promise is 500 ms; the tests may share the machine with others. */

/** Methods that are given nonsense. The crash method is left out, because a test needs its report to arrive. */
const HOSTILE =
  'flag flagDetails config onChange track identify setProperties setContext reset screen breadcrumb showSurvey closeSurvey pauseSurveys resumeSurveys setConsent flush'.split(
    ' ',
  );

let packed: PackedLibrary;

const library = suite('the browser library');

library.before(async () => {
  packed = await packBrowserLibrary();
});
library.after(() => packed?.remove());

library('stays within its size limits', async () => {
  const sizes = new Map<string, number>();
  for (const name of await readdir(packed.folder))
    if (name.endsWith('.js')) sizes.set(name, gzipSync(await readFile(join(packed.folder, name))).length);
  const sum = (isMeant: (name: string) => boolean): number =>
    [...sizes].reduce((sum, [name, size]) => sum + (isMeant(name) ? size : 0), 0);
  // Modules that load only where surveys exist, when one is shown, or where another key was used. All others count as core.
  const late = [
    'former-keys.js',
    'survey-choice.js',
    'predicate-reader.js',
    'survey-widget.js',
    'survey-showing.js',
    'more-words.js',
  ];
  const [widget, core] = [sum((name) => late.includes(name)), sum((name) => !late.includes(name))];
  for (const name of late) assert.ok(sizes.has(name), name);
  assert.ok(core <= MOST_CORE, `core: ${core}`);
  assert.ok(widget <= MOST_WIDGET, `widget: ${widget}`);
  assert.not.match(await readFile(join(packed.folder, 'browser.js'), 'utf8'), 'attachShadow');
});

if (hasChromium()) {
  let test: TestApp;
  let world: World;
  let site: LibrarySite;
  let browser: Browser;
  let context: BrowserContext;

  library.before(async () => {
    test = await openTestApp();
    world = await buildWorld(test);
    site = await LibrarySite.open(packed);
    browser = await launchChromium();
  });
  library.before.each(async () => {
    if (!test) return;
    world = await buildProject(world);
    context = await browser.newContext();
  });
  library.after.each(async () => {
    await context?.close();
  });
  library.after(async () => {
    await browser?.close();
    await site?.close();
    await test?.close();
  });

  const open = (options: object = {}): Promise<Page> =>
    openLibraryPage(context, site.url, { url: test.baseUrl, key: world.keys.live, ...options });

  const stored = () => storedEvents(test, world);

  library('serves typed values, then the stored answer at the next start without a server', async () => {
    const flag = await buildFlag(world, { rules: [{ variant: 'on' }] });
    const page = await open();
    const values = await page.evaluate(
      (key) => [quarterdeck.flag(key, false), quarterdeck.flag(key, 'text'), quarterdeck.flag('none', 7)],
      flag.key,
    );
    assert.equal(values, [true, 'text', 7]);
    await beginOn(page, site.url, { url: 'http://127.0.0.1:9', key: world.keys.live });
    assert.is(await page.evaluate((key) => quarterdeck.flag(key, false), flag.key), true);
    assert.equal(await page.evaluate(() => violations), []);
  });

  library('reports a change, but holds values back until the next start unless a flag is halted', async () => {
    const flag = await buildFlag(world, { rules: [{ variant: 'on' }] });
    const item = await buildConfigItem(world, { key: 'most', value: '10' });
    const live = await open();
    const held = await open({ hold: true });
    await world.owner.client.graphql(
      'mutation($input: UpdateConfigItemInput!) { updateConfigItem(input: $input) { id } }',
      { input: { id: item.id, value: '20' } },
    );
    await live.waitForFunction(() => quarterdeck.config('most', 0) === 20);
    const halt = { flag_key: flag.key, reason: 'errors' };
    assert.is((await world.live.post('/api/switch/halt-webhook', halt)).status, 200);
    for (const page of [live, held]) {
      await page.waitForFunction((key) => quarterdeck.flagDetails(key)?.reason === 'halted', flag.key);
      assert.is(await page.evaluate((key) => quarterdeck.flag(key, true), flag.key), false);
    }
    assert.is(await held.evaluate(() => quarterdeck.config('most', 0)), 10);
    await beginOn(held, site.url, { url: test.baseUrl, key: world.keys.live, hold: true });
    assert.is(await held.evaluate(() => quarterdeck.config('most', 0)), 20);
  });

  library('learns of a halt through the stream at once, and by polling where there is no stream', async () => {
    const flag = await buildFlag(world, { rules: [{ variant: 'on' }] });
    const page = await open({ pollSeconds: 600 });
    const polling = await open({ stream: false, pollSeconds: 5 });
    await page.waitForFunction(() => quarterdeck.isStreaming);
    await page.waitForFunction((key) => quarterdeck.flag(key, false) === true, flag.key);
    await world.live.post('/api/switch/halt-webhook', { flag_key: flag.key, reason: 'errors' });
    await page.waitForFunction((key) => quarterdeck.flag(key, true) === false, flag.key, { polling: 10 });
    await polling.waitForFunction((key) => quarterdeck.flagDetails(key)?.reason === 'halted', flag.key);
  });

  library('also polls beside the stream where rules depend on the time', async () => {
    await context.clock.install();
    const from = new Date(test.clock.now().getTime() + 60_000).toISOString();
    const conditions = [{ attribute: 'now', operator: 'after', values: [from] }];
    const flag = await buildFlag(world, { rules: [{ conditions, variant: 'on' }] });
    const page = await open();
    await page.waitForFunction(() => quarterdeck.isStreaming);
    test.clock.advance(61_000);
    await page.clock.runFor(37_000);
    await page.waitForFunction((key) => quarterdeck.flag(key, false), flag.key);
  });

  library(
    'shares one connection between all tabs, hands it over when its tab closes, and passes messages on',
    async () => {
      const flag = await buildFlag(world, { rules: [{ variant: 'on' }] });
      const opened: Page[] = [];
      context.on('request', (request) => {
        if (request.url().includes('/api/v1/stream')) opened.push(request.frame().page());
      });
      const first = await open({ pollSeconds: 600 });
      await first.waitForFunction(() => quarterdeck.isStreaming);
      const second = await open({ pollSeconds: 600 });
      await second.waitForFunction((key) => quarterdeck.flag(key, false) === true, flag.key);
      assert.is(await second.evaluate(() => quarterdeck.isStreaming), false);
      await world.live.post('/api/switch/halt-webhook', { flag_key: flag.key, reason: 'errors' });
      for (const page of [first, second])
        await page.waitForFunction((key) => quarterdeck.flag(key, true) === false, flag.key);
      assert.equal(opened.length, 1);
      await first.close();
      await second.waitForFunction(() => quarterdeck.isStreaming);
      await until('the request of the other tab', () => opened.length === 2);
    },
  );

  library('sends events once and in order, and joins those from before sign-in to the person', async () => {
    const page = await open();
    await page.evaluate(async () => {
      for (let n = 0; n < 45; n++) quarterdeck.track('step', { n });
      quarterdeck.identify('ada', { plan: 'pro' });
      quarterdeck.track('step', { n: 45 });
      await quarterdeck.flush();
    });
    const rows = await stored();
    const numbers = rows.map(({ n }) => n).join();
    assert.is(numbers, Array.from({ length: 46 }, (_, n) => n).join());
    assert.is(rows.at(-1)?.id, 'ada');
    const people = await test.app.pool.query('select properties from person where project_id = $1', [world.projectId]);
    assert.equal(people.rows, [{ properties: { plan: 'pro' } }]);
  });

  library('sends what a closed page left behind and what waited while offline', async () => {
    const page = await open();
    await page.evaluate(() => quarterdeck.track('left', { n: 1 }));
    await page.goto('about:blank');
    await until('the event of the closed page', async () => (await stored()).length === 1);

    await beginOn(page, site.url, { url: test.baseUrl, key: world.keys.live });
    await context.setOffline(true);
    await page.evaluate(async () => {
      quarterdeck.track('offline', { n: 2 });
      await quarterdeck.flush();
    });
    await page.close();
    await context.setOffline(false);
    await open();
    await until('the event from offline', async () => (await stored()).length >= 2);
    assert.equal(
      (await stored()).map(({ n }) => n),
      [1, 2],
    );
  });

  library('drops the one operation that the server will never accept, and tells the developer', async () => {
    const page = await open();
    const warnings: string[] = [];
    page.on('console', (message) => warnings.push(message.text()));
    await page.evaluate(async () => {
      quarterdeck.track('good', { n: 1 });
      quarterdeck.track('', { n: 2 });
      quarterdeck.track('good', { n: 3 });
      await quarterdeck.flush();
    });
    assert.equal(
      (await stored()).map(({ n }) => n),
      [1, 3],
    );
    assert.match(warnings.join('\n'), 'Invalid track payload');
  });

  library('reports an uncaught error with the flags in force and the preceding events', async () => {
    const flag = await buildFlag(world, { rules: [{ variant: 'on' }] });
    const page = await open({ release: '1.2.3' });
    await page.click('#buy');
    await page.evaluate(() => {
      setTimeout(() => {
        throw new TypeError('it broke');
      });
    });
    const look = () =>
      test.app.pool.query('select title, release, payload from crash_event where project_id = $1', [world.projectId]);
    const { rows } = await until('the crash', async () => {
      const found = await look();
      return found.rows.length > 0 && found;
    });
    const [{ title, release, payload }] = rows as [
      {
        title: string;
        release: string;
        payload: { extra: { flags: object }; breadcrumbs: { message: string }[]; rawStacktrace: string };
      },
    ];
    assert.equal([title, release], ['TypeError: it broke', '1.2.3']);
    assert.equal(payload.extra.flags, { [flag.key]: true });
    assert.ok(payload.breadcrumbs.some(({ message }) => message === 'button#buy.primary'));
    assert.match(payload.rawStacktrace, /:\d+:\d+\)?$/);
  });

  library('works from memory where storage is forbidden, and never throws into its page', async () => {
    await context.addInitScript(() => {
      Object.defineProperty(globalThis, 'localStorage', {
        get: () => {
          throw new DOMException('forbidden', 'SecurityError');
        },
      });
    });
    const page = await open();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.evaluate(async () => {
      quarterdeck.track('remembered', { n: 1 });
      const circle: Record<string, unknown> = {};
      circle.itself = circle;
      quarterdeck.track('impossible', { n: 10n, circle });
      quarterdeck.captureError(undefined);
      await quarterdeck.flush();
      createQuarterdeck({}).track('nowhere');
    });
    assert.equal(
      (await stored()).map(({ name }) => name),
      ['remembered', 'impossible'],
    );
    const isNothing = await page.evaluate(async (methods) => {
      const circle: Record<string, unknown> = {};
      circle.itself = circle;
      const broken = {
        get context(): never {
          throw circle;
        },
      };
      const hostile = [
        null,
        undefined,
        5n,
        Symbol('s'),
        circle,
        Object.create(null),
        () => broken.context,
        '\ud800',
        [],
      ];
      const library = quarterdeck as unknown as Record<string, (...given: unknown[]) => unknown>;
      for (const each of hostile) {
        for (const method of methods) await library[method]?.(each, each, each);
        for (const option of ['context', 'bootstrap', 'distinctId', 'consent', 'release', 'surveys', 'pollSeconds'])
          await createQuarterdeck({ url: '', key: 'k', [option]: each }).close();
        await createQuarterdeck(each as object).close();
      }
      await createQuarterdeck({ url: '', key: 'k', bootstrap: { flags: null, config: 5n } }).close();
      for (const key of ['constructor', '__proto__', 'toString']) if (quarterdeck.flagDetails(key)) return key;
      quarterdeck.captureError(new Error('it broke'), { level: 'error', tags: { circle }, extra: { n: 10n } });
      await quarterdeck.flush();
      return null;
    }, HOSTILE);
    assert.is(isNothing, null);
    assert.equal(errors, []);
    const { rows } = await test.app.pool.query(
      "select payload->'extra'->>'n' as n, jsonb_array_length(payload->'breadcrumbs') as crumbs from crash_event where project_id = $1 and title = 'Error: it broke'",
      [world.projectId],
    );
    assert.equal(rows, [{ n: '10', crumbs: 20 }]);
  });

  library('receives changes in every tab where the browser lacks locks or channels', async () => {
    for (const missing of ['BroadcastChannel', 'locks']) {
      const flag = await buildFlag(world, { rules: [{ variant: 'on' }] });
      const old = await browser.newContext();
      await old.addInitScript((name) => {
        const owner = name === 'locks' ? Navigator.prototype : globalThis;
        Object.defineProperty(owner, name, { value: undefined, configurable: true });
      }, missing);
      const tabs = [0, 1].map(() => openLibraryPage(old, site.url, { url: test.baseUrl, key: world.keys.live }));
      const pages = await Promise.all(tabs);
      for (const page of pages) {
        await page.waitForFunction(() => quarterdeck.isStreaming);
        await page.waitForFunction((key) => quarterdeck.flag(key, false) === true, flag.key);
      }
      await world.live.post('/api/switch/halt-webhook', { flag_key: flag.key, reason: 'errors' });
      for (const page of pages) await page.waitForFunction((key) => quarterdeck.flag(key, true) === false, flag.key);
      await old.close();
    }
  });

  library('works in a sandboxed frame, which can neither store data nor hold a lock', async () => {
    const flag = await buildFlag(world, { rules: [{ variant: 'on' }] });
    const page = await openLibraryPage(context, `${site.url}/sandboxed`, { url: test.baseUrl, key: world.keys.live });
    await page.waitForFunction(() => quarterdeck.isStreaming);
    assert.is(await page.evaluate((key) => quarterdeck.flag(key, false), flag.key), true);
  });

  library('sends what waited during a day offline, once and in order', async () => {
    await context.clock.install();
    const page = await open();
    await context.setOffline(true);
    await page.evaluate(async () => {
      for (let n = 0; n < 30; n++) quarterdeck.track('offline', { n });
      await quarterdeck.flush();
    });
    // The page goes to the background and is then closed: nothing may be taken for sent.
    await page.goto('about:blank');
    await context.clock.fastForward('26:00:00');
    await context.setOffline(false);
    await beginOn(page, site.url, { url: test.baseUrl, key: world.keys.live });
    await until('everything that waited', async () => (await stored()).length >= 30);
    await page.evaluate(() => quarterdeck.flush());
    assert.equal(
      (await stored()).map(({ n }) => n),
      Array.from({ length: 30 }, (_, n) => n),
    );
  });
}

library.run();
