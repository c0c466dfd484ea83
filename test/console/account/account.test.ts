import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../../browser/chromium.js';
import { Client } from '../../support/client.js';
import { buildMember, buildWorld } from '../../support/factories/factories.js';
import { inConsole } from '../console-place.js';

const account = suite('console: the account');
const here = inConsole(account);
account.before.each(async () => {
  here.world = await buildWorld(here.test);
});

if (hasChromium()) {
  account('changing the password requires the current one and ends the other sessions', async () => {
    const { page, faults, expectFault, close } = await here.openTab();
    const { email, password } = here.world.owner;
    const chosen = 'eleven pipers piping';
    const signIn = (tried: string) =>
      new Client(here.test.baseUrl).post('/graphql', {
        query: 'mutation($input: SignInInput!) { signIn(input: $input) { token } }',
        variables: { input: { email, password: tried } },
      });
    const elsewhere = (await signIn(password)).body as { data: { signIn: { token: string } } };
    await page.goto(`/p/${here.world.projectId}/live`);
    await page.getByRole('button', { name: 'Account and appearance' }).click();
    await page.getByRole('menuitem', { name: 'Change password…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change password' });
    const current = dialog.getByLabel('Current password');
    await current.fill('not this one');
    await dialog.getByLabel('New password').fill(chosen);
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await dialog.getByText('The current password is wrong. Try again.').waitFor();
    await expectFault('WRONG_PASSWORD');
    await current.fill(password);
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed. Your other sessions have been signed out.').waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await page.reload();
    await page.getByRole('button', { name: 'Account and appearance' }).waitFor();
    assert.match((await signIn(password)).text, /WRONG_CREDENTIALS/);
    assert.match((await signIn(chosen)).text, /"token"/);
    const ended = await new Client(here.test.baseUrl)
      .withToken(elsewhere.data.signIn.token)
      .post('/graphql', { query: '{ me { id } }' });
    assert.match(ended.text, /UNAUTHENTICATED/);
    assert.equal(faults, []);
    await close();
  });

  account('a user switches between their organizations, and signs in again after the session there ends', async () => {
    const { page, context, faults, expectFault, close } = await here.openTab();
    const first = `/p/${here.world.projectId}/live`;
    await page.goto(first);
    const menu = page.getByRole('button', { name: 'Account and appearance' });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Organizations…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('You are here').waitFor();
    await dialog.getByRole('button', { name: 'Rename ' }).click();
    const renaming = page.getByRole('dialog', { name: 'Rename ' });
    await renaming.getByLabel('Name').fill('   ');
    await renaming.getByRole('button', { name: 'Save' }).click();
    await renaming.getByText('name must have 1 to 200 characters, not only spaces').waitFor();
    await expectFault('not only spaces');
    await renaming.getByLabel('Name').fill('First <house>');
    await renaming.getByRole('button', { name: 'Save' }).click();
    await renaming.waitFor({ state: 'hidden' });
    await dialog.getByText('First <house>', { exact: true }).waitFor();
    await dialog.getByLabel('New organization').fill('Second <house>');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('dialog', { name: 'Switch to Second <house>' }).waitFor();
    await dialog.getByRole('button', { name: 'Back to the list' }).click();
    await dialog.getByRole('button', { name: 'Switch to Second <house>' }).click();
    await dialog.getByLabel(/^Password/).fill('wrong horse battery');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByRole('alert').waitFor();
    await expectFault('WRONG_CREDENTIALS');
    await dialog.getByLabel(/^Password/).fill(here.world.owner.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor();
    await page.getByLabel('Project name').fill('Of the second');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByText('Of the second').first().waitFor();
    await menu.click();
    await page.getByRole('menu').getByText('Second <house>, Owner').waitFor();
    await page.keyboard.press('Escape');
    await context.clearCookies();
    // A request of the page's own may have noticed it first, and then the dialog is in front of the link.
    await page.getByRole('link', { name: 'Settings' }).dispatchEvent('click');
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    await again.getByLabel(/^Password/).fill(here.world.owner.password);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.waitFor({ state: 'hidden' });
    await page.getByLabel('Name', { exact: true }).waitFor();
    assert.is(await page.getByLabel('Name', { exact: true }).inputValue(), 'Of the second');
    await expectFault('UNAUTHENTICATED');
    await page.goto(first);
    await page.getByText('Project not found').waitFor();
    assert.match(await page.title(), 'Project not found');
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    await page.locator('main:focus').waitFor();
    await expectFault('NOT_FOUND');
    assert.equal(faults, []);
    await close();
  });

  account('a user who forgot their password gets a new one from an admin and chooses another', async () => {
    const admin = await buildMember(here.test, here.world, 'admin');
    const member = await buildMember(here.test, here.world, 'editor');
    const { page, faults, expectFault, close } = await here.openTab({ user: admin });
    await page.goto(`/p/${here.world.projectId}/live/settings?tab=members`);
    const resetOf = (email: string) =>
      page.getByRole('row', { name: email }).getByRole('button', { name: 'Reset password' });
    assert.is(await resetOf(admin.email).getAttribute('aria-disabled'), 'true', 'their own');
    const ofOwner = await resetOf(here.world.owner.email).getAttribute('aria-description');
    assert.is(ofOwner, "You can't change a role above your own. Ask an owner.");
    const asking = page.getByRole('dialog', { name: /^Reset password for / });
    await resetOf(member.email).click();
    await asking.getByText('Their sessions in this organization end immediately').waitFor();
    await asking.getByRole('button', { name: 'Reset password' }).click();
    const shown = page.getByRole('dialog', { name: `Temporary password for ${member.email}` });
    await shown.getByText('API tokens of theirs that still work: 1.').waitFor();
    const temporary = await shown.locator('pre').textContent();
    await shown.getByRole('button', { name: "I've saved it" }).click();

    await page.context().clearCookies();
    await page.goto('/sign-in');
    await page.getByText('Forgot your password?').waitFor();
    await page.getByLabel('Email').fill(member.email);
    await page.getByLabel(/^Password/).fill(temporary ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('New password').waitFor();
    // Leaving and coming back leads to the same form.
    await page.goto(`/p/${here.world.projectId}/live`);
    await page.waitForURL(/\/sign-in/);
    await expectFault('PASSWORD_CHANGE_REQUIRED');
    await page.getByLabel('Email').fill(member.email);
    await page.getByLabel(/^Password/).fill(temporary ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('New password').fill('chosen by themselves');
    await page.getByRole('button', { name: 'Change password and continue' }).click();
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    assert.equal(faults, []);
    await close();
  });
}

account.run();
