import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseTargetingPredicate } from '../../src/modules/pulse/predicates/targeting-predicate.js';
import type { SurveyBundle } from '../../src/sdk/core/surveys/survey-bundle.js';
import { drawn } from '../../src/sdk/core/surveys/survey-choice.js';
import { SurveyFlow } from '../../src/sdk/core/surveys/survey-flow.js';
import { type Facts, isTargeted } from '../../src/sdk/core/surveys/targeting-predicate.js';
import { buildProject, buildWorld, type World } from '../support/factories/factories.js';
import { buildSurvey } from '../support/factories/survey-factory.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { hasChromium, launchChromium } from './chromium.js';
import { beginOn, openLibraryPage } from './library-page.js';
import { type LibrarySite, openLibrarySite } from './library-site.js';

const HOST = 'quarterdeck-survey';
const COLOUR_OF_BUTTON = `getComputedStyle(document.querySelector('${HOST}').shadowRoot.querySelector('.go')).backgroundColor`;
const widget = suite('the survey widget');

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe reports as serious or critical on the page, including shadow roots. */
async function seriousFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(options: object): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
      };
    };
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}

/** Parts of the card that cannot be reached, or are too small to tap (WCAG 2.2, 2.5.8). */
const CUT_OFF = `(() => {
  const card = document.querySelector('${HOST}').shadowRoot.querySelector('.card');
  const { left, top, right, bottom } = card.getBoundingClientRect();
  const isOut = left < 0 || top < 0 || right > innerWidth || bottom > innerHeight || card.scrollWidth > card.clientWidth;
  const small = [...card.querySelectorAll('button, label')].filter((each) => {
    const { width, height } = each.getBoundingClientRect();
    return Math.min(width, height) < 24;
  });
  return [...(isOut ? ['the card: ' + card.textContent] : []), ...small.map((each) => 'too small: ' + each.outerHTML)];
})()`;

const bundle = (rules: SurveyBundle['branching_rules'], partial: SurveyBundle['partial'] = null): SurveyBundle => ({
  survey: { id: 'psv_1', name: 'Survey', description: '' },
  questions: ['c', 'a', 'b'].map((id) => ({
    id,
    kind: 'text',
    prompt: id,
    required: false,
    order_index: ['a', 'b', 'c'].indexOf(id),
  })),
  branching_rules: rules,
  theme: null,
  translations: {},
  partial,
});

widget('follows the branching rules and counts only the answers on the path taken', () => {
  const rule = (from: string, predicate: string, to: string | null) => ({
    from_question_id: from,
    predicate,
    to_question_id: to,
  });
  const walk = (flow: SurveyFlow, ...given: string[]): string[] => {
    const path = [flow.current.id];
    for (const answer of given) {
      flow.answer(answer);
      if (flow.advance()) path.push(flow.current.id);
    }
    return path;
  };
  assert.equal(walk(new SurveyFlow(bundle([])), '1', '2', '3'), ['a', 'b', 'c']);
  const skipping = bundle([
    rule('a', 'AND(answered, OR(answer = "x", answer contains "y"))', 'c'),
    rule('b', 'always', null),
  ]);
  assert.equal(walk(new SurveyFlow(skipping), 'x', '2'), ['a', 'c']);
  assert.equal(walk(new SurveyFlow(skipping), 'z', '2', '3'), ['a', 'b']);
  assert.equal(walk(new SurveyFlow(bundle([rule('b', 'always', 'a')])), '1', '2', '3'), ['a', 'b'], 'no cycles');
  assert.equal(walk(new SurveyFlow(bundle([rule('a', 'of a later server', 'c')])), '1'), ['a', 'b']);

  const flow = new SurveyFlow(skipping);
  walk(flow, 'z', 'left again');
  flow.back();
  flow.answer('x');
  flow.advance();
  assert.equal(flow.given, { a: 'x' });
  const resumed = new SurveyFlow(bundle([], { answers: { a: '1', b: '2' }, current_question_id: 'c' }));
  assert.equal([resumed.current.id, resumed.given], ['c', { a: '1', b: '2' }]);
});

widget('reads every form of targeting that the server accepts', () => {
  const facts: Facts = {
    events: ['paid', 'a "b", c'],
    sessions: 3,
    cohorts: ['beta'],
    screen: 'cart',
    properties: { plan: 'pro', seats: 5, 'odd = key': 'x' },
  };
  const rows: [predicate: string, holds: boolean][] = [
    ['event:paid', true],
    ['event: never ', false],
    [String.raw`event:"a \"b\", c"`, true],
    ['session_count >= 3', true],
    ['session_count >= 4', false],
    ['cohort:beta', true],
    ['screen:cart', true],
    ['screen:paid', false],
    ['props.plan = "pro"', true],
    ['props.seats="5"', true],
    ['props."odd = key" = "x"', true],
    ['props.none = "undefined"', false],
    ['AND(event:paid, OR(cohort:alpha, session_count >= 2))', true],
    ['AND( event:paid , cohort:alpha )', false],
  ];
  for (const [predicate, holds] of rows) {
    parseTargetingPredicate(predicate);
    assert.is(isTargeted(predicate, facts), holds, predicate);
  }
  for (const predicate of ['', 'event:', 'AND(event:paid)', 'event:paid)', 'session_count > 1', 'weather:sunny']) {
    assert.throws(() => parseTargetingPredicate(predicate));
    assert.is(isTargeted(predicate, facts), false, predicate);
  }
});

widget('draws the same lot for a person at every start, and hits the expected share', () => {
  assert.is(drawn('psv_1 ada'), drawn('psv_1 ada'));
  const chosen = Array.from({ length: 10_000 }, (_, n) => drawn(`psv_1 person-${n}`)).filter((draw) => draw < 250);
  assert.ok(Math.abs(chosen.length - 2_500) < 150, String(chosen.length));
});

if (hasChromium()) {
  let test: TestApp;
  let world: World;
  let site: LibrarySite;
  let browser: Browser;
  let context: BrowserContext;

  widget.before(async () => {
    test = await openTestApp();
    world = await buildWorld(test);
    site = await openLibrarySite();
    browser = await launchChromium();
  });
  widget.before.each(async () => {
    world = await buildProject(world);
    context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-GB' });
  });
  widget.after.each(() => context.close());
  widget.after(async () => {
    await browser?.close();
    await site?.close();
    await test?.close();
  });

  const options = (more: object = {}) => ({ url: test.baseUrl, key: world.keys.live, ...more });
  const open = (more: object = {}): Promise<Page> => openLibraryPage(context, site.url, options(more));
  const show = (page: Page, survey: string) => page.evaluate((id) => quarterdeck.showSurvey(id), survey);
  const prompt = (page: Page): Promise<string | null> => page.locator(`${HOST} .prompt`).textContent();
  const isShown = async (page: Page): Promise<boolean> => (await page.locator(HOST).count()) > 0;

  const answers = async (): Promise<Record<string, unknown>> => {
    const { rows } = await until('a response', async () => {
      const found = await test.app.pool.query<{ question: string; value: unknown }>(
        `select a.question_id as question, a.value from survey_answer a join survey_response r on r.id = a.response_id
         where r.project_id = $1`,
        [world.projectId],
      );
      return found.rows.length > 0 && found;
    });
    return Object.fromEntries(rows.map(({ question, value }) => [question, value]));
  };

  widget('asks all nine kinds of questions by keyboard alone, without serious accessibility faults', async () => {
    const { id } = await buildSurvey(world);
    const page = await open();
    await page.focus('#buy');
    assert.is(await show(page, id), true);
    const faults: string[] = [];
    const typed: (readonly [question: string, ...keys: string[]])[] = [
      ['How likely?', 'Space', ...Array.from({ length: 9 }, () => 'ArrowRight')],
      ['How many stars?', 'Space', 'ArrowRight', 'ArrowRight', 'ArrowRight'],
      ['How satisfied?', 'Space', 'ArrowRight'],
      ['Do you agree?', 'Space', 'ArrowRight', 'ArrowRight'],
      ['Why?', 'G', 'o', 'o', 'd', 'Tab'],
      ['Which colour?', 'Space', 'ArrowDown'],
      ['Which ones?', 'Space', 'Tab', 'Space'],
      ['Again?', 'Space'],
      ['When?', '0', '2', '2', '8', '2', '0', '2', '6'],
    ];
    for (const [question, ...keys] of typed) {
      assert.match(String(await prompt(page)), question);
      if (question === 'When?') await page.locator(`${HOST} input[type=date]`).fill('2026-02-28');
      else for (const key of keys) await page.keyboard.press(key);
      faults.push(...(await seriousFaults(page)));
      if (question === 'Why?') await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
    }
    await page.locator(`${HOST} [role=status].prompt`).waitFor();
    faults.push(...(await seriousFaults(page)));
    assert.equal(faults, []);
    assert.equal(await answers(), {
      nps: 9,
      stars: 4,
      mood: 2,
      agree: 3,
      why: 'Good',
      colour: 'blue',
      tags: ['red', 'blue'],
      again: true,
      when: '2026-02-28',
    });
    await page.keyboard.press('Enter');
    assert.is(await isShown(page), false);
    assert.is(await page.locator(':focus').getAttribute('id'), 'buy');
    assert.equal(await page.evaluate(() => violations), []);
  });

  widget('shows all nine kinds in full on a narrow dark screen, right to left too', async () => {
    const { id } = await buildSurvey(world);
    const narrow = { viewport: { width: 320, height: 480 }, colorScheme: 'dark', reducedMotion: 'reduce' } as const;
    for (const locale of ['en', 'ar']) {
      const small = await browser.newContext(narrow);
      const page = await openLibraryPage(small, site.url, options({ locale }));
      assert.is(await show(page, id), true);
      const faults: string[] = [];
      for (let question = 0; question < 9; question += 1) {
        // Colors are the same in either direction, so they are checked once.
        if (locale === 'en' || question === 0) faults.push(...(await seriousFaults(page)));
        faults.push(...(await page.evaluate<string[]>(CUT_OFF)));
        const date = page.locator(`${HOST} input[type=date]`);
        const text = page.locator(`${HOST} textarea`);
        if ((await date.count()) > 0) await date.fill('2026-02-28');
        else if ((await text.count()) > 0) await text.fill('Good');
        else await page.locator(`${HOST} label`).first().click();
        await page.locator(`${HOST} .go`).click();
      }
      await page.locator(`${HOST} [role=status].prompt`).waitFor();
      assert.equal(faults, [], locale);
      await small.close();
    }
  });

  widget('names missing answers, resumes where the person stopped, and closes on Escape', async () => {
    const { id } = await buildSurvey(world);
    const page = await open();
    await show(page, id);
    await page.keyboard.press('Enter');
    assert.match(String(await page.locator(`${HOST} [role=alert]`).textContent()), 'Please answer');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    assert.match(String(await prompt(page)), 'How many stars?');
    const me = await page.evaluate(() => quarterdeck.distinctId);
    const partial = `/api/pulse/partial?survey_id=${id}&external_id=${me}`;
    await until('the partial save', async () => (await world.live.get(partial)).status === 200);
    await page.keyboard.press('Escape');
    assert.is(await isShown(page), false);

    await beginOn(page, site.url, options());
    await show(page, id);
    assert.match(String(await prompt(page)), 'How many stars?');
    await page.locator(`${HOST} footer button`).first().click();
    assert.is(await page.locator(`${HOST} input:checked`).count(), 1);
  });

  widget('takes neither focus nor keys from a page without being asked', async () => {
    await buildSurvey(world, { targetingRules: [{ predicate: 'AND(event:paid, session_count >= 1)' }] });
    const page = await open({ surveys: { pauseSeconds: 0 } });
    await page.focus('#name');
    await page.evaluate(() => quarterdeck.track('paid'));
    await page.locator(HOST).waitFor();
    assert.is(await page.locator(':focus').getAttribute('id'), 'name');
    await page.keyboard.press('a');
    assert.equal(await page.evaluate(() => keysSeen), ['a']);
    await page.locator(`${HOST} input`).first().focus();
    await page.keyboard.press('k');
    assert.equal(
      await page.evaluate(() => keysSeen),
      ['a'],
      'a key pressed in the widget triggers no shortcut of the page',
    );
  });

  widget('appears only when its rules match, once, and not during the pause between surveys', async () => {
    await buildSurvey(world, {
      targetingRules: [{ predicate: 'event:first' }],
      questions: [{ kind: 'boolean', prompt: 'First?' }],
    });
    await buildSurvey(world, {
      targetingRules: [{ predicate: 'props.plan = "pro"' }],
      questions: [{ kind: 'boolean', prompt: 'Second?' }],
    });
    await buildSurvey(world, { targetingRules: [{ predicate: 'event:second', weightNumerator: 0 }] });
    const page = await open({ surveys: { pauseSeconds: 3_600 } });
    await page.evaluate(() => quarterdeck.track('second'));
    assert.is(await isShown(page), false, 'not drawn for anybody');
    await page.evaluate(() => quarterdeck.track('first'));
    await page.locator(HOST).waitFor();
    assert.match(String(await prompt(page)), 'First?');
    await page.locator(`${HOST} .close`).click();
    await page.evaluate(() => quarterdeck.identify('ada', { plan: 'pro' }));
    await page.evaluate(() => quarterdeck.track('first'));
    assert.is(await isShown(page), false, 'within the pause');

    await beginOn(page, site.url, options({ surveys: { pauseSeconds: 0 } }));
    await page.locator(HOST).waitFor();
    assert.match(String(await prompt(page)), 'Second?');
  });

  widget('follows its branches, speaks the person’s language and applies the theme', async () => {
    const { id } = await buildSurvey(world, {
      questions: [
        { id: 'nps', kind: 'nps', prompt: 'How likely?', required: true },
        { id: 'bad', kind: 'text', prompt: 'What was bad?', maxLength: 5 },
        { id: 'good', kind: 'text', prompt: 'What was good?' },
      ],
      branchingRules: [
        { fromQuestionId: 'nps', predicate: 'answer >= 9', toQuestionId: 'good' },
        { fromQuestionId: 'bad', predicate: 'always', toQuestionId: null },
      ],
      translations: { de: { 'question.good.prompt': 'Was war gut?', 'survey.name': 'Umfrage' } },
      theme: { primaryColor: '#ffcc00', backgroundColor: '#101418' },
    });
    const page = await open({ locale: 'de-AT' });
    await show(page, id);
    assert.is(await page.locator(`${HOST} h2`).textContent(), 'Umfrage');
    const button = page.locator(`${HOST} .go`);
    assert.is(await button.textContent(), 'Weiter');
    assert.is(await page.evaluate(COLOUR_OF_BUTTON), 'rgb(255, 204, 0)');
    assert.equal(await seriousFaults(page), []);
    await page.locator(`${HOST} input`).nth(10).check();
    await button.click();
    assert.match(String(await prompt(page)), 'Was war gut?');
    await page.locator(`${HOST} footer button`).first().click();
    await page.locator(`${HOST} input`).nth(2).check();
    await button.click();
    assert.match(String(await prompt(page)), 'What was bad?');
    assert.is(await button.textContent(), 'Senden');
    const field = page.locator(`${HOST} textarea`);
    await field.focus();
    // Characters are counted as the server counts them, and one too many is rejected wherever the caret is.
    for (const text of ['😀b', '😀d']) await page.keyboard.insertText(text);
    await page.keyboard.press('ArrowLeft');
    for (const text of ['😀', 'x', '😀']) await page.keyboard.insertText(text);
    await button.click();
    assert.equal(await answers(), { nps: 2, bad: '😀b😀😀d' });
  });

  widget("supports more languages, and prefers the page's own words", async () => {
    const questions = [{ id: 'nps', kind: 'nps', prompt: 'How likely?', required: false }];
    const { id } = await buildSurvey(world, { questions });
    const page = await context.newPage();
    const said = async (locale: string, words?: object) => {
      await beginOn(page, site.url, options({ locale, surveys: { auto: false, ...(words && { words }) } }));
      await show(page, id);
      return page.locator(`${HOST} .go, ${HOST} .optional, ${HOST} .ends span`).allTextContents();
    };
    const of = { 'ja-JP': '送信', 'zh-TW': '送出', nn: 'Send', xx: 'Send' };
    for (const [locale, send] of Object.entries(of)) assert.ok((await said(locale)).includes(send), locale);
    const given = { send: 'Bidali', optional: 'aukerakoa', ends: { nps: ['Inola ez', 'Seguru'] } };
    const texts = await said('eu', given);
    for (const word of ['Bidali', '(aukerakoa)', 'Inola ez', 'Seguru'])
      assert.ok(texts.includes(word), `${word}: ${texts}`);
  });
}

widget.run();
