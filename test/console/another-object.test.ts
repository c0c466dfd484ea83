import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../browser/chromium.js';
import { buildProject, type World } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { buildSubscription } from '../support/factories/webhook-factory.js';
import { until } from '../support/until.js';
import { inConsole, WITH_RECEIVERS } from './console-place.js';

const another = suite('console: from one object, project and environment to another');
const here = inConsole(another, WITH_RECEIVERS);

const headingOf = (page: Page, name: string) =>
  page.getByRole('heading', { name, level: 1, exact: true, includeHidden: true });

async function nameOf({ owner, projectId }: World): Promise<string> {
  const { project } = await owner.client.graphql<{ project: { name: string } }>(
    'query($projectId: ID!) { project(id: $projectId) { name } }',
    { projectId },
  );
  return project.name;
}

async function switchProject(page: Page, to: World): Promise<void> {
  await page.getByRole('combobox', { name: 'Project' }).click();
  await page.getByRole('option', { name: await nameOf(to), exact: true }).click();
  await page.waitForURL(new RegExp(to.projectId));
}

const switchToTest = async (page: Page): Promise<void> => {
  await page.getByRole('radiogroup', { name: 'Environment' }).getByText('Test').click();
  await page.waitForURL(/\/test\//);
};

async function testWebhook(id: string): Promise<void> {
  await here.world.owner.client.graphql(
    'mutation($id: ID!) { testWebhookSubscription(input: { id: $id }) { __typename } }',
    { id },
  );
}

if (hasChromium()) {
  another(
    'the finder goes from one flag to the halt of another, and never shows the first flag in its place',
    async () => {
      const [first, second, third] = await Promise.all(
        ['halt.first', 'halt.second', 'halt.third'].map((key) => buildFlag(here.world, { key })),
      );
      const { page, faults, expectFault, close } = await here.openTab();
      await page.goto(here.path('flags', `${first?.key}`));
      await headingOf(page, `${first?.key}`).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('textbox', { name: 'Find' }).fill(`halt ${second?.key}`);
      await page.locator('[data-action][data-selected]', { hasText: `Halt ${second?.key}` }).waitFor();
      const answers = Promise.withResolvers<void>();
      await page.route('**/graphql', async (route) => {
        if (route.request().postData()?.includes('query FlagByKey')) await answers.promise;
        await route.fallback();
      });
      await page.keyboard.press('Enter');
      await page.waitForURL(/halt\.second/);
      await headingOf(page, `${first?.key}`).waitFor({ state: 'detached' });
      assert.is(await page.getByRole('dialog', { name: `Halt ${first?.key}` }).count(), 0);
      answers.resolve();
      await page
        .getByRole('dialog', { name: `Halt ${second?.key} in live` })
        .getByLabel(/^Reason/)
        .waitFor();
      await page.keyboard.press('Escape');
      await page.unrouteAll();
      await page.route('**/graphql', (route) => route.abort());
      await page.evaluate(`history.pushState({}, '', ${JSON.stringify(here.path('flags', `${third?.key}`))})`);
      await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
      assert.is(await page.getByRole('button', { name: 'Halt' }).count(), 0);
      await page.unrouteAll();
      await expectFault('ERR_FAILED');
      assert.equal(faults, []);
      await close();
    },
  );

  another('text typed for one project does not appear in the next: settings, key and search', async () => {
    const next = await buildProject(here.world);
    const { page, faults, settle, goWithin, close } = await here.openTab();
    page.on('dialog', (question) => void question.accept());
    await page.goto(here.path('settings'));
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Meant for the first');
    await switchProject(page, next);
    const itsName = await nameOf(next);
    await until('the form has the name of the next', async () => (await name.inputValue()) === itsName);
    assert.is(await page.getByRole('region', { name: 'Unsaved changes' }).count(), 0);

    await goWithin(here.path('start'));
    await page.getByLabel('Project key for live').fill('sk_live_of_the_first');
    await page.getByText('x-api-key: sk_live_of_the_first').waitFor();
    await switchProject(page, next);
    await page.getByText('x-api-key: YOUR_PROJECT_KEY').waitFor();

    await goWithin(here.path('flags'));
    const search = page.getByLabel('Search flags');
    await search.fill('nothing');
    await page.waitForURL(/q=nothing/);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Flags' }).click();
    await until('the field is empty like the address', async () => (await search.inputValue()) === '');
    await page.goBack();
    await until('the field has its text again', async () => (await search.inputValue()) === 'nothing');
    await switchToTest(page);
    await until('the field is empty in test', async () => (await search.inputValue()) === '');
    await settle();
    assert.equal(faults, []);
    page.removeAllListeners('dialog');
    await close();
  });

  another('a selection in one list does not carry over to another', async () => {
    const crash = { event_id: randomUUID(), level: 'fatal', platform: 'javascript', message: 'It broke' };
    await here.world.live.post('/api/catch/events', crash);
    const { page, faults, goWithin, close } = await here.openTab();
    await page.goto(here.path('crashes'));
    const select = page.getByRole('checkbox', { name: /^Select/ });
    const resolve = page.getByRole('button', { name: 'Resolve 1' });
    await select.check();
    await resolve.waitFor();
    const mine = page.getByRole('switch', { name: 'Assigned to me' });
    await mine.check();
    await resolve.waitFor({ state: 'hidden' });
    await mine.uncheck();
    await select.check();
    await resolve.waitFor();
    await switchToTest(page);
    await resolve.waitFor({ state: 'hidden' });

    const { id } = await buildSubscription(here.world, 'http://127.0.0.1:65530/hook');
    await testWebhook(id);
    await goWithin(here.path('webhooks', id));
    await select.check();
    await page.getByRole('button', { name: 'Replay 1' }).waitFor();
    await page.getByRole('radiogroup', { name: 'Status' }).getByText('delivered').click();
    await page.getByRole('button', { name: 'Replay 1' }).waitFor({ state: 'hidden' });
    await page.getByText('No matching deliveries.').waitFor();
    assert.equal(faults, []);
    await close();
  });

  another('an object is shown only in its own project and environment', async () => {
    const own = await buildProject(here.world);
    await own.live.post('/api/catch/events', {
      ...{ event_id: randomUUID(), level: 'fatal', platform: 'javascript', message: 'It broke here' },
    });
    const issueId = await until('the crash has its issue', async () => {
      const { crashIssues } = await here.world.owner.client.graphql<{ crashIssues: { nodes: { id: string }[] } }>(
        'query($p: ID!) { crashIssues(projectId: $p) { nodes { id } } }',
        { p: own.projectId },
      );
      return crashIssues.nodes[0]?.id;
    });
    const { board, survey } = await here.world.owner.client.graphql<Record<'board' | 'survey', { id: string }>>(
      `mutation($board: CreateBoardInput!, $survey: CreateSurveyInput!) {
        board: createBoard(input: $board) { id }
        survey: createSurvey(input: $survey) { id }
      }`,
      {
        board: { projectId: own.projectId, name: 'Here alone' },
        survey: { projectId: own.projectId, name: 'Here alone', questions: [] },
      },
    );
    const { id: hookId } = await buildSubscription(own, 'http://127.0.0.1:65530/hook');
    const { page, faults, goWithin, close } = await here.openTab();
    await page.goto(`/p/${own.projectId}/live/crashes/${issueId}`);
    await headingOf(page, 'It broke here').waitFor();
    const wrong = [`/p/${own.projectId}/test/crashes/${issueId}`].concat(
      [`crashes/${issueId}`, `boards/${board.id}`, `surveys/${survey.id}`, `webhooks/${hookId}`].map((path) =>
        here.path(path),
      ),
    );
    for (const address of wrong) {
      await goWithin(address);
      await page.getByRole('heading', { name: / not found$/ }).waitFor();
    }
    assert.equal(faults, []);
    await close();
  });
}

another('without a browser: another project of the organization has its own name', async () => {
  assert.is.not(await nameOf(await buildProject(here.world)), await nameOf(here.world));
});

another.run();
