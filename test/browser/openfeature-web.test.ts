import type { OpenFeature as OpenFeatureApi } from '@openfeature/web-sdk';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { QuarterdeckProvider as Provider } from '../../src/sdk/openfeature/web-provider.js';
import { buildProject, buildWorld, type World } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { type BuiltSite, openBuiltSite } from './built-site.js';
import { hasChromium, launchChromium } from './chromium.js';

declare global {
  var OpenFeature: typeof OpenFeatureApi;
  var QuarterdeckProvider: new (library: unknown) => Provider;
  var events: string[];
}

const x = suite('OpenFeature provider for browsers');

x('bundles for the browser without any Node module', async () => {
  const site = await openBuiltSite('test/fixtures/openfeature-page/page.ts');
  const script = await (await fetch(`${site.url}page.js`)).text();
  await site.close();
  assert.match(script, 'QuarterdeckProvider');
  assert.not.match(script, /(?:from|import|require)\s*\(?\s*["'](?:node:|fs|http|crypto)/);
});

if (hasChromium()) {
  let test: TestApp;
  let world: World;
  let site: BuiltSite;
  let browser: Browser;
  let context: BrowserContext;

  x.before(async () => {
    test = await openTestApp();
    world = await buildWorld(test);
    site = await openBuiltSite('test/fixtures/openfeature-page/page.ts');
    browser = await launchChromium();
  });
  x.before.each(async () => {
    world = await buildProject(world);
    const pro = [{ attribute: 'props.plan', operator: 'in', values: ['pro'] }];
    await buildFlag(world, { key: 'bool', rules: [{ conditions: pro, variant: 'on' }] });
    const variants = [
      { key: 'text', value: 'blue' },
      { key: 'object', value: { size: [1, 2] } },
    ];
    for (const defaultVariant of ['text', 'object'])
      await buildFlag(world, { key: defaultVariant, kind: 'variant', variants, defaultVariant });
    context = await browser.newContext();
  });
  x.after.each(() => context?.close());
  x.after(async () => {
    await browser?.close();
    await site?.close();
    await test?.close();
  });

  /** Opens the page and sets the provider; resolves with the status that OpenFeature reports. */
  const begin = async (page: Page, given: object = {}, url = test.baseUrl): Promise<string> => {
    await page.goto(`${site.url}?`);
    return page.evaluate(
      async ({ options, given }) => {
        globalThis.events = [];
        for (const name of ['READY', 'ERROR', 'CONFIGURATION_CHANGED', 'RECONCILING', 'CONTEXT_CHANGED'])
          OpenFeature.addHandler(`PROVIDER_${name}` as never, () => void events.push(name));
        await OpenFeature.setContext(given as never);
        globalThis.quarterdeck = createQuarterdeck(options);
        await OpenFeature.setProviderAndWait(new QuarterdeckProvider(quarterdeck) as never).catch(() => undefined);
        return OpenFeature.getClient().providerStatus;
      },
      { options: { url, key: world.keys.live }, given },
    );
  };
  const details = (page: Page, key: string, fallback: unknown) =>
    page.evaluate(
      ({ key, fallback }) => {
        const client = OpenFeature.getClient();
        const { value, variant, reason, errorCode } =
          typeof fallback === 'boolean'
            ? client.getBooleanDetails(key, fallback)
            : typeof fallback === 'string'
              ? client.getStringDetails(key, fallback)
              : client.getObjectDetails(key, fallback as never);
        return [value, variant ?? null, reason, errorCode ?? null];
      },
      { key, fallback },
    );

  x("resolves values with variant and reason, and reports errors by OpenFeature's codes", async () => {
    const page = await context.newPage();
    assert.is(await begin(page, { targetingKey: 'ada', plan: 'pro' }), 'READY');
    assert.equal(await details(page, 'bool', false), [true, 'on', 'TARGETING_MATCH', null]);
    assert.equal(await details(page, 'text', ''), ['blue', 'text', 'DEFAULT', null]);
    assert.equal(await details(page, 'object', {}), [{ size: [1, 2] }, 'object', 'DEFAULT', null]);
    assert.equal(await details(page, 'none', true), [true, null, 'ERROR', 'FLAG_NOT_FOUND']);
    assert.equal(await details(page, 'text', true), [true, null, 'ERROR', 'TYPE_MISMATCH']);
    assert.is(await page.evaluate(() => quarterdeck.distinctId), 'ada');
  });

  x('reconciles when the context changes, once for several simultaneous changes, and reports a halt', async () => {
    const page = await context.newPage();
    await begin(page, { targetingKey: 'ada', plan: 'free' });
    assert.equal(await details(page, 'bool', true), [false, 'off', 'DEFAULT', null]);
    const seen = await page.evaluate(async () => {
      events.length = 0;
      const values: boolean[] = [];
      OpenFeature.addHandler('PROVIDER_CONTEXT_CHANGED' as never, () => {
        values.push(OpenFeature.getClient().getBooleanValue('bool', false));
      });
      const done: Promise<unknown>[] = [];
      for (const [at, plan] of ['free', 'pro', 'free', 'pro'].entries()) {
        const change = OpenFeature.setContext({ targetingKey: `u${at}`, plan });
        done.push(change.then(() => OpenFeature.getClient().getBooleanValue('bool', false)));
        await new Promise((resolve) => setTimeout(resolve));
      }
      return {
        values,
        atEnd: await Promise.all(done),
        changes: events.filter((name) => name === 'RECONCILING').length,
      };
    });
    assert.equal(seen, { values: [true], atEnd: [true, true, true, true], changes: 4 });
    await world.live.post('/api/switch/halt-webhook', { flag_key: 'bool', reason: 'errors' });
    await until('the halt', async () => (await details(page, 'bool', true))[2] === 'DISABLED');
    await page.waitForFunction(() => events.includes('CONFIGURATION_CHANGED'));
    const signedOut = await page.evaluate(async () => {
      await OpenFeature.setContext({});
      return quarterdeck.distinctId;
    });
    assert.not.match(signedOut, /^u\d$/);
  });

  x("serves nobody else's values for a targeting key that is not text", async () => {
    const page = await context.newPage();
    assert.is(await begin(page, { targetingKey: 7 }), 'ERROR');
    const change = (targetingKey: unknown) =>
      page.evaluate(
        async (given) => {
          await OpenFeature.setContext(given as never);
          return OpenFeature.getClient().providerStatus;
        },
        { targetingKey, plan: 'pro' },
      );
    const refused = [false, null, 'ERROR', 'INVALID_CONTEXT'];
    assert.equal(await details(page, 'bool', false), refused);
    assert.is(await change('ada'), 'READY');
    assert.equal(await details(page, 'bool', false), [true, 'on', 'TARGETING_MATCH', null]);
    assert.is(await change(7), 'ERROR');
    assert.equal(await details(page, 'bool', false), refused);
    assert.is(await page.evaluate(() => quarterdeck.distinctId), 'ada');
    assert.is(await change('bob'), 'READY');
    assert.equal(await details(page, 'bool', false), [true, 'on', 'TARGETING_MATCH', null]);
  });

  x("is ready from an earlier visit's cache; without it fails, and reports when the server answers", async () => {
    const page = await context.newPage();
    const given = { targetingKey: 'ada', plan: 'pro' };
    await begin(page, given);
    assert.is(await begin(page, given, 'http://127.0.0.1:9'), 'READY');
    assert.equal(await details(page, 'bool', false), [true, 'on', 'CACHED', null]);

    const stranger = await (await browser.newContext()).newPage();
    await stranger.route('**/api/v1/handshake', (route) => route.abort());
    assert.is(await begin(stranger), 'ERROR');
    assert.equal((await details(stranger, 'bool', true)).at(0), true);
    await stranger.unroute('**/api/v1/handshake');
    await stranger.waitForFunction(() => events.includes('READY'));
    assert.equal(await details(stranger, 'text', ''), ['blue', 'text', 'DEFAULT', null]);
    await stranger.context().close();
  });

  x('does not use the flags of another person or context', async () => {
    await buildFlag(world, {
      key: 'adas',
      rules: [{ conditions: [{ attribute: 'distinct_id', operator: 'in', values: ['ada'] }], variant: 'on' }],
    });
    const page = await context.newPage();
    await begin(page, { targetingKey: 'ada' });
    assert.equal(await details(page, 'adas', false), [true, 'on', 'TARGETING_MATCH', null]);
    await page.route('**/api/v1/handshake', (route) => route.abort());
    assert.is(await begin(page, { targetingKey: 'bob' }), 'ERROR');
    assert.equal(await details(page, 'adas', false), [false, null, 'ERROR', 'PROVIDER_NOT_READY']);
    await page.unroute('**/api/v1/handshake');
    await page.waitForFunction(() => events.includes('READY'));
    assert.equal(await details(page, 'adas', true), [false, 'off', 'DEFAULT', null]);

    await page.route('**/api/v1/handshake', (route) => route.abort());
    const status = await page.evaluate(async () => {
      await OpenFeature.setContext({ targetingKey: 'eve' });
      return OpenFeature.getClient().providerStatus;
    });
    assert.is(status, 'ERROR');
    await page.unroute('**/api/v1/handshake');
    // All values that eve is served equal bob's.
    await page.waitForFunction(() => OpenFeature.getClient().providerStatus === ('READY' as never));
  });

  x('goes on with the same library in another provider', async () => {
    const page = await context.newPage();
    await begin(page, { targetingKey: 'ada', plan: 'pro' });
    await page.evaluate(() => OpenFeature.setProviderAndWait(new QuarterdeckProvider(quarterdeck) as never));
    await world.live.post('/api/switch/halt-webhook', { flag_key: 'bool', reason: 'errors' });
    await until('the halt', async () => (await details(page, 'bool', true))[2] === 'DISABLED');
  });

  x('sends tracked events, and closes the library with the provider', async () => {
    const page = await context.newPage();
    await begin(page, { targetingKey: 'buyer' });
    await page.evaluate(async () => {
      OpenFeature.getClient().track('bought', { value: 42.5, at: new Date('2026-01-01T00:00:00Z') });
      await OpenFeature.clearProviders();
    });
    const look = async () => {
      const { rows } = await test.app.pool.query(
        'select distinct_id as id, properties from event where project_id = $1',
        [world.projectId],
      );
      return rows.length > 0 && rows;
    };
    assert.equal(await until('the event', look), [
      { id: 'buyer', properties: { value: 42.5, at: '2026-01-01T00:00:00.000Z' } },
    ]);
    await page.waitForFunction(() => !quarterdeck.isStreaming);
  });
}

x.run();
