import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildFlag } from '../support/factories/flag-factory.js';
import { buildSurvey } from '../support/factories/survey-factory.js';
import { until } from '../support/until.js';
import { hasChromium } from './chromium.js';
import { beginOn, openLibraryPage } from './library-page.js';
import { libraryPlace } from './library-place.js';
import { storedEvents } from './stored-events.js';

const HOST = 'quarterdeck-survey';

const person = suite('the person on the pages of the browser library');

if (hasChromium()) {
  const place = libraryPlace(person);

  const open = (options: object = {}): Promise<Page> =>
    openLibraryPage(place.context, place.site.url, { url: place.test.baseUrl, key: place.world.keys.live, ...options });

  const stored = () => storedEvents(place.test, place.world);
  const aliases = async (): Promise<{ id: string; alias: string }[]> => {
    const { rows } = await place.test.app.pool.query(
      'select alias_of as id, distinct_id as alias from person_id where project_id = $1 and alias_of is not null',
      [place.world.projectId],
    );
    return rows;
  };

  person('shares its identity and consent across all tabs at once', async () => {
    const conditions = [{ attribute: 'distinct_id', operator: 'in', values: ['ada'] }];
    const flag = await buildFlag(place.world, { rules: [{ conditions, variant: 'on' }] });
    const [first, second] = [await open(), await open()];
    const isOn = (page: Page, on: boolean) =>
      page.waitForFunction(([key, on]) => quarterdeck.flag(String(key), false) === on, [flag.key, on] as const);
    await first.evaluate(() => void quarterdeck.identify('ada'));
    await isOn(second, true);
    const next = await second.evaluate(async () => {
      void quarterdeck.reset();
      return quarterdeck.distinctId;
    });
    assert.is.not(next, 'ada');
    await isOn(first, false);
    await first.evaluate(async () => {
      quarterdeck.track('step', { n: 1 });
      await quarterdeck.flush();
    });
    assert.equal(await stored(), [{ name: 'step', id: next, n: 1 }]);

    await second.evaluate(() => quarterdeck.track('waits', { n: 2 }));
    await first.evaluate(() => quarterdeck.setConsent('denied'));
    await second.waitForFunction((id) => quarterdeck.consent === 'denied' && quarterdeck.distinctId !== id, next);
    const after = async () => {
      quarterdeck.track('after', { n: 3 });
      await quarterdeck.identify('ada');
      quarterdeck.captureError(new Error('after'));
      return [await quarterdeck.flush(), Object.keys(localStorage).map((key) => key.split(':').at(2))];
    };
    for (const page of [first, second]) assert.equal(await page.evaluate(after), [0, ['consent']]);
    assert.is((await stored()).length, 1);

    await first.evaluate(() => quarterdeck.setConsent('granted'));
    await second.waitForFunction(() => quarterdeck.consent === 'granted');
    await second.evaluate(async () => {
      quarterdeck.track('again', { n: 4 });
      await quarterdeck.flush();
    });
    assert.equal((await stored()).at(-1), { name: 'again', id: 'ada', n: 4 });
  });

  person('is joined with earlier events, even when the page identifies them at once', async () => {
    const page = await open();
    const before = await page.evaluate(async () => {
      quarterdeck.track('before');
      await quarterdeck.flush();
      return quarterdeck.distinctId;
    });
    const given = { url: place.test.baseUrl, key: place.world.keys.live, distinctId: 'ada' };
    await beginOn(page, place.site.url, given);
    await page.evaluate(async () => {
      await quarterdeck.identify('ada', { plan: 'pro' });
      await quarterdeck.flush();
    });
    assert.equal(await aliases(), [{ id: 'ada', alias: before }]);
  });

  person('gets the flags that follow from known facts as soon as they are given', async () => {
    const conditions = [{ attribute: 'props.plan', operator: 'in', values: ['pro'] }];
    const flag = await buildFlag(place.world, { rules: [{ conditions, variant: 'on' }] });
    const page = await open();
    const isOn = await page.evaluate(async (key) => {
      await quarterdeck.identify('ada', { plan: 'pro' });
      return quarterdeck.flag(key, false);
    }, flag.key);
    assert.is(isOn, true);
    await page.evaluate(() => {
      quarterdeck.setProperties({ plan: 'free' });
      return quarterdeck.flush();
    });
    await page.waitForFunction((key) => quarterdeck.flag(key, true) === false, flag.key);
  });

  person('gets flags and config even if the server does not answer what is sent about them', async () => {
    const flag = await buildFlag(place.world, { rules: [{ variant: 'on' }] });
    await place.context.clock.install();
    const page = await open();
    await place.context.route('**/api/v1/batch*', () => undefined);
    await page.clock.pauseAt(Date.now() + 10_000);
    const sent = page.waitForRequest('**/api/v1/batch*');
    const isOn = page.evaluate(async (key) => {
      await quarterdeck.identify('ada', { plan: 'pro' });
      return quarterdeck.flag(key, false);
    }, flag.key);
    await sent;
    await page.clock.runFor(3_000);
    assert.is(await isOn, true);
  });

  person('starts a new session after half an hour of inactivity', async () => {
    await place.context.clock.install();
    const page = await open({ sessions: true });
    for (const pause of ['20:00', '20:00', '31:00', '20:00']) {
      // A request in flight would time out during such a jump.
      await page.evaluate(() => {
        quarterdeck.track('step');
        return quarterdeck.flush();
      });
      await place.context.clock.fastForward(pause);
    }
    const names = (await stored()).map(({ name }) => name).join(' ');
    assert.is(names, 'session_start step step step session_start step');
  });

  person('reports a session once, across pages, and names it in a crash', async () => {
    const page = await open({ sessions: true, release: '1.2.0' });
    await beginOn(page, place.site.url, {
      url: place.test.baseUrl,
      key: place.world.keys.live,
      sessions: true,
      release: '1.3.0',
    });
    await page.evaluate(() => void setTimeout(() => (undefined as unknown as () => void)()));
    const health = () =>
      place.world.owner.client.graphql(
        'query($p: ID!) { crashFreeSessions(projectId: $p, days: 2) { releases { release sessions crashed } } }',
        { p: place.world.projectId },
      );
    const expected = { crashFreeSessions: { releases: [{ release: '1.2.0', sessions: 1, crashed: 1 }] } };
    await until('the session crashed', async () => JSON.stringify(await health()) === JSON.stringify(expected));
    await page.evaluate(() => quarterdeck.reset());
    await page.evaluate(() => quarterdeck.flush());
    assert.is(
      (await stored()).filter(({ name }) => name === 'session_start').length,
      2,
      'another person, another session',
    );
    await open();
    assert.is((await stored()).length, 2, 'nothing is reported unless asked for');
  });

  person('keeps and sends nothing before consent, and wipes everything on refusal', async () => {
    const page = await open({ consent: 'pending' });
    const kept = () => page.evaluate(() => Object.keys(localStorage).map((key) => key.split(':').at(2)));
    await page.evaluate(async () => {
      quarterdeck.track('before', { n: 1 });
      await quarterdeck.flush();
    });
    assert.equal([await kept(), await stored()], [[], []]);
    await page.evaluate(async () => {
      quarterdeck.setConsent('granted');
      await quarterdeck.flush();
    });
    assert.is((await stored()).length, 1);
    await page.evaluate(async () => {
      quarterdeck.setConsent('denied');
      quarterdeck.track('after', { n: 2 });
      await quarterdeck.flush();
    });
    assert.equal(await kept(), ['consent']);
    assert.is((await stored()).length, 1);
  });

  person('is not created until somebody sees a prerendered page', async () => {
    const flag = await buildFlag(place.world, { rules: [{ variant: 'on' }] });
    await place.context.addInitScript(() => {
      const page = (globalThis as unknown as { document: object }).document;
      Object.defineProperty(page, 'prerendering', { value: true, configurable: true });
    });
    await place.context.clock.install();
    const page = await place.context.newPage();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(new URL(request.url()).pathname));
    const given = { url: place.test.baseUrl, key: place.world.keys.live, distinctId: 'ada', sessions: true };
    await beginOn(page, place.site.url, given);
    assert.is(await page.evaluate((key) => quarterdeck.flag(key, false), flag.key), true);
    await page.clock.runFor(60_000);
    assert.is(await page.evaluate(() => quarterdeck.flush()), 1, 'who they were before');
    assert.not(sent.includes('/api/v1/batch'), sent.join(' '));
    await page.evaluate('delete document.prerendering; document.dispatchEvent(new Event("prerenderingchange"))');
    assert.is(await page.evaluate(() => quarterdeck.flush()), 0);
    assert.is((await aliases()).length, 1);
    assert.equal(
      (await stored()).map(({ name, id }) => [name, id]),
      [['session_start', 'ada']],
    );
  });

  person("is not shown another person's survey, nor one after the library is closed", async () => {
    const questions = [{ id: 'again', kind: 'boolean', prompt: 'Again?' }];
    const targetingRules = [{ predicate: 'event:asked' }];
    const { id } = await buildSurvey(place.world, { targetingRules, questions, displayDelayMs: 5_000 });
    await place.context.clock.install();
    const [page, other] = [await open(), await open()];
    for (const each of [page, other]) await each.evaluate(() => quarterdeck.identify('ada'));
    for (const each of [page, other]) assert.is(await each.evaluate((id) => quarterdeck.showSurvey(id), id), true);
    await page.evaluate(() => quarterdeck.identify('bob'));
    for (const each of [page, other]) await each.locator(HOST).waitFor({ state: 'detached' });

    const chosen = page.waitForResponse('**/survey-choice.js');
    await beginOn(page, place.site.url, {
      url: place.test.baseUrl,
      key: place.world.keys.live,
      surveys: { pauseSeconds: 0 },
    });
    await chosen;
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes(id) && asked.push(request.url()));
    await page.evaluate("import('/survey-choice.js').then(() => undefined)");
    await page.evaluate(async () => {
      quarterdeck.track('asked');
      await quarterdeck.close();
    });
    await page.clock.runFor(10_000);
    await page.evaluate("import('/survey-showing.js').then(() => fetch('/')).then(() => undefined)");
    assert.equal(asked, []);
  });

  person(
    'is asked what the previous person on the device was asked, but nothing they answered themselves',
    async () => {
      const questions = [{ id: 'again', kind: 'boolean', prompt: 'Again?' }];
      const { id } = await buildSurvey(place.world, { targetingRules: [{ predicate: 'event:asked' }], questions });
      const given = { surveys: { pauseSeconds: 0 } };
      const page = await open(given);
      const answer = async (): Promise<void> => {
        await page.locator(`${HOST} label`).first().click();
        await page.locator(`${HOST} .go`).click();
        await page.locator(`${HOST} [role=status].prompt`).waitFor();
        await page.locator(`${HOST} .go`).click();
      };
      await page.evaluate(() => quarterdeck.track('asked'));
      await answer();
      await page.evaluate(async () => {
        await quarterdeck.identify('ada');
        await quarterdeck.reset();
        quarterdeck.track('asked');
      });
      await answer();
      await beginOn(page, place.site.url, { url: place.test.baseUrl, key: place.world.keys.live, ...given });
      const asked: string[] = [];
      page.on('request', (request) => request.url().includes(id) && asked.push(request.url()));
      await page.evaluate(() => quarterdeck.identify('ada'));
      await page.evaluate(async () => {
        quarterdeck.track('asked');
        await quarterdeck.showSurvey('none');
      });
      assert.equal(asked, []);
      const { rows } = await place.test.app.pool.query('select 1 from survey_response where project_id = $1', [
        place.world.projectId,
      ]);
      assert.is(rows.length, 2);
    },
  );

  person('leaves nothing but the choice under a key that nobody has used for a month', async () => {
    const page = await open();
    const kept = await page.evaluate(
      async (given) => {
        const day = 86_400_000;
        const used = { old: Date.now() - 31 * day, new: Date.now() - 29 * day };
        for (const [name, last] of Object.entries(used)) {
          localStorage.setItem(`quarterdeck:${name}:session`, JSON.stringify({ last }));
          localStorage.setItem(`quarterdeck:${name}:operations:tab:5`, '{}');
          localStorage.setItem(`quarterdeck:${name}:consent`, 'granted');
        }
        localStorage.setItem('quarterdeck:odd:operations:tab:5', '{}');
        localStorage.setItem('theirs', '1');
        const all = () => Object.keys(localStorage).filter((key) => !key.includes(given.key.slice(-8)));
        await createQuarterdeck(given).ready;
        while (all().length > 5) await new Promise((resolve) => setTimeout(resolve, 10));
        return all().sort();
      },
      { url: place.test.baseUrl, key: place.world.keys.live },
    );
    const left = ['new:consent', 'new:operations:tab:5', 'new:session', 'old:consent'].map(
      (key) => `quarterdeck:${key}`,
    );
    assert.equal(kept, [...left, 'theirs']);
  });

  person('leaves nothing about surveys on a shared device for those who saw none', async () => {
    const page = await openLibraryPage(place.context, place.site.url, {
      url: place.test.baseUrl,
      key: place.world.keys.live,
    });
    const kept = await page.evaluate(async () => {
      for (const id of ['ada', 'bob', 'eve']) {
        await quarterdeck.identify(id);
        await quarterdeck.reset();
      }
      return Object.keys(localStorage).filter((key) => key.includes(':seen:'));
    });
    assert.equal(kept, []);
  });
}

person.run();
