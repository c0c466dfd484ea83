import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../../browser/chromium.js';
import { buildMember } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { buildSurvey } from '../../support/factories/survey-factory.js';
import { until } from '../../support/until.js';
import { inConsole } from '../console-place.js';

const keyboard = suite('console: the focus, long titles, and what a chart and an address say');
const here = inConsole(keyboard);

/** As long as a flag key may be, without a place to break it. */
const LONG_KEY = 'k'.repeat(200);
const LONG_NAME = `What do you think ${'of the new checkout, '.repeat(8)}?`;

const focused = (page: Page): Promise<string> =>
  page.evaluate(`{
    const { tagName, labels, textContent } = document.activeElement;
    [tagName, labels?.[0]?.textContent ?? textContent].join(' ').slice(0, 60).replace(/ \\*$/, '');
  }`);

const untilFocused = (page: Page, what: string): Promise<unknown> =>
  until(`the focus is on ${what}`, async () => (await focused(page)) === what);

if (hasChromium()) {
  keyboard(
    'navigating to a page focuses its heading, however one gets there; a loaded page starts at its top',
    async () => {
      const { key } = await buildFlag(here.world, { key: 'first.flag', prerequisites: [] });
      const { page, faults, settle, close } = await here.openTab();
      await page.goto(here.path());
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settle();
      await page.keyboard.press('Tab');
      await untilFocused(page, 'A Skip to content');
      const [address, steps] = [page.url(), await page.evaluate('history.length')];
      await page.keyboard.press('Enter');
      await until('the page has the focus', async () => (await page.evaluate('document.activeElement.id')) === 'page');
      assert.equal([page.url(), await page.evaluate('history.length')], [address, steps]);
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Flags' }).press('Enter');
      await untilFocused(page, 'H1 Flags');
      await page.getByRole('table').getByRole('link', { name: key }).press('Enter');
      await untilFocused(page, `H1 ${key}`);
      await page.keyboard.press('Tab');
      await untilFocused(page, 'BUTTON Halt');
      await page.goBack();
      await untilFocused(page, 'H1 Flags');
      await page.keyboard.press('g');
      await page.keyboard.press('c');
      await untilFocused(page, 'H1 Config');
      await page.keyboard.press('Control+k');
      await page.getByRole('textbox', { name: 'Find' }).fill('surveys');
      await page.getByRole('dialog').getByText('Surveys', { exact: true }).last().waitFor();
      await page.keyboard.press('Enter');
      await untilFocused(page, 'H1 Surveys');
      await page.evaluate(`history.pushState({}, '', ${JSON.stringify(here.path('flags', 'not.there'))})`);
      await untilFocused(page, 'H1 Flag not found');
      assert.equal(
        faults.filter((fault) => !fault.includes('NOT_FOUND')),
        [],
      );
      await close();
    },
  );

  keyboard('typing while a page loads, or changing its filters, keeps the focus in the field', async () => {
    const { page, faults, settle, goWithin, close } = await here.openTab();
    await page.goto(here.path('config'));
    await page.getByRole('heading', { name: 'Config', level: 1 }).waitFor();
    await settle();
    const answers = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      await answers.promise;
      await route.fallback();
    });
    await page.evaluate(`history.pushState({}, '', ${JSON.stringify(here.path('surveys', 'psv_none'))})`);
    await page.getByRole('button', { name: /^Find/ }).press('Enter');
    await page.getByRole('textbox', { name: 'Find' }).fill('x');
    answers.resolve();
    await page.getByRole('heading', { name: 'Survey not found', level: 1, includeHidden: true }).waitFor();
    assert.match(await focused(page), /^INPUT/);
    await page.keyboard.press('Escape');
    await page.unrouteAll();
    await goWithin(here.path('flags'));
    await page.getByLabel('Search flags').fill('first');
    await page.waitForURL(/q=first/);
    await settle();
    assert.match(await focused(page), /^INPUT/);
    assert.equal(
      faults.filter((fault) => !fault.includes('NOT_FOUND')),
      [],
    );
    await close();
  });

  keyboard('a sign-in form has the focus, also after the session ended and for a new password', async () => {
    const user = await buildMember(here.test, here.world, 'editor');
    const { key } = await buildFlag(here.world);
    const { page, context, settle, close } = await here.openTab({ user });
    await page.goto(here.path('flags', key));
    await page.getByLabel('Description').fill('typed before the end');
    await settle();
    await context.clearCookies();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await untilFocused(page, 'INPUT Password');
    await page.goto('/sign-in');
    await untilFocused(page, 'INPUT Email');
    const { addMember } = await here.world.owner.client.graphql<{ addMember: { temporaryPassword: string } }>(
      'mutation($input: AddMemberInput!) { addMember(input: $input) { temporaryPassword } }',
      { input: { email: 'newcomer@example.com', role: 'viewer' } },
    );
    await page.keyboard.type('newcomer@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.type(addMember.temporaryPassword);
    await page.keyboard.press('Enter');
    await untilFocused(page, 'INPUT New password');
    await close();
  });

  keyboard('a title longer than three lines can be read in full on a phone', async () => {
    await buildFlag(here.world, { key: LONG_KEY });
    const survey = await buildSurvey(here.world, { name: LONG_NAME.slice(0, 200) });
    const { page, faults, goWithin, close } = await here.openTab({ width: 375 });
    await page.goto(here.path('flags'));
    for (const path of [`flags/${LONG_KEY}`, `surveys/${survey.id}`]) {
      await goWithin(here.path(path));
      const heading = page.getByRole('heading', { level: 1 });
      const hidden = () => heading.evaluate((shown) => shown.scrollHeight - shown.clientHeight);
      const more = page.getByRole('button', { name: 'Show full title' });
      await more.waitFor();
      assert.ok((await hidden()) > 0);
      await more.click();
      await until('the full title is there', async () => (await hidden()) <= 0);
      await page.getByRole('button', { name: 'Show less' }).click();
      await more.waitFor();
    }
    await page.setViewportSize({ width: 1400, height: 900 });
    await page.getByRole('button', { name: 'Show full title' }).waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 375, height: 812 });
    assert.equal(faults, []);
    await close();
  });
  keyboard(
    'a dialog focuses the field that is refused and keeps the focus while unanswered, and the page beneath gets none',
    async () => {
      const { page, expectFault, settle, close } = await here.openTab();
      await buildFlag(here.world, { key: 'taken.already' });
      await page.goto(here.path('flags'));
      await page.getByRole('button', { name: 'New flag' }).first().click();
      await page.getByLabel(/^Key/).fill('taken.already');
      assert.is(
        await page.getByRole('dialog').getAttribute('aria-describedby'),
        null,
        'its fields describe themselves',
      );
      const create = page.getByRole('dialog').getByRole('button', { name: 'Create flag' });
      await create.press('Enter');
      await expectFault('"errors"');
      await untilFocused(page, 'INPUT Key');
      await page.keyboard.press('Tab');
      assert.ok(await page.evaluate(`document.activeElement.closest('[role=dialog]') !== null`));
      const answers = Promise.withResolvers<void>();
      await page.route('**/graphql', async (route) => {
        await answers.promise;
        await route.abort();
      });
      await create.press('Enter');
      await until('it is sent', () => create.isDisabled());
      for (let press = 0; press < 8; press += 1) {
        await page.keyboard.press('Tab');
        assert.ok(
          await page.evaluate(`document.activeElement.closest('[role=dialog]') !== null`),
          `after ${press + 1}`,
        );
      }
      answers.resolve();
      await page.getByRole('alert').getByText('reach the server').waitFor();
      assert.is(await page.getByLabel(/^Key/).inputValue(), 'taken.already');
      await page.unrouteAll();
      await settle();
      page.once('dialog', (question) => void question.accept());
      await page.keyboard.press('Escape');
      await untilFocused(page, 'BUTTON New flag');
      await close();
    },
  );

  keyboard(
    'a confirmation stays open if it fails and gives the focus back, and dialogs say how they close',
    async () => {
      const { key } = await buildFlag(here.world);
      const { page, faults, expectFault, settle, close } = await here.openTab();
      await page.goto(here.path('flags', key));
      await settle();
      for (const _ of ['as it opens for the first time', 'again']) {
        await page.getByRole('button', { name: 'Archive' }).press('Enter');
        await untilFocused(page, 'BUTTON Cancel');
        await page.keyboard.press('Escape');
        await untilFocused(page, 'BUTTON Archive');
      }
      await page.getByRole('button', { name: 'Archive' }).press('Enter');
      const dialog = page.getByRole('dialog', { name: `Archive ${key}` });
      await page.route('**/graphql', (route) => route.abort());
      await dialog.getByRole('button', { name: 'Archive' }).press('Enter');
      await dialog.getByRole('alert').getByText("Can't reach the server.").waitFor();
      await expectFault('ERR_FAILED');
      await page.unrouteAll();
      await dialog.getByRole('button', { name: 'Close' }).press('Enter');
      await untilFocused(page, 'BUTTON Archive');
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Find', exact: true }).waitFor();
      assert.equal(faults, []);
      await close();
    },
  );

  keyboard('the arrow keys move along tabs that are pages, and Enter opens one, which the browser names', async () => {
    const { page, settle, close } = await here.openTab();
    await page.goto(here.path('crashes'));
    await settle();
    await page.getByRole('tab', { name: 'Issues' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await untilFocused(page, 'BUTTON Profiles');
    assert.match(page.url(), /crashes$/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/crashes\/profiles$/);
    await until('the title names the tab', async () => (await page.title()).startsWith('Profiles · Crashes · '));
    await close();
  });

  keyboard('page shortcuts do nothing while a dialog is open, wherever the focus is', async () => {
    const { key } = await buildFlag(here.world);
    const { page, faults, settle, close } = await here.openTab();
    await page.goto(here.path('flags', key));
    await page.getByRole('button', { name: 'Halt', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.evaluate('document.activeElement.blur()');
    const goToConfig = async () => {
      // Real key presses would go to the dialog, because it has the focus.
      await page.evaluate(`for (const key of 'gc')
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))`);
      await settle();
    };
    await goToConfig();
    assert.match(page.url(), /\/flags\//);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await goToConfig();
    await untilFocused(page, 'H1 Config');
    assert.equal(faults, []);
    await close();
  });

  keyboard(
    'saving focuses the message that it is saved, and a button that has done its work keeps the focus',
    async () => {
      const { key } = await buildFlag(here.world, { rules: [{ variant: 'on', percentage: 10 }, { variant: 'on' }] });
      const tab = await here.openTab();
      const { page, faults, expectFault, settle, goWithin, close } = tab;
      await page.goto(here.path('flags', key));
      const up = page.getByRole('button', { name: /Move rule \d up/ });
      await up.last().press('Enter');
      await page.getByRole('region', { name: 'Unsaved changes' }).waitFor();
      await up.first().and(page.locator(':focus')).waitFor();
      for (const [button, words] of [
        ['Discard', 'Changes discarded.'],
        ['Save', 'Saved.'],
      ]) {
        await page.getByLabel('Description').fill(`then ${button}`);
        await page.getByRole('button', { name: button, exact: true }).press('Enter');
        await untilFocused(page, `DIV ${words}`);
      }
      await page.getByLabel('Description').focus();
      await page.getByText('Saved.').waitFor({ state: 'hidden' });
      await goWithin(here.path('boards'));
      await page.getByLabel('New board').fill('Focus');
      await page.keyboard.press('Enter');
      await page.getByLabel('New ticket').fill('One');
      await page.getByRole('button', { name: 'Add ticket' }).press('Enter');
      await page.getByRole('button', { name: 'One', exact: true }).waitFor();
      await settle();
      await untilFocused(page, 'BUTTON Add ticket');
      await page.route('**/graphql', (route) => route.abort());
      await page.getByRole('button', { name: 'Rename' }).press('Enter');
      await page.getByText("That didn't work").waitFor();
      await untilFocused(page, 'BUTTON Rename');
      await page.unrouteAll();
      await expectFault('ERR_FAILED');
      assert.equal(faults, []);
      await close();
    },
  );

  keyboard("when the pressed button disappears, its table or the page's heading gets the focus", async () => {
    const { key } = await buildFlag(here.world);
    const { page, faults, settle, goWithin, close } = await here.openTab();
    await page.goto(here.path('flags', key));
    await page.getByRole('button', { name: 'Archive' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).press('Enter');
    await page.getByRole('button', { name: 'Unarchive' }).waitFor();
    await untilFocused(page, `H1 ${key}`);
    await page.getByRole('button', { name: 'Unarchive' }).press('Enter');
    await page.getByRole('button', { name: 'Archive', exact: true }).waitFor();
    await untilFocused(page, `H1 ${key}`);
    await goWithin(here.path('flags'));
    await page.getByRole('button', { name: `Halt ${key}` }).press('Enter');
    await page
      .getByRole('dialog')
      .getByLabel(/^Reason/)
      .fill('broken');
    await page.getByRole('dialog').getByRole('button', { name: 'Halt' }).press('Enter');
    await page.getByRole('button', { name: `Halt ${key}` }).waitFor({ state: 'hidden' });
    await settle();
    await until('the table has the focus', () => page.getByRole('table').evaluate((shown) => shown.matches(':focus')));
    assert.equal(faults, []);
    await close();
  });

  keyboard("the period of a flag's usage chart stays in its address", async () => {
    const { key } = await buildFlag(here.world);
    const { page, faults, settle, close } = await here.openTab();
    await page.goto(here.path('flags', key));
    await page.getByText('7 days').click();
    await page.waitForURL(/span=week/);
    await settle();
    await page.reload();
    assert.ok(await page.getByRole('radio', { name: '7 days' }).isChecked());
    assert.equal(faults, []);
    await close();
  });

  keyboard('exact times can be switched on by keyboard, and stay on until switched off', async () => {
    const { key } = await buildFlag(here.world);
    const { page, faults, settle, close } = await here.openTab();
    await page.goto(here.path('flags'));
    const row = page.getByRole('row').filter({ hasText: key });
    await row.locator('time').waitFor();
    await settle();
    assert.not.match((await row.locator('time').textContent()) ?? '', /UTC/);
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Find' }).fill('exact');
    await page.locator('[data-action]').getByText('Show exact times').waitFor();
    await page.keyboard.press('Enter');
    const exact = row.locator('time').getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\sUTC$/);
    await exact.waitFor();
    await page.reload();
    await exact.waitFor();
    const clipped = await exact.evaluate((shown) => shown.scrollHeight > 38 || shown.scrollWidth > shown.clientWidth);
    assert.is(clipped, false);
    await page.getByRole('button', { name: 'Account and appearance' }).press('Enter');
    await page.getByRole('menuitemcheckbox', { name: 'Exact times (UTC)', checked: true }).press('Enter');
    await exact.waitFor({ state: 'hidden' });
    assert.equal(faults, []);
    await close();
  });

  keyboard('a chart states the time zone of its days and hours, once', async () => {
    const sent = await here.world.live.post('/api/v1/track', { event_name: 'charted', distinct_id: 'u-1' });
    assert.is(sent.status, 200, sent.text);
    const { page, faults, goWithin, close } = await here.openTab();
    await page.goto(here.path());
    for (const path of ['', 'events']) {
      if (path) await goWithin(here.path(path));
      await page.locator('.chart').first().getByText('UTC', { exact: true }).waitFor();
      assert.is(
        await page
          .getByRole('region')
          .filter({ has: page.locator('.chart') })
          .getByText('UTC')
          .count(),
        1,
      );
    }
    assert.equal(faults, []);
    await close();
  });
}

keyboard('without a browser: a key of 200 characters is accepted', async () => {
  const { key } = await buildFlag(here.world, { key: LONG_KEY.replace('k', 'n') });
  assert.is(key.length, 200);
});

keyboard.run();
