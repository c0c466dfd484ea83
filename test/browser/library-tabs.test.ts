import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildCohort } from '../support/factories/cohort-factory.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { until } from '../support/until.js';
import { hasChromium } from './chromium.js';
import { openLibraryPage, type PageLibrary } from './library-page.js';
import { libraryPlace } from './library-place.js';
import { storedEvents } from './stored-events.js';

declare global {
  /** The library's instances on a page. */
  var instances: PageLibrary[];
}

/** Ways in which local storage can be broken, as code that runs in a page. */
const STORAGES = {
  'that keeps': () => undefined,
  'that is forbidden': () => {
    Object.defineProperty(globalThis, 'localStorage', {
      get: () => {
        throw new DOMException('forbidden', 'SecurityError');
      },
    });
  },
  'that is full': () => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  },
};

const tabs = suite('the browser library in several tabs, and several times on a page');

if (hasChromium()) {
  const place = libraryPlace(tabs);

  const options = () => ({ url: place.test.baseUrl, key: place.world.keys.live });

  /** A page with `count` instances of the library, all ready. */
  async function openWith(count: number): Promise<Page> {
    const page = await openLibraryPage(place.context, place.site.url, options());
    await page.evaluate(
      ([given, more]) => {
        globalThis.instances = [quarterdeck, ...Array.from({ length: more }, () => createQuarterdeck(given))];
        return Promise.all(instances.map(({ ready }) => ready));
      },
      [options(), count - 1] as const,
    );
    return page;
  }

  const idsOn = (page: Page) => page.evaluate(() => instances.map(({ distinctId }) => distinctId));

  for (const [storage, change] of Object.entries(STORAGES))
    tabs(`share identity and consent across instances, with a storage ${storage}`, async () => {
      await place.context.addInitScript(change);
      const pages = [await openWith(2), await openWith(1)];
      const [first, second] = pages as [Page, Page];
      const allHave = (expected: string) =>
        until(`all with the id ${expected}`, async () =>
          (await Promise.all(pages.map(idsOn))).flat().every((id) => id === expected),
        );
      await first.evaluate(() => void instances[0]?.identify('ada'));
      await allHave('ada');
      const next = await second.evaluate(() => {
        void instances[0]?.reset();
        return instances[0]?.distinctId ?? '';
      });
      assert.is.not(next, 'ada');
      await allHave(next);

      for (const page of pages)
        await page.evaluate(async () => {
          for (const instance of instances) {
            await instance.flush();
            instance.track('waits');
          }
        });
      await first.evaluate(() => instances[1]?.setConsent('denied'));
      for (const page of pages)
        await page.waitForFunction(
          (id) => instances.every(({ consent, distinctId }) => consent === 'denied' && distinctId !== id),
          next,
        );
      await second.evaluate(() => instances[0]?.setConsent('granted'));
      for (const page of pages) {
        await page.waitForFunction(() => instances.every(({ consent }) => consent === 'granted'));
        await page.evaluate(async () => {
          for (const instance of instances) {
            instance.track('after');
            await instance.flush();
          }
        });
      }
      assert.equal(
        (await storedEvents(place.test, place.world)).map(({ name }) => name),
        ['after', 'after', 'after'],
      );
    });

  tabs('report an uncaught error once per page', async () => {
    const page = await openWith(2);
    await page.evaluate(() => {
      setTimeout(() => {
        throw new TypeError('it broke');
      });
      void Promise.reject(new Error('refused'));
    });
    await page.waitForFunction(async () => {
      const left = await Promise.all(instances.map((instance) => instance.flush()));
      return left.every((count) => count === 0);
    });
    const titles = async () => {
      const { rows } = await place.test.app.pool.query(
        'select title from crash_event where project_id = $1 order by title',
        [place.world.projectId],
      );
      return rows.map(({ title }) => title);
    };
    const found = await until('both reports', async () => {
      const rows = await titles();
      return rows.length >= 2 && rows;
    });
    assert.equal(found, ['Error: refused', 'TypeError: it broke']);
  });

  tabs('survive malformed messages from other tabs', async () => {
    const flag = await buildFlag(place.world, { rules: [{ variant: 'on' }] });
    const page = await openWith(1);
    const troubles: string[] = [];
    page.on('pageerror', ({ message }) => troubles.push(message));
    page.on('console', (message) => troubles.push(message.text()));
    await page.evaluate(
      (prefix) => {
        const channel = new BroadcastChannel(prefix);
        for (const message of [null, undefined, 7, 'answer', {}, { is: 'of a later release' }, { is: 'answer' }])
          channel.postMessage(message);
        const written = {
          key: `${prefix}person`,
          value: '{"id":"ada","known":true,"properties":{}}',
          isOnDevice: false,
        };
        channel.postMessage({ is: 'written', written });
      },
      `quarterdeck:${place.world.keys.live.slice(-8)}:`,
    );
    await page.waitForFunction(() => quarterdeck.distinctId === 'ada');
    assert.is(await page.evaluate((key) => quarterdeck.flag(key, false), flag.key), true);
    assert.equal(troubles, []);
  });

  tabs('miss what happens while they are in the back-forward cache, and ask when they return', async () => {
    const flag = await buildFlag(place.world, { rules: [{ variant: 'on' }] });
    const [first, second] = [await openWith(1), await openWith(1)];
    const event = (name: string) => `dispatchEvent(new PageTransitionEvent("${name}", { persisted: true }))`;
    await second.waitForFunction((key) => quarterdeck.flag(key, false), flag.key);
    // A page in the back-forward cache sends nothing. This page only simulates that, so its requests are blocked.
    await first.route('**/api/v1/batch?*', (route) => route.abort());
    await first.evaluate(() => quarterdeck.identify('ada', { plan: 'free' }));
    await first.evaluate(event('pagehide'));
    // The next page takes over what was waiting, and adds something later.
    const third = await openWith(1);
    await third.evaluate(async () => {
      quarterdeck.setProperties({ plan: 'pro' });
      await quarterdeck.flush();
    });
    const plan = async () => {
      const { rows } = await place.test.app.pool.query(
        "select properties->>'plan' as plan from person where project_id = $1",
        [place.world.projectId],
      );
      return rows.map(({ plan }) => plan).join();
    };
    await until('the later plan', async () => (await plan()) === 'pro');
    await place.world.live.post('/api/switch/halt-webhook', { flag_key: flag.key, reason: 'errors' });
    await third.waitForFunction((key) => quarterdeck.flag(key, true) === false, flag.key);
    assert.is(await first.evaluate((key) => quarterdeck.flag(key, false), flag.key), true);
    await first.unroute('**/api/v1/batch?*');
    await first.evaluate(event('pageshow'));
    await first.waitForFunction((key) => quarterdeck.flag(key, true) === false, flag.key);
    assert.is(await first.evaluate(() => quarterdeck.flush()), 0);
    assert.is(await plan(), 'pro');
  });

  tabs('receive changes again after the back-forward cache, even if visibilitychange precedes pageshow', async () => {
    const flag = await buildFlag(place.world, { rules: [{ variant: 'on' }] });
    const page = await openWith(1);
    await page.waitForFunction(() => quarterdeck.isStreaming);
    const event = (name: string) => `dispatchEvent(new PageTransitionEvent("${name}", { persisted: true }))`;
    const seen = 'document.dispatchEvent(new Event("visibilitychange"))';
    for (const step of [event('pagehide'), seen, event('pageshow')]) await page.evaluate(step);
    await page.waitForFunction(() => quarterdeck.isStreaming);
    await place.world.live.post('/api/switch/halt-webhook', { flag_key: flag.key, reason: 'errors' });
    await page.waitForFunction((key) => quarterdeck.flag(key, true) === false, flag.key);
  });

  tabs('hear of changes that affect their own context but not that of the leading tab', async () => {
    const planIs = (plan: string) => [
      { conditions: [{ attribute: 'context.plan', operator: 'in', values: [plan] }], percentage: 100 },
    ];
    const id = await buildCohort(place.world, { name: 'buyers', rules: planIs('gold') });
    const buyers = [{ attribute: 'cohort', operator: 'in', values: ['buyers'] }];
    const flag = await buildFlag(place.world, { rules: [{ conditions: buyers, variant: 'on' }] });
    const leading = await openWith(1);
    await leading.waitForFunction(() => quarterdeck.isStreaming);
    const context = { plan: 'silver' };
    const following = await openLibraryPage(place.context, place.site.url, { ...options(), context });
    assert.is(await following.evaluate((key) => quarterdeck.flag(key, true), flag.key), false);
    await place.world.owner.client.graphql('mutation($i: UpdateCohortInput!) { updateCohort(input: $i) { id } }', {
      i: { id, rules: planIs('silver') },
    });
    await following.waitForFunction((key) => quarterdeck.flag(key, false), flag.key);
  });

  tabs('work independently where the browser forbids channels', async () => {
    await place.context.addInitScript(() => {
      globalThis.BroadcastChannel = class {
        constructor() {
          throw new DOMException('forbidden', 'SecurityError');
        }
      } as never;
    });
    const page = await openWith(1);
    await page.waitForFunction(() => quarterdeck.isStreaming);
    await page.evaluate(() => void setTimeout(() => (undefined as unknown as () => void)()));
    await until('the crash', async () => {
      const { rows } = await place.test.app.pool.query('select 1 from crash_event where project_id = $1', [
        place.world.projectId,
      ]);
      return rows.length === 1;
    });
  });
}

tabs.run();
