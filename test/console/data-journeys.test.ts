import { readFileSync } from 'node:fs';
import type { Request } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../browser/chromium.js';
import { buildConfigItem } from '../support/factories/config-factory.js';
import { buildMember, buildProject } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { buildSurvey, moveSurvey } from '../support/factories/survey-factory.js';
import { until } from '../support/until.js';
import { inConsole, openStreams } from './console-place.js';

const journeys = suite('console: journeys through events, archives and surveys, and live updates');
const here = inConsole(journeys, { isPublic: true });
journeys.before.each(async () => {
  here.world = await buildProject(here.world);
});

interface StoredSurvey {
  id: string;
  status: string;
  questions: { id: string; kind: string; prompt: string }[];
  branchingRules: { predicate: string; toQuestionId: string | null }[];
  targetingRules: { predicate: string }[];
  translations: Record<string, Record<string, string>>;
}

async function storedSurvey(): Promise<StoredSurvey | undefined> {
  const { surveys: found } = await here.world.owner.client.graphql<{ surveys: { nodes: StoredSurvey[] } }>(
    `query($id: ID!) { surveys(projectId: $id) { nodes { id status questions { id kind prompt }
      branchingRules { predicate toQuestionId } targetingRules { predicate } translations } } }`,
    { id: here.world.projectId },
  );
  return found.nodes[0];
}

if (hasChromium()) {
  journeys('a right-to-left name leaves the words around it in place', async () => {
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('boards'));
    for (const [name, shown] of [
      ['לוח (1)', '\u2068לוח (1)\u2069'],
      ['Board (1)', 'Board (1)'],
    ] as const) {
      await page.getByLabel('New board').fill(name);
      await page.getByRole('button', { name: 'Create board' }).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      const question = page.getByRole('dialog');
      assert.is(await question.locator('.dialog-title').textContent(), `Delete ${shown}?`);
      await question.getByRole('button', { name: 'Delete' }).click();
      const told = page.getByRole('status').filter({ hasText: 'deleted.' }).last();
      await told.getByText(`${shown} deleted.`, { exact: true }).waitFor();
    }
    assert.equal(faults, []);
    await close();
  });

  journeys('a change in one browser appears in another, on a page and in a list, over one stream per tab', async () => {
    const { id, key } = await buildFlag(here.world, { key: 'seen.by.both' });
    const viewer = await buildMember(here.test, here.world, 'viewer');
    const editing = await here.openTab();
    const listing = await here.openTab({ user: viewer });
    const reading = await listing.context.newPage();
    await editing.page.goto(here.path('flags', key));
    await listing.page.goto(here.path('flags'));
    await reading.goto(here.path('flags', key));
    await reading.getByRole('heading', { name: key, level: 1 }).waitFor();
    await until('three streams', async () => (await openStreams(here.test)) === 3);
    await editing.page.getByRole('button', { name: 'Halt' }).click();
    await editing.page.getByLabel(/^Reason/).fill('error rate above 5 %');
    await editing.page.keyboard.press('Control+Enter');
    await reading.getByText('error rate above 5 %').waitFor();
    await listing.page.getByRole('row', { name: key }).getByText('Halted', { exact: true }).waitFor();
    await here.world.owner.client.graphql('mutation($input: ResumeFlagInput!) { resumeFlag(input: $input) { id } }', {
      input: { flagId: id },
    });
    await reading.getByText('error rate above 5 %').waitFor({ state: 'hidden' });
    await buildFlag(here.world, { key: 'new.one' });
    await listing.page.getByRole('link', { name: 'new.one' }).waitFor();
    assert.equal([...editing.faults, ...listing.faults], []);
    await editing.page.getByRole('button', { name: 'Account and appearance' }).click();
    await editing.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await editing.page.waitForURL(/\/sign-in/);
    await until('the stream ends with the session', async () => (await openStreams(here.test)) === 2);
    await editing.context.close();
    await listing.context.close();
    await until('streams end with their tabs', async () => (await openStreams(here.test)) === 0);
  });

  journeys('events of one name are broken down by one of their properties', async () => {
    const plans = ['pro', 'pro', 'at', 'free', null];
    const operations = plans.map((plan) => ({
      type: 'track',
      payload: { event_name: 'bought', distinct_id: 'shopper', properties: plan === null ? {} : { plan } },
    }));
    assert.is((await here.world.live.post('/api/v1/batch', { operations })).status, 200);
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('events'));
    await page.getByLabel('Event name').fill('bought');
    const panel = page.getByRole('region', { name: 'By property' });
    await panel.getByText('Choose a property').waitFor();
    await panel.getByLabel('Property').click();
    await page.getByRole('option', { name: 'plan' }).click();
    await panel.getByText('All 5 events in this period.').waitFor();
    const rows = await panel.locator('tr').allTextContents();
    assert.is(rows[0], 'pro2 (40.0%)');
    assert.equal(new Set(rows.slice(1)), new Set(['"at"1 (20.0%)', 'free1 (20.0%)', '(not set)1 (20.0%)']));
    let asked = 0;
    const count = (request: Request) => {
      if (request.postData()?.includes('query EventBreakdown(')) asked += 1;
    };
    page.on('request', count);
    await panel.getByLabel('Property').fill('');
    await panel.getByText('Choose a property').waitFor();
    await page.evaluate(`{
      const { setTimeout } = window;
      window.setTimeout = (run, ms, ...rest) => {
        if (ms !== 200) return setTimeout(run, ms, ...rest);
        window.pause = () => {
          window.setTimeout = setTimeout;
          run();
        };
      };
    }`);
    await panel.getByLabel('Property').pressSequentially('nothing.like.it');
    await page.evaluate('window.pause()');
    await panel.getByText('(not set)').waitFor();
    assert.is(asked, 1);
    page.off('request', count);
    await page.getByLabel('Event name').fill('bough');
    await page.getByText('No events named exactly bough.').waitFor();
    assert.equal(faults, []);
    await close();
  });

  journeys('a chart bar lists its events and a minute lists those received in it, until a tail begins', async () => {
    const { status } = await here.world.live.post('/api/v1/track', { event_name: 'signup', distinct_id: 'ada' });
    assert.is(status, 200);
    const { page, faults, close } = await here.openTab({ width: 375 });
    await page.goto(here.path('events'));
    const event = page.getByRole('region', { name: 'Latest events' }).locator('details').filter({ hasText: 'signup' });
    const received = (await event.locator('time').last().getAttribute('datetime')) ?? '';
    const [day, minute] = [received.slice(0, 10), received.slice(0, 16)];
    const [from, last] = [page.getByLabel('Received from, in UTC'), page.getByLabel('Received until, in UTC')];
    await page.locator('.recharts-bar-rectangle').last().click();
    await until('the day is requested', async () => (await from.inputValue()) === `${day}T00:00`);
    assert.is(await last.inputValue(), `${day}T23:59`);
    await event.waitFor();
    await last.fill('2020-02-03T04:15');
    await from.fill('2020-02-03T04:05');
    await page.getByText('No events received from 2020-02-03 04:05 until 2020-02-03 04:15 UTC.').waitFor();
    await from.fill(minute);
    await last.fill(minute);
    await event.waitFor();
    await page.reload();
    await event.waitFor();
    assert.equal([await from.inputValue(), await last.inputValue()], [minute, minute]);
    await page.getByLabel('Live tail').check();
    await page.getByText('Live: 0 received').waitFor();
    assert.is(await from.inputValue(), '');
    assert.equal(faults, []);
    await close();
  });

  journeys(
    'a config item and a survey list the consequences before they are archived, and can be restored',
    async () => {
      const item = await buildConfigItem(here.world, { key: 'most' });
      const survey = await buildSurvey(here.world, {});
      const { page, faults, goWithin, close } = await here.openTab();
      await page.goto(here.path('flags'));
      await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor();
      for (const [address, words] of [
        [here.path('config', item.key), 'fall back to the default in their code'],
        [here.path('surveys', survey.id), 'You keep its responses, results and history.'],
      ] as const) {
        await goWithin(address);
        await page.getByRole('button', { name: 'Archive' }).click();
        const dialog = page.getByRole('dialog').last();
        await dialog.getByText(words).waitFor();
        await dialog.getByRole('button', { name: 'Cancel' }).click();
        await page.getByRole('button', { name: 'Archive' }).click();
        await dialog.getByRole('button', { name: 'Archive' }).click();
        await page.getByRole('button', { name: 'Unarchive' }).click();
        await page.getByRole('button', { name: 'Archive', exact: true }).waitFor();
      }
      await moveSurvey(here.world, 'publish', survey.id);
      await page.getByText('Published', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Archive', exact: true }).click();
      await page.getByRole('dialog').last().getByRole('button', { name: 'Archive' }).click();
      await page.getByRole('status').filter({ hasText: 'Survey archived.' }).last().getByText('Undo').click();
      await page.getByText('Survey published again.').waitFor();
      assert.is(await moveSurvey(here.world, 'publish', survey.id), 'published');
      assert.equal(faults, []);
      await close();
    },
  );

  journeys(
    'Start makes a key and its snippet sends the first event unedited; keys that cannot send are pointed out',
    async () => {
      const { page, faults, close } = await here.openTab();
      await page.goto(here.path('start'));
      const key = page.getByLabel('Project key for live');
      for (const [wrong, words] of [
        [here.world.keys.test, 'This key is for test'],
        ['sk_deploy_something', "A deploy token can't send events."],
        ['hello', "This isn't a project key"],
      ] as const) {
        await key.fill(wrong);
        await page.getByText(words).waitFor();
        assert.is(await page.getByText('✓ Ready').count(), 0);
      }
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByText('✓ Ready').waitFor();
      await page.getByText('Waiting').waitFor();
      const snippet = (await page.locator('pre.code').first().textContent()) ?? '';
      const [, secret = ''] = /x-api-key: (\S+)'/.exec(snippet) ?? [];
      const [, body = ''] = /-d '([^']+)'/.exec(snippet) ?? [];
      const [address = ''] = /http\S+$/.exec(snippet) ?? [];
      const headers = { 'x-api-key': secret, 'content-type': 'application/json' };
      const answer = await fetch(address, { method: 'POST', headers, body });
      assert.is(answer.status, 200, await answer.text());
      await page.getByText('✓ Received').waitFor();
      await page.getByRole('status').getByText('first_steps').waitFor();
      assert.equal(faults, []);
      await close();
    },
  );

  journeys(
    'a person page has the events of all ids, one of which is split off; an unknown id has only events',
    async () => {
      const send = async (path: string, body: object) =>
        assert.is((await here.world.live.post(path, body)).status, 200, JSON.stringify(body));
      await send('/api/v1/people', { distinct_id: 'ada', properties: { plan: 'pro' } });
      await send('/api/v1/track', { event_name: 'as.ada', distinct_id: 'ada' });
      await send('/api/v1/track', { event_name: 'on.the.phone', distinct_id: 'phone' });
      await send('/api/v1/alias', { alias_id: 'phone', distinct_id: 'ada' });
      await send('/api/v1/track', { event_name: 'passing.by', distinct_id: 'stranger' });
      const { page, faults, close } = await here.openTab();
      await page.goto(here.path('people', 'ada'));
      const timeline = page.getByRole('region', { name: 'Timeline' });
      await timeline.getByText('on.the.phone').waitFor();
      await timeline.getByText('as.ada').waitFor();
      await page.getByRole('button', { name: 'Split off' }).click();
      await page.getByRole('dialog', { name: 'Split off phone?' }).getByRole('button', { name: 'Split off' }).click();
      await page.getByText('phone split off as a separate person.').waitFor();
      await timeline.getByText('on.the.phone').waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Erase' }).click();
      await page.getByRole('dialog').last().getByRole('button', { name: 'Erase' }).click();
      await page.getByText('Erasing their data.').waitFor();
      await page.goto(here.path('people', 'stranger'));
      await page.getByText('Nothing else is stored for this id').waitFor();
      await timeline.getByText('passing.by').waitFor();
      assert.equal(faults, []);
      await close();
    },
  );

  journeys('rows too large for a whole page load a few at a time, and show what fits on a line', async () => {
    const properties = { text: 'x'.repeat(3.9 * 1024 * 1024) };
    for (let n = 0; n < 9; n += 1)
      assert.is((await here.world.live.post('/api/v1/people', { distinct_id: `large ${n}`, properties })).status, 200);
    const { page, faults, expectFault, close } = await here.openTab();
    await page.goto(here.path('events', 'people'));
    for (let n = 0; n < 9; n += 1) await page.getByRole('row', { name: `large ${n}` }).waitFor();
    await expectFault('QUERY_TOO_LARGE');
    assert.equal(faults, []);
    await close();
  });

  journeys(
    'a survey is created, previewed in the widget, branched, published, answered, counted, exported and closed',
    async () => {
      const { page, faults, close } = await here.openTab();
      await page.goto(here.path('surveys'));
      await page.getByRole('button', { name: 'New survey' }).first().click();
      await page.getByLabel(/^Name/).fill('Would you recommend us?');
      await page.getByRole('button', { name: 'Create survey' }).click();
      await page.getByRole('heading', { name: 'Would you recommend us?', level: 1 }).waitFor();
      await page.getByRole('button', { name: '+ Question' }).click();
      await page
        .locator('input:focus')
        .and(page.getByRole('textbox', { name: 'Question 2', exact: true }))
        .waitFor();
      await page.keyboard.type('What should be better?');
      await page.getByRole('button', { name: '+ Branch' }).click();
      await page.getByRole('button', { name: '+ Condition' }).click();
      await page.getByLabel('Another language').fill('de');
      await page.getByRole('button', { name: '+ Language' }).click();
      await page.getByLabel('“What should be better?” in de').fill('Was soll besser werden?');
      await page.getByRole('img', { name: /Flow of 2 questions: 1 to the end if answer >= 9/ }).waitFor();

      const widget = page.getByRole('region', { name: 'Preview' });
      await widget.getByRole('radio', { name: '3', exact: true }).check();
      await widget.getByRole('button', { name: 'Next' }).click();
      await widget.getByText('What should be better?').waitFor();
      await widget.getByRole('button', { name: 'Start over' }).click();
      await widget.getByRole('radio', { name: '10', exact: true }).check();
      await widget.getByRole('button', { name: 'Send' }).waitFor();

      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      await page.getByRole('button', { name: 'Publish' }).click();
      const publishing = page.getByRole('dialog', { name: /^Publish Would you/ });
      await publishing.getByText('It asks 2 questions.').waitFor();
      await publishing.getByText('Audience: people with session_count >= 3.').waitFor();
      await publishing.getByRole('button', { name: 'Publish' }).click();
      await page.getByText('Published', { exact: true }).waitFor();
      const stored = await storedSurvey();
      const [score, text] = stored?.questions ?? [];
      assert.equal([score?.kind, text?.kind, text?.prompt], ['nps', 'text', 'What should be better?']);
      assert.equal(stored?.branchingRules, [{ predicate: 'answer >= 9', toQuestionId: null }]);
      assert.equal(stored?.targetingRules, [{ predicate: 'session_count >= 3' }]);
      assert.equal(stored?.translations, { de: { [`question.${text?.id}.prompt`]: 'Was soll besser werden?' } });

      const answers = { [score?.id ?? '']: 3, [text?.id ?? '']: '=1+1, "really"' };
      await here.world.live.post('/api/pulse/responses', {
        survey_id: stored?.id,
        respondent: { user_id: 'ada' },
        answers,
      });
      await page.getByRole('tab', { name: 'Results' }).click();
      await page.getByText('-100').waitFor();
      await page.getByRole('img', { name: /Detractors, 0 to 6: 1/ }).waitFor();
      await page.emulateMedia({ forcedColors: 'active' });
      const styleOf = (selector: string, style: string) =>
        page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${style}`);
      assert.is(await styleOf('.environment .mantine-SegmentedControl-indicator', 'borderStyle'), 'solid');
      assert.is(await styleOf('[role=tab][aria-selected=true]', 'borderBottomWidth'), '4px');
      assert.not.match(await styleOf('.columns-bad', 'backgroundColor'), /^rgb\(255, 255, 255\)|rgba\(0, 0, 0, 0\)/);
      await page.emulateMedia({ forcedColors: null });
      await page.getByRole('tab', { name: 'Responses' }).click();
      await page.getByRole('button', { name: 'Export' }).click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: /^CSV/ }).click(),
      ]);
      const [head, line] = readFileSync(await file.path(), 'utf8').split('\r\n');
      assert.match(head ?? '', 'What should be better?');
      assert.match(line ?? '', `,3,"'=1+1, ""really"""`);
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

journeys('nothing subscribes when nobody is looking', async () => {
  await until('no stream', async () => (await openStreams(here.test)) === 0);
});

journeys('a project starts without surveys', async () => {
  assert.is(await storedSurvey(), undefined);
});

journeys.run();
