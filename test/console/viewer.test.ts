import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../browser/chromium.js';
import { buildConfigItem } from '../support/factories/config-factory.js';
import { buildMember, type TestUser } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { buildSurvey } from '../support/factories/survey-factory.js';
import { until } from '../support/until.js';
import { inConsole } from './console-place.js';

const viewers = suite('console: who may only look');

/** Fields that can be typed in or ticked. */
const TYPED = 'input:not([type=radio], [type=hidden], :disabled, [readonly]), textarea:not(:disabled, [readonly])';

const NAMES = `[...document.querySelectorAll('#page :is(${TYPED})')].map((field) => field.ariaLabel ?? field.labels[0]?.textContent)`;

let viewer: TestUser;

const here = inConsole(viewers);
viewers.before(async () => {
  viewer = await buildMember(here.test, here.world, 'viewer');
});

if (hasChromium()) {
  viewers('a refused page says so below its own title, its only level-one heading', async () => {
    const { page, goWithin, close } = await here.openTab({ user: viewer });
    await page.goto(here.path('flags'));
    await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor();
    for (const path of ['webhooks', 'audit']) {
      await goWithin(here.path(path));
      await page.getByRole('heading', { name: 'Not with your role', level: 2 }).waitFor();
      assert.is(await page.getByRole('heading', { level: 1 }).count(), 1, path);
    }
    await goWithin(here.path('webhooks', 'none'));
    assert.is(await page.getByRole('heading', { level: 1 }).count(), 1);
    await close();
  });

  viewers('a form that the viewer may not use is disabled or absent, and says who may use it', async () => {
    const { projectId, owner } = here.world;
    const { key } = await buildFlag(here.world);
    const item = await buildConfigItem(here.world, {});
    const survey = await buildSurvey(here.world, {});
    const { createBoard: board } = await owner.client.graphql<{ createBoard: { id: string } }>(
      'mutation($input: CreateBoardInput!) { createBoard(input: $input) { id } }',
      { input: { projectId, name: 'Board' } },
    );
    const { page, faults, settle, goWithin, close } = await here.openTab({ user: viewer });
    await page.goto(here.path('flags'));
    await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor();
    await settle();
    // Pages of one kind never follow each other.
    const pages = {
      boards: ['create boards'],
      crashes: ['resolve and merge crashes'],
      [`boards/${board.id}`]: ['add and move tickets', 'create rules', 'rename the board'],
      'crashes/symbols': ['send symbol files'],
      settings: ['change the project'],
      'crashes/alerts': ['change the sample rate'],
      [`flags/${key}`]: ['change the flag'],
      'settings?tab=members': ['add members and give them roles'],
      [`config/${item.key}`]: ['change the item'],
      [`surveys/${survey.id}?tab=questions`]: ['change the survey'],
    };
    /** Nothing typed there is stored. */
    const searches: Readonly<Record<string, string[]>> = {
      [`boards/${board.id}`]: ['Search tickets'],
      crashes: ['Search issues', 'Assigned to me'],
    };
    for (const [path, refused] of Object.entries(pages)) {
      await goWithin(here.path(path));
      for (const what of refused)
        await page
          .getByText(new RegExp(`dmins and owners can ${what}. Your role (?:here|in the organization) is viewer.`))
          .waitFor();
      const open = await page.evaluate(NAMES);
      assert.equal(open, searches[path] ?? [], path);
    }
    assert.equal(faults, []);
    await close();
  });

  viewers("a project's own role decides and is named there, and the organization's for members", async () => {
    const { projectId, owner } = here.world;
    const { key } = await buildFlag(here.world);
    const member = await buildMember(here.test, here.world, 'admin');
    const changeRole = (input: object) =>
      owner.client.graphql('mutation($input: ChangeMemberRoleInput!) { changeMemberRole(input: $input) { id } }', {
        input,
      });
    await changeRole({ userId: member.id, projectId, role: 'owner' });
    const { page, faults, goWithin, close } = await here.openTab({ user: member });
    const choicesOf = async (label: string): Promise<string[]> => {
      await page.getByRole('combobox', { name: label, exact: true }).click();
      const choices = await page.getByRole('option').allTextContents();
      await page.keyboard.press('Escape');
      return choices;
    };
    await page.goto(here.path('settings?tab=tokens'));
    assert.equal(await choicesOf('Role'), ['Viewer', 'Editor', 'Admin', 'Owner']);
    await changeRole({ userId: member.id, projectId, role: 'viewer' });
    await until('the page offers what their new role may give', async () => (await choicesOf('Role')).length === 1);
    await page.getByLabel('This project only').uncheck();
    assert.equal(await choicesOf('Role'), ['Viewer', 'Editor', 'Admin']);
    await goWithin(here.path('flags', key));
    await page.getByText('admins and owners can change the flag. Your role here is viewer.').waitFor();
    await page.getByRole('button', { name: 'Halt', description: /^Your role here \(viewer\)/ }).waitFor();

    await goWithin(here.path('settings?tab=members'));
    assert.equal(await choicesOf('Role of the new member'), ['Viewer', 'Editor', 'Admin']);
    assert.is(await page.getByRole('combobox', { name: `Role of ${owner.email}`, exact: true }).isDisabled(), true);
    const above = /^You can't change a role above your own/;
    for (const action of ['Remove', 'Reset password'])
      await page
        .getByRole('row', { name: owner.email })
        .getByRole('button', { name: action, description: above })
        .waitFor();
    await changeRole({ userId: member.id, role: 'editor' });
    await page.getByText('Your role in the organization is editor.').waitFor();
    assert.equal(faults, []);
    await close();
  });
}

viewers('without a browser: a read-only member is known', () => {
  assert.is(viewer.actor.grantedRole, 'viewer');
});

viewers.run();
