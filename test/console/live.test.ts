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

const live = suite('console: live updates');

let test: TestApp;
let world: World;
let browser: Browser;

live.before(async () => {
  test = await openTestApp();
  world = await buildWorld(test);
  if (hasChromium()) browser = await launchChromium();
});

live.after(async () => {
  await browser?.close();
  await test.close();
});

const place = (...rest: string[]) => ['/p', world.projectId, 'live', ...rest].join('/');

const openStreams = async (): Promise<number> =>
  Number(/streams_open\{kind="graphql"\} (\d+)/.exec(await test.app.parts.metrics.text())?.[1] ?? 0);

if (hasChromium()) {
  live('what one browser changes, another one shows, on a page and in a list, by one stream a tab', async () => {
    const { id, key } = await buildFlag(world, { key: 'seen.by.both' });
    const viewer = await buildMember(test, world, 'viewer');
    const editing = await openTab(browser, test.baseUrl, { user: world.owner });
    const listing = await openTab(browser, test.baseUrl, { user: viewer });
    const reading = await listing.context.newPage();
    await editing.page.goto(place('flags', key));
    await listing.page.goto(place('flags'));
    await reading.goto(place('flags', key));
    await reading.getByRole('heading', { name: key, level: 1 }).waitFor();
    await until('three streams', async () => (await openStreams()) === 3);
    await editing.page.getByRole('button', { name: 'Halt' }).click();
    await editing.page.getByLabel(/^Reason/).fill('error rate above 5 %');
    await editing.page.keyboard.press('Control+Enter');
    await reading.getByText('error rate above 5 %').waitFor();
    await listing.page.getByRole('row', { name: key }).getByText('Halted', { exact: true }).waitFor();
    await world.owner.client.graphql('mutation($input: ResumeFlagInput!) { resumeFlag(input: $input) { id } }', {
      input: { flagId: id },
    });
    await reading.getByText('error rate above 5 %').waitFor({ state: 'hidden' });
    await buildFlag(world, { key: 'new.one' });
    await listing.page.getByRole('link', { name: 'new.one' }).waitFor();
    assert.equal([...editing.faults, ...listing.faults], []);
    await editing.page.getByRole('button', { name: 'Account and appearance' }).click();
    await editing.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await editing.page.waitForURL(/\/sign-in/);
    await until('the stream ends with the session', async () => (await openStreams()) === 2);
    await editing.context.close();
    await listing.context.close();
    await until('streams end with their tabs', async () => (await openStreams()) === 0);
  });
}

live('nobody listens where nobody looks', async () => {
  assert.is(await openStreams(), 0);
});

live.run();
