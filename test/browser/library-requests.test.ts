import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildProject } from '../support/factories/factories.js';
import { buildSurvey } from '../support/factories/survey-factory.js';
import { until } from '../support/until.js';
import { hasChromium } from './chromium.js';
import { beginOn, openLibraryPage } from './library-page.js';
import { libraryPlace } from './library-place.js';
import { storedEvents } from './stored-events.js';

declare global {
  var isReady: boolean;
  var leftSizes: number[];
}

const HOST = 'quarterdeck-survey';
const BATCH = '**/api/v1/batch?*';
/** What a broken disk or another release of the library may leave in storage. */
const LEFT = ['{}', '5', '"text"', '{"cut'];

const requests = suite('the requests of the browser library');

if (hasChromium()) {
  const place = libraryPlace(requests);

  const open = (options: object = {}): Promise<Page> =>
    openLibraryPage(place.context, place.site.url, { url: place.test.baseUrl, key: place.world.keys.live, ...options });

  requests('time out after 15 seconds and are retried', async () => {
    await place.context.clock.install();
    const page = await open();
    const silent = { url: place.test.baseUrl, key: place.world.keys.live };
    let hanging = 0;
    for (const path of [BATCH, '**/api/v1/handshake'])
      await place.context.route(path, () => {
        hanging += 1;
      });
    await page.evaluate((given) => {
      const another = createQuarterdeck(given);
      void another.ready.then(() => {
        globalThis.isReady = true;
      });
      quarterdeck.track('late', { n: 1 });
      void quarterdeck.flush();
    }, silent);
    await until('two unanswered requests', () => hanging >= 2);
    await page.clock.runFor(14_000);
    assert.is(await page.evaluate(() => globalThis.isReady), undefined);
    await place.context.unroute(BATCH);
    await page.clock.runFor(2_000);
    await page.waitForFunction(() => globalThis.isReady);
    await page.clock.runFor(2_000);
    await until('the event', async () => (await storedEvents(place.test, place.world)).length === 1);
  });

  requests('are aborted when the person refuses consent', async () => {
    const page = await open();
    const failed: string[] = [];
    page.on('requestfailed', (request) => failed.push(new URL(request.url()).pathname));
    const begun = page.waitForRequest(BATCH);
    await place.context.route(BATCH, () => undefined);
    await page.evaluate(() => {
      quarterdeck.track('refused');
      void quarterdeck.flush();
    });
    await begun;
    await page.evaluate(() => quarterdeck.setConsent('denied'));
    await until('the aborted batch', () => failed.includes('/api/v1/batch'));
    assert.is(await page.evaluate(() => quarterdeck.flush()), 0);
  });

  requests('ask for no survey before consent or after refusal', async () => {
    const questions = [{ id: 'again', kind: 'boolean', prompt: 'Again?' }];
    const { id } = await buildSurvey(place.world, { targetingRules: [{ predicate: 'event:asked' }], questions });
    const paths: string[] = [];
    place.context.on('request', (request) => {
      const { origin, pathname } = new URL(request.url());
      if (origin === place.test.baseUrl && request.method() !== 'OPTIONS') paths.push(pathname);
    });
    const page = await open({ consent: 'pending' });
    const isShownAfterAll = async (): Promise<boolean> => {
      await page.evaluate(
        'for (const name of ["visibilitychange", "online"]) (name === "online" ? globalThis : document).dispatchEvent(new Event(name))',
      );
      return page.evaluate(async (survey) => {
        quarterdeck.track('asked');
        const isShown = await quarterdeck.showSurvey(survey);
        await quarterdeck.flush();
        return isShown;
      }, id);
    };
    assert.is(await isShownAfterAll(), false);
    const onlyHandshakes = () => paths.every((path) => /^\/api\/v1\/(?:handshake|stream)/.test(path));
    assert.ok(paths.length > 0 && onlyHandshakes(), paths.join());

    await page.evaluate(() => quarterdeck.setConsent('granted'));
    await page.locator(HOST).waitFor();
    await page.evaluate(() => quarterdeck.setConsent('denied'));
    await page.locator(HOST).waitFor({ state: 'detached' });
    paths.length = 0;
    assert.is(await isShownAfterAll(), false);
    await page.evaluate(() => quarterdeck.identify('ada'));
    assert.ok(onlyHandshakes(), paths.join());
  });

  requests('for an automatic survey show none once surveys are paused', async () => {
    const questions = [{ id: 'again', kind: 'boolean', prompt: 'Again?' }];
    const { id } = await buildSurvey(place.world, { targetingRules: [{ predicate: 'event:asked' }], questions });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await place.context.route(`**/api/pulse/surveys/${id}?*`, async (route) => {
      await released;
      await route.continue();
    });
    const page = await open();
    const bundle = () => page.waitForResponse(`**/api/pulse/surveys/${id}?*`);
    const begun = page.waitForRequest(`**/api/pulse/surveys/${id}?*`);
    await page.evaluate(() => quarterdeck.track('asked'));
    await begun;
    await page.evaluate(() => quarterdeck.pauseSurveys());
    const arrived = bundle();
    release();
    await (await arrived).finished();
    await page.evaluate(() => quarterdeck.flush());
    assert.is(await page.locator(HOST).count(), 0);
    await page.evaluate(() => quarterdeck.resumeSurveys());
    await page.locator(HOST).waitFor();
    await page.evaluate(() => quarterdeck.pauseSurveys());
    assert.is(await page.locator(HOST).count(), 1, 'a survey already shown stays');
  });

  requests("with another project's key do not get the surveys that the browser has cached", async () => {
    const another = await buildProject(place.world);
    await buildSurvey(place.world, { name: 'Ours' });
    await buildSurvey(another, { name: 'Theirs' });
    const page = await place.context.newPage();
    await page.goto(place.site.url);
    const namesBy = (key: string): Promise<string[]> =>
      page.evaluate(
        async ([address, secret]) => {
          const answer = await fetch(`${address}/api/pulse/surveys`, { headers: { 'x-api-key': secret } });
          return ((await answer.json()) as { name: string }[]).map(({ name }) => name);
        },
        [place.test.baseUrl, key] as const,
      );
    assert.equal(await namesBy(place.world.keys.live), ['Ours']);
    assert.equal(await namesBy(another.keys.live), ['Theirs']);
  });

  requests('with answers can be retried when a proxy lost the response, and are stored once', async () => {
    const questions = [{ id: 'again', kind: 'text', prompt: 'Again?' }];
    const { id } = await buildSurvey(place.world, { questions });
    const responses = '**/api/pulse/responses';
    await place.context.route(responses, async (route) => {
      await route.fetch();
      await route.fulfill({ status: 404, body: '404 page not found' });
    });
    const page = await open();
    await page.evaluate((survey) => quarterdeck.showSurvey(survey), id);
    await page.locator(`${HOST} textarea, ${HOST} input`).first().fill('once more');
    await page.locator(`${HOST} footer button`).last().click();
    await page.locator(`${HOST} [role=alert]`, { hasText: 'could not be sent' }).waitFor();
    await place.context.unroute(responses);
    const stored = page.waitForResponse(responses);
    await page.locator(`${HOST} footer button`).last().click();
    assert.is((await stored).status(), 201);
    const { rows } = await place.test.app.pool.query('select from survey_response where survey_id = $1', [id]);
    assert.is(rows.length, 1);
  });

  requests('with an event of any size carry its time and id, so that a repeat is stored once', async () => {
    const page = await open();
    const { promise: stored, resolve: store } = Promise.withResolvers<void>();
    await place.context.route(BATCH, async (route) => {
      await route.fetch();
      await route.abort();
      store();
    });
    await page.evaluate(() => {
      quarterdeck.track('import', { n: 1, rows: 'x'.repeat(600_000) });
      void quarterdeck.flush();
    });
    await stored;
    await place.context.unroute(BATCH);
    await until('the repeat', () => page.evaluate(async () => (await quarterdeck.flush()) === 0));
    assert.is((await storedEvents(place.test, place.world)).length, 1);
  });

  requests('that outlive their page stay within the limit that browsers set for all of them', async () => {
    await place.context.addInitScript(() => {
      globalThis.leftSizes = [];
      const fetchOf = globalThis.fetch;
      globalThis.fetch = (url, init) => {
        if (!init?.keepalive) return fetchOf(url, init);
        leftSizes.push(new TextEncoder().encode(String(init.body)).length);
        return new Promise(() => undefined);
      };
    });
    const page = await open();
    for (const path of [BATCH, '**/api/catch/events']) await place.context.route(path, () => undefined);
    await page.evaluate(() => {
      for (let n = 0; n < 19; n += 1) quarterdeck.track('large', { text: 'x'.repeat(2_500) });
      for (let n = 0; n < 5; n += 1) quarterdeck.captureError(new Error('e'), { extra: { text: 'x'.repeat(2_000) } });
    });
    await page.evaluate('dispatchEvent(new PageTransitionEvent("pagehide"))');
    const sizes = await page.evaluate(() => leftSizes);
    const sum = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(sizes.length === 2 && sum > 50_000 && sum <= 65_536, sizes.join());
  });

  requests('go on with whatever an earlier visit left in storage', async () => {
    const questions = [{ id: 'again', kind: 'boolean', prompt: 'Again?' }];
    await buildSurvey(place.world, { targetingRules: [{ predicate: 'event:asked' }], questions });
    const first = await open();
    await until('the list of surveys', () =>
      first.evaluate(() => Object.keys(localStorage).some((key) => /:surveys$/.test(key))),
    );
    await first.close();
    const faults: string[] = [];
    for (const left of LEFT) {
      const page = await place.context.newPage();
      page.on('pageerror', ({ message }) => faults.push(message));
      page.on('console', (message) => faults.push(message.text()));
      await page.goto(`${place.site.url}/page.js`);
      await page.evaluate((value) => {
        for (const key of Object.keys(localStorage)) localStorage.setItem(key, value);
      }, left);
      await beginOn(page, place.site.url, {
        url: place.test.baseUrl,
        key: place.world.keys.live,
        surveys: { pauseSeconds: 0 },
      });
      assert.is(await page.evaluate(() => quarterdeck.config('none', 7)), 7);
      await page.evaluate(async (name) => {
        quarterdeck.track(name);
        quarterdeck.track('asked');
        await quarterdeck.flush();
      }, `after ${left}`);
      await page.locator(HOST).waitFor();
      await page.close();
    }
    assert.equal(faults, []);
    const names = (await storedEvents(place.test, place.world)).map(({ name }) => name);
    assert.equal(
      names.filter((name) => name !== 'asked'),
      LEFT.map((left) => `after ${left}`),
    );
  });

  requests('for streams become fewer if a proxy ends each of them at once', async () => {
    let opened = 0;
    await place.context.route('**/api/v1/stream?*', (route) => {
      opened += 1;
      const headers = { 'access-control-allow-origin': '*', 'content-type': 'text/event-stream' };
      return route.fulfill({ status: 200, headers, body: 'retry: 50\n\nevent: ready\ndata: {}\n\n' });
    });
    await open();
    await until('streams', () => opened >= 3);
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    assert.ok(opened <= 12, `${opened} streams in five seconds`);
  });

  requests('that fail fill the queue, with one warning for all that is dropped', async () => {
    await place.context.route(BATCH, (route) => route.abort());
    const page = await open();
    const warnings: string[] = [];
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
    await page.evaluate(() => {
      for (let n = 0; n < 5_020; n += 1) quarterdeck.track('waiting', { n });
    });
    assert.equal(warnings, ['Quarterdeck: too much is waiting; the oldest is dropped.']);
  });
}

requests.run();
