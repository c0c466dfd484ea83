import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium, launchChromium } from '../browser/chromium.js';
import { buildWorld, type World } from '../support/factories/factories.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { openTab } from './open-tab.js';

const surveys = suite('console: surveys');

let test: TestApp;
let world: World;
let browser: Browser;

surveys.before(async () => {
  test = await openTestApp();
  world = await buildWorld(test);
  if (hasChromium()) browser = await launchChromium();
});

surveys.after(async () => {
  await browser?.close();
  await test.close();
});

const place = (...rest: string[]) => ['/p', world.projectId, 'live', ...rest].join('/');

interface StoredSurvey {
  id: string;
  status: string;
  questions: { id: string; kind: string; prompt: string }[];
  branchingRules: { predicate: string; toQuestionId: string | null }[];
  targetingRules: { predicate: string }[];
  translations: Record<string, Record<string, string>>;
}

async function storedSurvey(): Promise<StoredSurvey | undefined> {
  const { surveys: found } = await world.owner.client.graphql<{ surveys: { nodes: StoredSurvey[] } }>(
    `query($id: ID!) { surveys(projectId: $id) { nodes { id status questions { id kind prompt }
      branchingRules { predicate toQuestionId } targetingRules { predicate } translations } } }`,
    { id: world.projectId },
  );
  return found.nodes[0];
}

if (hasChromium()) {
  surveys(
    'a survey is made, seen in the widget, branched, published, answered, counted, exported and closed',
    async () => {
      const { page, faults, close } = await openTab(browser, test.baseUrl, { user: world.owner });
      await page.goto(place('surveys'));
      await page.getByRole('button', { name: 'New survey' }).first().click();
      await page.getByLabel(/^Name/).fill('Would you recommend us?');
      await page.getByRole('button', { name: 'Create survey' }).click();
      await page.getByRole('heading', { name: 'Would you recommend us?', level: 1 }).waitFor();
      await page.getByRole('tab', { name: 'Editor' }).click();
      await page.getByRole('button', { name: '+ Question' }).click();
      await page.getByRole('textbox', { name: 'Question 2', exact: true }).fill('What should be better?');
      await page.getByRole('button', { name: '+ Branch' }).click();
      await page.getByRole('button', { name: '+ Condition' }).click();
      await page.getByLabel('Another language').fill('de');
      await page.getByRole('button', { name: '+ Language' }).click();
      await page.getByLabel('“What should be better?” in de').fill('Was soll besser werden?');
      await page.getByRole('img', { name: /way through 2 questions: 1 to the end if answer >= 9/ }).waitFor();

      const widget = page.getByRole('region', { name: 'As people see it' });
      await widget.getByRole('radio', { name: '3', exact: true }).check();
      await widget.getByRole('button', { name: 'Next' }).click();
      await widget.getByText('What should be better?').waitFor();
      await widget.getByRole('button', { name: 'From the beginning' }).click();
      await widget.getByRole('radio', { name: '10', exact: true }).check();
      await widget.getByRole('button', { name: 'Send' }).waitFor();

      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      await page.getByRole('button', { name: 'Publish' }).click();
      const publishing = page.getByRole('dialog', { name: /^Publish Would you/ });
      await publishing.getByText('It asks 2 questions.').waitFor();
      await publishing.getByText('Asked are people with session_count >= 3.').waitFor();
      await publishing.getByRole('button', { name: 'Publish' }).click();
      await page.getByText('published', { exact: true }).waitFor();
      const stored = await storedSurvey();
      const [score, text] = stored?.questions ?? [];
      assert.equal([score?.kind, text?.kind, text?.prompt], ['nps', 'text', 'What should be better?']);
      assert.equal(stored?.branchingRules, [{ predicate: 'answer >= 9', toQuestionId: null }]);
      assert.equal(stored?.targetingRules, [{ predicate: 'session_count >= 3' }]);
      assert.equal(stored?.translations, { de: { [`question.${text?.id}.prompt`]: 'Was soll besser werden?' } });

      const answers = { [score?.id ?? '']: 3, [text?.id ?? '']: '=1+1, "really"' };
      await world.live.post('/api/pulse/responses', { survey_id: stored?.id, respondent: { user_id: 'ada' }, answers });
      await page.getByRole('tab', { name: 'Results' }).click();
      await page.getByText('-100').waitFor();
      await page.getByRole('img', { name: /Detractors, 0 to 6: 1/ }).waitFor();
      await page.getByRole('tab', { name: 'Responses' }).click();
      await page.getByRole('button', { name: 'Export' }).click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: /^CSV/ }).click(),
      ]);
      const [head, line] = readFileSync(await file.path(), 'utf8').split('\r\n');
      assert.match(head ?? '', 'What should be better?');
      assert.match(line ?? '', `,3,ada,,,3,"'=1+1, ""really"""`);
      await page.getByRole('button', { name: 'Close' }).click();
      await page
        .getByRole('dialog', { name: /^Close Would/ })
        .getByRole('button', { name: 'Close', exact: true })
        .last()
        .click();
      await until('it is closed', async () => (await storedSurvey())?.status === 'closed');
      assert.equal(faults, []);
      await close();
    },
  );
}

surveys('a project begins without surveys where no browser is', async () => {
  assert.ok(hasChromium() || (await storedSurvey()) === undefined);
});

surveys.run();
