import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../../browser/chromium.js';
import { buildMember } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { buildSurvey } from '../../support/factories/survey-factory.js';
import { until } from '../../support/until.js';
import { inConsole, storedDescription } from '../console-place.js';

const kept = suite('console: what is edited stays until it is saved');
const here = inConsole(kept);

const updateFlag = (flagId: string, description: string) =>
  here.world.owner.client.graphql('mutation($input: UpdateFlagInput!) { updateFlag(input: $input) { id } }', {
    input: { flagId, description },
  });

if (hasChromium()) {
  kept('another tab of the page loses no edits, and says that its view does not include them', async () => {
    const { key } = await buildFlag(here.world);
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('flags', key));
    await page.getByLabel('Description').fill('mine');
    await page.getByRole('tab', { name: 'Try as a person' }).click();
    await page.getByText('without your unsaved changes').waitFor();
    await page.getByText('own cohorts').waitFor();
    const questions: string[] = [];
    page.on('dialog', (question) => {
      questions.push(question.message());
      void question.dismiss();
    });
    await page.getByRole('link', { name: 'Config' }).first().click();
    await until('it is asked', () => questions.length > 0);
    await page.getByRole('tab', { name: 'Targeting unsaved' }).click();
    assert.is(await page.getByLabel('Description').inputValue(), 'mine');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('tab', { name: 'Try as a person' }).click();
    await page.getByRole('button', { name: 'Try', exact: true }).waitFor();
    assert.is(await page.getByText('without your unsaved changes').count(), 0);
    assert.is(await page.getByLabel('Description').count(), 0);
    assert.is(await storedDescription(here.world, key), 'mine');
    assert.equal(faults, []);
    page.removeAllListeners('dialog');
    await close();
  });

  kept('a new survey question survives going back and forth, and publishing without it is refused', async () => {
    const { id } = await buildSurvey(here.world, {}, 'draft');
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('surveys', id));
    await page.getByRole('tab', { name: 'Editor' }).click();
    await page.getByRole('button', { name: '+ Question' }).click();
    const question = page.getByRole('textbox', { name: 'Question 10', exact: true });
    await question.fill('What else?');
    await page.goBack();
    await page.getByRole('tab', { name: 'Editor unsaved' }).waitFor();
    const publish = page.getByRole('button', { name: 'Publish' });
    assert.is(await publish.getAttribute('aria-description'), 'Save or discard your changes first.');
    await publish.press('Enter');
    assert.is(await page.getByRole('dialog').count(), 0);
    await page.goForward();
    assert.is(await question.inputValue(), 'What else?');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await publish.click();
    await page.getByRole('dialog').getByText('It asks 10 questions.').waitFor();
    assert.equal(faults, []);
    await close();
  });

  kept('rules keep half-typed values, the focus and what is open while others save', async () => {
    const conditions = [{ attribute: 'props.plan', operator: 'in', values: ['pro'] }];
    const { id, key } = await buildFlag(here.world, { rules: [{ variant: 'on', conditions }, { variant: 'on' }] });
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('flags', key));
    const rule = page.getByRole('region', { name: 'Rule 1' });
    await rule.getByRole('button', { name: 'Bucketing' }).click();
    const values = rule.getByRole('combobox', { name: 'Values' });
    await values.pressSequentially('enterpri');
    await updateFlag(id, 'theirs');
    await page.getByLabel('Description').and(page.getByText('theirs')).waitFor();
    await values.and(page.locator(':focus')).waitFor();
    assert.is(await values.inputValue(), 'enterpri');
    await rule.getByRole('button', { name: 'Bucketing', expanded: true }).waitFor();

    await page.getByRole('button', { name: '+ Flag' }).click();
    await page.getByRole('button', { name: 'Save', description: 'Choose a flag, or remove the row.' }).waitFor();
    await page.setViewportSize({ width: 375, height: 600 });
    const covered = await page.evaluate(`[...document.querySelectorAll('main .panel :is(input, button, textarea)')]
      .filter((field) => {
        field.focus();
        const { left, top, width, height } = field.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2)?.closest('.save-bar');
      }).length`);
    assert.is(covered, 0, 'the focus stays clear of the bar');
    assert.equal(faults, []);
    await close();
  });

  kept('a form asks before it closes over clicked changes, and Ctrl+Enter sends the value being typed', async () => {
    const { page, faults, expectFault, close } = await here.openTab();
    await page.goto(here.path('events', 'cohorts'));
    await page.getByRole('button', { name: 'New cohort' }).first().click();
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: '+ Rule' }).click();
    await form.getByRole('button', { name: '+ Condition' }).click();
    const questions: string[] = [];
    page.on('dialog', (question) => {
      questions.push(question.message());
      void question.dismiss();
    });
    // The first one closes the list of attributes.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await until('it is asked', () => questions.length > 0);
    await form.getByLabel('Name').fill('both');
    const ids = form.getByRole('combobox', { name: 'Distinct ids' });
    await ids.fill('user');
    await ids.press('Enter');
    await ids.fill('User');
    await ids.press('Control+Enter');
    await form.getByRole('alert').getByText('rule 1, condition 1, values:').waitFor();
    await form.getByRole('combobox', { name: 'Values' }).and(page.locator('[aria-invalid=true]:focus')).waitFor();
    await expectFault('rules[0].conditions[0].values');
    await form.getByRole('button', { name: 'Remove rule' }).click();
    await ids.fill('third');
    await ids.press('Control+Enter');
    await form.waitFor({ state: 'hidden' });
    const { cohorts } = await here.world.owner.client.graphql<{ cohorts: { nodes: { distinctIds: string[] }[] } }>(
      'query($id: ID!) { cohorts(projectId: $id) { nodes { distinctIds } } }',
      { id: here.world.projectId },
    );
    assert.equal(cohorts.nodes[0]?.distinctIds, ['user', 'User', 'third']);

    await page.goto(here.path('settings?tab=tokens'));
    const days = page.getByLabel('Days valid');
    await days.fill('');
    await days.pressSequentially('2.5');
    assert.is(await days.inputValue(), '25');
    assert.equal(faults, []);
    page.removeAllListeners('dialog');
    await close();
  });

  kept('a halt dialog that closed because someone else halted the flag stays closed once they resume it', async () => {
    const { id, key } = await buildFlag(here.world);
    const colleague = await buildMember(here.test, here.world, 'admin');
    const { page, faults, settle, goWithin, close } = await here.openTab();
    await page.goto(here.path('flags', key));
    const halt = page.getByRole('button', { name: 'Halt', exact: true });
    await halt.click();
    const dialog = page.getByRole('dialog', { name: `Halt ${key}` });
    await dialog.getByLabel(/^Reason/).fill('mine');
    await here.world.owner.client.graphql('mutation($input: HaltFlagInput!) { haltFlag(input: $input) { id } }', {
      input: { flagId: id, reason: 'theirs' },
    });
    await page.getByText('theirs').first().waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await here.world.owner.client.graphql('mutation($input: ResumeFlagInput!) { resumeFlag(input: $input) { id } }', {
      input: { flagId: id },
    });
    await halt.waitFor();
    await settle();
    assert.is(await dialog.count(), 0);
    await halt.click();
    await dialog.getByLabel(/^Reason/).fill('mine');
    await dialog.getByRole('button', { name: 'Halt now' }).click();
    await page.getByText(/^Halted.+everyone gets off/).waitFor();
    await settle();
    assert.match(page.url(), new RegExp(`/flags/${key}$`));

    const change = (name: 'haltFlag' | 'resumeFlag', input: object) =>
      colleague.client.graphql(
        `mutation($input: ${name.replace(/^./, (h) => h.toUpperCase())}Input!) { ${name}(input: $input) { id } }`,
        { input },
      );
    await change('resumeFlag', { flagId: id });
    await goWithin(here.path('flags'));
    await page.getByRole('button', { name: `Halt ${key}` }).click();
    await dialog.getByLabel(/^Reason/).fill('mine');
    await change('haltFlag', { flagId: id, reason: 'theirs' });
    await dialog.getByRole('button', { name: 'Halt now' }).click();
    await page.getByText(`${key} was already halted by ${colleague.email} at `).waitFor();
    assert.equal(faults, []);
    await close();
  });

  kept("others' changes reset no half-typed sample rate, and an untouched name of a board follows them", async () => {
    const { projectId, owner } = here.world;
    const { page, faults, settle, goWithin, close } = await here.openTab();
    await page.goto(here.path('crashes', 'alerts'));
    const share = page.getByLabel('Share of crashes that SDKs send');
    await share.fill('55');
    const answered = page.waitForResponse(async (answer) => /"sampleRate":0\.2\b/.test(await answer.text()));
    const settings = { projectId, environment: 'live', sampleRate: 0.2 };
    await owner.client.graphql(
      'mutation($input: UpdateCrashSettingsInput!) { updateCrashSettings(input: $input) { sampleRate } }',
      { input: settings },
    );
    await answered;
    await settle();
    await share.and(page.locator(':focus')).waitFor();
    assert.is(await share.inputValue(), '55%');
    const stored = page.waitForResponse(
      async (answer) =>
        answer.request().postData()?.includes('query CrashSampling(') === true &&
        /"sampleRate":0\.55/.test(await answer.text()),
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Saved\./).waitFor();
    await stored;
    await settle();
    assert.is(await share.inputValue(), '55%');
    await owner.client.graphql(
      'mutation($input: UpdateCrashSettingsInput!) { updateCrashSettings(input: $input) { sampleRate } }',
      { input: settings },
    );
    await until('the field shows the stored rate', async () => (await share.inputValue()) === '20%');

    const { createBoard: board } = await owner.client.graphql<{ createBoard: { id: string } }>(
      'mutation($input: CreateBoardInput!) { createBoard(input: $input) { id } }',
      { input: { projectId, name: 'First name' } },
    );
    await goWithin(here.path('boards', board.id));
    const name = page.getByLabel('Name', { exact: true });
    assert.is(await name.inputValue(), 'First name');
    await owner.client.graphql('mutation($input: UpdateBoardInput!) { updateBoard(input: $input) { id } }', {
      input: { id: board.id, name: 'Their name' },
    });
    await page.getByRole('heading', { name: 'Their name', level: 1 }).waitFor();
    assert.is(await name.inputValue(), 'Their name');
    assert.equal(faults, []);
    await close();
  });

  kept('nobody leaves for another organization before their changes are saved or discarded', async () => {
    const { key } = await buildFlag(here.world);
    const { page, context, faults, expectFault, close } = await here.openTab();
    await page.goto(here.path('flags', key));
    await page.getByLabel('Description').fill('mine');
    const asked = page.waitForEvent('dialog');
    page.once('dialog', (question) => void question.dismiss());
    await page.getByRole('button', { name: 'Account and appearance' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    assert.match((await asked).message(), 'Leave without saving');
    await page.getByRole('button', { name: 'Account and appearance' }).click();
    await page.getByRole('menuitem', { name: 'Organizations…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New organization').fill('Another');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('Save or discard your changes first.').waitFor();
    assert.is(await dialog.getByLabel(/^Password/).count(), 0);
    await dialog.getByRole('button', { name: 'Close' }).click();
    assert.is(await page.getByLabel('Description').inputValue(), 'mine');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();

    await page.getByLabel('Description').fill('mine again');
    const { email, password } = here.world.owner;
    // As another tab does, which has the same cookies.
    const ask = async (query: string, variables = {}) => {
      const headers = { 'apollo-require-preflight': 'console' };
      return (await context.request.post('/graphql', { headers, data: { query, variables } })).json();
    };
    const { data } = await ask('{ organizations(filter: { name: { eq: "Another" } }) { nodes { id } } }');
    const organizationId = data.organizations.nodes[0].id;
    await ask('mutation($input: SignInInput!) { signInWithCookie(input: $input) { expiresAt } }', {
      input: { email, password, organizationId },
    });
    await page.getByRole('button', { name: 'Save' }).dispatchEvent('click');
    const again = page.getByRole('dialog', { name: 'You switched organizations' });
    await again.getByText("In another tab, you're now in Another.").waitFor();
    await again.getByLabel(/^Password/).fill(password);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Saved.').waitFor();
    assert.is(await storedDescription(here.world, key), 'mine again');
    await expectFault('UNAUTHENTICATED');
    assert.equal(faults, []);
    await close();
  });

  kept('relative times advance while the page is open', async () => {
    const { key } = await buildFlag(here.world);
    const tab = await here.openTab();
    const context = await here.browser.newContext({
      baseURL: here.test.baseUrl,
      storageState: await tab.context.storageState(),
    });
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(here.path('flags'));
    const changed = page.getByRole('row', { name: key }).locator('time');
    await until('it was just now', async () => /second|now/.test((await changed.textContent()) ?? ''));
    // Nothing is fetched again, because that would render the row anew.
    await page.route('**/graphql*', (route) => route.abort());
    await page.clock.fastForward('10:00');
    await changed.filter({ hasText: '10 minutes ago' }).waitFor();
    const turn = (state: 'hidden' | 'visible') =>
      page.evaluate(`{
        Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' });
        document.dispatchEvent(new Event('visibilitychange'));
      }`);
    await turn('hidden');
    await page.clock.fastForward('10:00');
    assert.is(await changed.textContent(), '10 minutes ago');
    await turn('visible');
    await changed.filter({ hasText: '20 minutes ago' }).waitFor();
    await context.close();
    await tab.close();
  });
}

kept('without a browser: a description is stored', async () => {
  const { id, key } = await buildFlag(here.world);
  await updateFlag(id, 'theirs');
  assert.is(await storedDescription(here.world, key), 'theirs');
});

kept.run();
