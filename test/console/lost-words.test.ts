import 'reflect-metadata';
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium, launchChromium } from '../browser/chromium.js';
import { buildMember, buildWorld, type World } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { openTab } from './open-tab.js';

const words = suite('console: what was typed is not lost');

let test: TestApp;
let world: World;
let browser: Browser;

words.before(async () => {
  test = await openTestApp();
  world = await buildWorld(test);
  if (hasChromium()) browser = await launchChromium();
});

words.after(async () => {
  await browser?.close();
  await test.close();
});

const place = (...rest: string[]) => ['/p', world.projectId, 'live', ...rest].join('/');

async function flagKeys(): Promise<string[]> {
  const { flags } = await world.owner.client.graphql<{ flags: { nodes: { key: string }[] } }>(
    'query($id: ID!) { flags(projectId: $id, environment: live) { nodes { key } } }',
    { id: world.projectId },
  );
  return flags.nodes.map(({ key }) => key);
}

if (hasChromium()) {
  words('a session that ends under a form is begun again in place, and the form goes on', async () => {
    const { key } = await buildFlag(world, { key: 'long.lunch' });
    const { page, context, faults, expectFault, close } = await openTab(browser, test.baseUrl, { user: world.owner });
    await page.goto(place('flags', key));
    await page.getByLabel('Description').fill('half a sentence');
    await page.getByRole('button', { name: 'Halt' }).click();
    await page.getByLabel(/^Reason/).fill('written before lunch');
    await context.clearCookies();
    await page.getByRole('button', { name: 'Halt now' }).click();
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    await again.waitFor();
    await page.keyboard.press('Escape');
    assert.is(await again.getByLabel('E-mail').inputValue(), world.owner.email);
    await again.getByLabel(/^Password/).fill('not the password');
    await again.getByLabel(/^Password/).press('Enter');
    await again.getByRole('alert').waitFor();
    await again.getByLabel(/^Password/).fill(world.owner.password);
    await again.getByLabel(/^Password/).press('Enter');
    await page.getByText(/^Halted.+everybody gets off/).waitFor();
    await page.getByText('written before lunch').waitFor();
    assert.is(await page.getByLabel('Description').inputValue(), 'half a sentence');
    await expectFault('UNAUTHENTICATED');
    await expectFault('WRONG_CREDENTIALS');
    assert.equal(faults, []);
    await close();
  });

  words('while the line is broken the page and its forms stay, and once it is back they are stored', async () => {
    const { key } = await buildFlag(world, { key: 'in.a.tunnel' });
    const { page, context, close } = await openTab(browser, test.baseUrl, { user: world.owner });
    await page.goto(place('flags', key));
    await page.getByLabel('Description').fill('written in a tunnel');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Save' }).click();
    const told = page.getByRole('status').getByText('The server cannot be reached.');
    await told.waitFor();
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await page.getByRole('heading', { name: key, level: 1 }).waitFor();
    assert.is(await page.getByLabel('Description').inputValue(), 'written in a tunnel');
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await told.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await close();
  });

  words('the way back closes a form, and asks first where words would go; two presses send it once', async () => {
    const { page, faults, close } = await openTab(browser, test.baseUrl, { user: world.owner });
    const asked: string[] = [];
    page.on('dialog', (question) => {
      asked.push(question.message());
      void question.dismiss();
    });
    await page.goto(place('flags'));
    const form = page.getByRole('dialog', { name: 'New flag in live' });
    await page.getByRole('button', { name: 'New flag' }).first().click();
    await form.waitFor();
    await page.goBack();
    await form.waitFor({ state: 'hidden' });
    assert.match(page.url(), /\/flags$/);
    await page.getByRole('button', { name: 'New flag' }).first().click();
    await form.getByLabel(/^Key/).fill('not a key');
    await form.getByRole('button', { name: 'Create flag' }).click();
    await form.getByText(/letters, digits/).waitFor();
    await page.goBack();
    await until('it was asked', () => asked.length === 1);
    await page.keyboard.press('Escape');
    await until('it was asked again', () => asked.length === 2);
    await form.getByLabel(/^Key/).fill('sent.once');
    let sent = 0;
    page.on('request', (request) => {
      if (request.postData()?.includes('mutation CreateFlag')) sent += 1;
    });
    await form.getByRole('button', { name: 'Create flag' }).dblclick();
    await page.getByRole('heading', { name: 'sent.once', level: 1 }).waitFor();
    assert.is(sent, 1);
    assert.ok((await flagKeys()).includes('sent.once'));
    await page.goBack();
    assert.is(await form.count(), 0);
    assert.is(asked.length, 2);
    assert.equal(
      faults.filter((fault) => !fault.includes('letters, digits')),
      [],
    );
    page.removeAllListeners('dialog');
    await close();
  });

  words('Escape closes the question over a form alone; a tab that is left is a step back', async () => {
    const { key } = await buildFlag(world, { key: 'step.back' });
    const { page, faults, close } = await openTab(browser, test.baseUrl, { user: world.owner });
    await page.goto(place('flags', key));
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('tab', { name: 'History', selected: true }).waitFor();
    await page.goBack();
    await page.getByRole('tab', { name: 'Targeting', selected: true }).waitFor();
    await page.goto(place('boards'));
    await page.getByLabel('New board').fill('Board');
    await page.getByRole('button', { name: 'Make board' }).click();
    await page.getByPlaceholder('What is to be done').fill('A ticket');
    await page.getByRole('button', { name: 'Add ticket' }).click();
    await page.getByRole('button', { name: 'A ticket', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Ticket', exact: true });
    await form.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('dialog', { name: 'Delete the ticket?' });
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    await form.getByLabel(/^Title/).waitFor();
    assert.equal(faults, []);
    await close();
  });

  words('the finder does what the page and its row offer, and nothing that the viewer may not', async () => {
    const { key } = await buildFlag(world, { key: 'by.finder' });
    const { page, faults, close } = await openTab(browser, test.baseUrl, { user: world.owner });
    await page.goto(place('flags', key));
    await page.getByRole('button', { name: 'Archive' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Find' }).fill('archive');
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: `Archive ${key}?` });
    await until('the question has the focus', async () =>
      question.getByRole('button', { name: 'Cancel' }).evaluate((element) => element.matches(':focus')),
    );
    await page.keyboard.press('Escape');
    await page.goto(place('flags'));
    await page.getByRole('link', { name: key }).focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Find' }).fill('halt');
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog', { name: `Halt ${key} in live` })
      .getByLabel(/^Reason/)
      .waitFor();
    await close();
    const viewer = await openTab(browser, test.baseUrl, { user: await buildMember(test, world, 'viewer') });
    await viewer.page.goto(place('flags', key));
    await viewer.page.getByRole('button', { name: 'Archive' }).waitFor();
    await viewer.page.keyboard.press('Control+k');
    await viewer.page.locator('[data-action]').getByText('Sign out').waitFor();
    assert.is(await viewer.page.locator('[data-action]').getByText(key).count(), 0);
    assert.equal([...faults, ...viewer.faults], []);
    await viewer.close();
  });
}

words('flags are listed where no browser is', async () => {
  assert.ok(Array.isArray(await flagKeys()));
});

words.run();
