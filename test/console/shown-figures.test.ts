import { readFileSync } from 'node:fs';
import type { Request } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DAY_MS, HOUR_MS } from '../../src/kernel/values/durations.js';
import { hasChromium } from '../browser/chromium.js';
import { FORMULAS } from '../modules/pulse/responses/formulas.js';
import { buildProject } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { buildSurvey } from '../support/factories/survey-factory.js';
import { until } from '../support/until.js';
import { inConsole } from './console-place.js';

const figures = suite('console: figures and answers are those that there are, and of now');
const here = inConsole(figures, { isPublic: true });
figures.before.each(async () => {
  here.world = await buildProject(here.world);
});

/** Moves the clock to `later` after a full hour. */
const laterBy = (later: number): string => `{
  const { now } = Date;
  const hour = ${HOUR_MS};
  const ahead = Math.ceil(now() / hour) * hour - now() + ${later};
  Date.now = () => now() + ahead;
  document.dispatchEvent(new Event('visibilitychange'));
}`;

/** A flag's page whose streams all send `body` and end. Timers run ten times as fast, and the longer waits are recorded. */
async function openWithStreams(body: string) {
  const { key } = await buildFlag(here.world);
  const { page, faults, settle, close } = await here.openTab();
  await page.goto(here.path('flags', key));
  await settle();
  const streams = { opened: 0, refreshed: 0 };
  await page.route('**/graphql/stream', async (route) => {
    streams.opened += 1;
    await route.fulfill({ headers: { 'content-type': 'text/event-stream' }, body });
  });
  const count = (request: Request): void => {
    if (/query FlagByKey\(/.test(request.postData() ?? '')) streams.refreshed += 1;
  };
  page.on('request', count);
  await page.evaluate(`{
    const { setTimeout } = window;
    window.longWaits = [];
    window.setTimeout = (run, wait, ...rest) => {
      if (wait > 1_000) window.longWaits.push(wait);
      return setTimeout(run, wait / 10, ...rest);
    };
    document.dispatchEvent(new Event('visibilitychange'));
  }`);
  const finish = async () => {
    page.off('request', count);
    assert.equal(faults, []);
    await close();
  };
  return { streams, longWaits: () => page.evaluate<number[]>('window.longWaits'), finish };
}

const answer = async (surveyId: string, answers: object): Promise<void> => {
  const sent = await here.world.live.post('/api/pulse/responses', { survey_id: surveyId, answers });
  assert.ok(sent.status < 300, sent.text);
};

if (hasChromium()) {
  figures('after hours away the overview shows the hours until now, and the rate of the last one', async () => {
    const { page, faults, settle, close } = await here.openTab();
    const ends: number[] = [];
    await page.route('**/graphql', async (route) => {
      const { query = '', variables } = JSON.parse(route.request().postData() ?? '{}');
      if (!/^query Overview\(/.test(query.trim())) return route.fallback();
      ends.push(Date.parse(variables.to));
      const response = await route.fetch();
      const body = await response.json();
      Object.assign(body.data.eventCounts, {
        asOf: '2026-01-01T10:20:00.000Z',
        intervals: [
          { __typename: 'EventCount', at: '2026-01-01T09:00:00.000Z', count: 0 },
          { __typename: 'EventCount', at: '2026-01-01T10:00:00.000Z', count: 60 },
        ],
      });
      return route.fulfill({ response, json: body });
    });
    await page.goto(here.path());
    await page.getByText('Events per minute').waitFor();
    await settle();
    const first = ends.at(-1) ?? 0;
    await page.evaluate(laterBy(HOUR_MS + 40 * 60_000));
    await until('the hours until now are requested', () => (ends.at(-1) ?? 0) - first >= 2 * HOUR_MS);
    await settle();
    await page.locator('.figure', { hasText: 'Events per minute' }).getByText('3.0', { exact: true }).waitFor();
    assert.equal(faults, []);
    await close();
  });

  figures('an open overview advances with the hour, and Events with the day', async () => {
    const { context, close } = await here.openTab();
    const page = await context.newPage();
    const asked = new Map<string, number>();
    page.on('request', (request) => {
      const { query = '', variables } = (request.postDataJSON() ?? {}) as {
        query?: string;
        variables?: { to?: string };
      };
      const [, name = ''] = /^query (\w+)/.exec(query.trim()) ?? [];
      if (variables?.to) asked.set(name, Date.parse(variables.to));
    });
    // In the middle of an hour and of a day; the test controls long timers.
    await page.addInitScript(`{
      const { setTimeout } = window;
      const { now } = Date;
      const ahead = ${DAY_MS / 2 + HOUR_MS / 2} - (now() % ${DAY_MS});
      Date.now = () => now() + ahead;
      window.waiting = [];
      window.setTimeout = (run, wait, ...rest) =>
        wait > 60_000 ? window.waiting.push(run) : setTimeout(run, wait, ...rest);
    }`);
    for (const [address, name, step] of [
      [here.path(), 'Overview', HOUR_MS],
      [here.path('events'), 'EventVolume', DAY_MS],
    ] as const) {
      await page.goto(address);
      await until(`${name} is requested`, () => asked.has(name));
      const first = asked.get(name) ?? 0;
      await page.evaluate(`{
        const { now } = Date;
        Date.now = () => now() + ${step};
        for (const run of window.waiting) run();
      }`);
      await until(`${name} is requested again`, () => asked.get(name) === first + step);
    }
    await close();
  });

  figures('Events says that there are none only once it knows, and reports errors as such', async () => {
    const { page, faults, expectFault, close } = await here.openTab();
    await page.goto(here.path('events'));
    const chart = page.getByRole('region', { name: 'Event volume' });
    const none = chart.getByText('None in this period.');
    await none.waitFor();
    const held = Promise.withResolvers<void>();
    let fails = false;
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('query EventVolume(')) return route.fallback();
      await held.promise;
      return fails ? route.fulfill({ json: { errors: [{ message: 'It is too much.' }] } }) : route.fallback();
    });
    await page.getByText('12 weeks').click();
    await chart.getByRole('status', { name: 'Loading' }).waitFor();
    assert.is(await none.count(), 0);
    held.resolve();
    await none.waitFor();
    fails = true;
    await page.getByText('2 days').click();
    await chart.getByText('It is too much.').waitFor();
    assert.is(await none.count(), 0);
    await expectFault('It is too much.');
    assert.equal(faults, []);
    await close();
  });

  figures('a chart names a variant and counts its answers, whatever its name', async () => {
    const { owner, live, projectId } = here.world;
    const variants = ['at', 'v1.2'].map((key) => ({ key, value: key }));
    const input = { projectId, environment: 'live', key: 'country', kind: 'variant', variants, defaultVariant: 'at' };
    await owner.client.graphql('mutation($i: CreateFlagInput!) { createFlag(input: $i) { id } }', { i: input });
    await live.get('/api/v1/handshake?distinct_id=ada');
    await until('the answer is counted', async () => {
      const { flagByKey } = await owner.client.graphql<{ flagByKey: { usage: { total: number } } }>(
        'query($p: ID!) { flagByKey(projectId: $p, environment: live, key: "country") { usage { total } } }',
        { p: projectId },
      );
      return flagByKey.usage.total > 0;
    });
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('flags', 'country'));
    await page.locator('.chart .recharts-rectangle').last().hover();
    const told = page.locator('.recharts-tooltip-wrapper', { hasText: ':00' });
    await told.waitFor();
    assert.match((await told.textContent()) ?? '', /^\w{3} \d\d:00at1$/);
    assert.equal(faults, []);
    await close();
  });

  figures(
    "answers appear in the survey's order, in readable form, including those to single-text questions",
    async () => {
      const { id } = await buildSurvey(here.world, {
        questions: [
          { id: 'other', kind: 'text', prompt: 'Why?' },
          { id: 'one', kind: 'text', prompt: 'Why?' },
          { id: 'many', kind: 'multiselect', prompt: 'Which?', options: ['web', 'ios'] },
          { id: 'again', kind: 'boolean', prompt: 'Again?' },
          { id: 'day', kind: 'date', prompt: 'When?' },
        ],
      });
      await answer(id, { one: '12', other: 'It is fast.\nAnd small.', many: ['web', 'ios'], again: false });
      const { page, faults, close } = await here.openTab();
      await page.goto(`${here.path('surveys', id)}?tab=responses`);
      const facts = page.getByRole('definition');
      await facts.first().waitFor();
      assert.equal(await facts.allInnerTexts(), ['It is fast.\nAnd small.', '12', 'web, ios', 'no']);
      await page.getByRole('tab', { name: 'Results' }).click();
      await page.getByRole('region', { name: 'When?' }).getByText('No answers yet.').waitFor();
      const again = page.getByRole('region', { name: 'Again?' });
      await again.getByText('1 answer', { exact: true }).waitFor();
      await again.getByText('no', { exact: true }).waitFor();
      assert.equal(faults, []);
      await close();
    },
  );

  figures('days without a response keep their place in the chart, with the year if there are two', async () => {
    const { id } = await buildSurvey(here.world);
    await answer(id, { nps: 9 });
    const { page, faults, close } = await here.openTab();
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('query SurveyResults(')) return route.fallback();
      const response = await route.fetch();
      const body = await response.json();
      const [day] = body.data.surveyResults.overTime;
      body.data.surveyResults.overTime = ['2025-12-30', '2026-01-02'].map((one) => ({
        ...day,
        day: `${one}${String(day.day).slice(10)}`,
      }));
      return route.fulfill({ response, json: body });
    });
    await page.goto(here.path('surveys', id));
    const chart = page.getByRole('region', { name: 'By day' });
    for (const day of ['Dec 30, 2025', 'Dec 31, 2025', 'Jan 1, 2026', 'Jan 2, 2026'])
      await chart.getByText(day, { exact: true }).waitFor();
    await chart.getByRole('button', { name: 'Show table: Responses' }).click();
    assert.equal(await chart.getByRole('table', { name: 'Responses' }).getByRole('row').allInnerTexts(), [
      'Time\tResponses',
      ...['Dec 30, 2025\t1', 'Dec 31, 2025\t0', 'Jan 1, 2026\t0', 'Jan 2, 2026\t1'],
    ]);
    assert.equal(faults, []);
    await close();
  });

  figures('a quiet stream that a proxy keeps cutting reopens quickly each time', async () => {
    const { streams, longWaits, finish } = await openWithStreams(':\n\n');
    await until('it was opened eight times', () => streams.opened >= 8);
    assert.equal(await longWaits(), []);
    await finish();
  });

  figures('a stream that is accepted only to be refused waits longer each time, with one refresh each', async () => {
    const { streams, longWaits, finish } = await openWithStreams(
      'event: next\ndata: {"errors":[{"message":"no"}]}\n\nevent: complete\ndata:\n\n',
    );
    await until('it was opened seven times', () => streams.opened >= 7);
    const waits = await longWaits();
    assert.ok((waits.at(-1) ?? 0) > 8_000, JSON.stringify(waits));
    const { opened, refreshed } = streams;
    assert.ok(refreshed > 0 && refreshed <= opened + 3, `${refreshed} refreshes of ${opened}`);
    await finish();
  });

  figures('flag figures that fail to load say so on the overview, and are requested again on demand', async () => {
    const { page, faults, expectFault, close } = await here.openTab();
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('query OverviewFlags(')
        ? route.fulfill({ json: { errors: [{ message: 'It is too much.' }], data: null } })
        : route.fallback(),
    );
    await page.goto(here.path());
    const stale = page.locator('.figure', { hasText: 'Stale flags' });
    await stale.getByText('–', { exact: true }).waitFor();
    const told = page.locator('.figure', { hasText: 'Flag evaluations per minute' });
    await told.getByText('It is too much.').waitFor();
    await expectFault('It is too much.');
    await page.unrouteAll({ behavior: 'wait' });
    await told.getByRole('button', { name: 'Try again' }).click();
    await stale.getByText('Nothing to clean up').waitFor();
    await told.getByRole('alert').waitFor({ state: 'hidden' });
    await told.getByRole('img', { name: /^Flag evaluations per hour, last day: / }).waitFor();
    assert.equal(faults, []);
    await close();
  });

  figures(
    'the overview stays unchanged until the next hour is answered, and shows no number before the first answer',
    async () => {
      const { context, close } = await here.openTab();
      const page = await context.newPage();
      // At the end of an hour, which ends when the test says so.
      await page.addInitScript(`{
      const { setTimeout } = window;
      const { now } = Date;
      const ahead = ${HOUR_MS - 60_000} - (now() % ${HOUR_MS});
      Date.now = () => now() + ahead;
      window.waiting = [];
      window.setTimeout = (run, wait, ...rest) =>
        wait > 20_000 ? window.waiting.push(run) : setTimeout(run, wait, ...rest);
    }`);
      let answer = Promise.withResolvers<void>();
      const held: string[] = [];
      const hold = (name: RegExp) =>
        page.route('**/graphql', async (route) => {
          const [asked] = name.exec(route.request().postData() ?? '') ?? [];
          if (!asked) return route.fallback();
          held.push(asked);
          await answer.promise;
          return route.fallback();
        });
      await hold(/query OverviewFlags\(/);
      await page.goto(here.path());
      const stale = page.locator('.figure', { hasText: 'Stale flags' });
      await stale.getByText('…', { exact: true }).waitFor();
      await page
        .locator('.figure', { hasText: 'Flag evaluations per minute' })
        .getByText('…', { exact: true })
        .waitFor();
      assert.is(await page.getByText('Nothing to clean up').count(), 0);
      answer.resolve();
      await stale.getByText('0', { exact: true }).waitFor();
      await page.getByText('Nothing to clean up').waitFor();
      await page.unrouteAll({ behavior: 'wait' });

      answer = Promise.withResolvers<void>();
      held.length = 0;
      await hold(/query Overview(?:Flags)?\(/);
      await page.evaluate(`{
      const { now } = Date;
      Date.now = () => now() + 60_000;
      for (const run of window.waiting) run();
    }`);
      await until('both are requested', () => new Set(held).size === 2);
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      assert.is(await stale.textContent(), 'Stale flags0Nothing to clean up');
      // Whatever comes instead of an answer, known data stays.
      await page.route('**/graphql', (route) => route.fulfill({ status: 502, body: 'no' }));
      const failed = page.waitForResponse((response) => response.status() === 502);
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
      await failed;
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      assert.is(await stale.textContent(), 'Stale flags0Nothing to clean up');
      answer.resolve();
      await close();
    },
  );

  figures("the console's export equals the server's, byte for byte", async () => {
    const { id } = await buildSurvey(here.world, { questions: [{ id: 'why', kind: 'text', prompt: 'Why?' }] });
    for (const text of FORMULAS) await answer(id, { why: text });
    const { page, faults, close } = await here.openTab();
    await page.goto(`${here.path('surveys', id)}?tab=responses`);
    await page.getByRole('button', { name: 'Export all' }).click();
    await page.getByText('All responses in live, ignoring filters').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: /CSV/ }).click(),
    ]);
    const stored = await fetch(`${here.test.baseUrl}/api/v1/pulse/surveys/${id}/responses.csv?environment=live`, {
      headers: { authorization: `Bearer ${here.world.owner.token}` },
    });
    assert.is(readFileSync(await download.path(), 'utf8'), await stored.text());
    assert.equal(faults, []);
    await close();
  });
}

figures('without a browser: the data behind the figures is stored', async () => {
  const { id } = await buildSurvey(here.world);
  await answer(id, { nps: 9 });
});

figures.run();
