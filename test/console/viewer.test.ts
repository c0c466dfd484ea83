import 'reflect-metadata';
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium, launchChromium } from '../browser/chromium.js';
import { buildMember, buildWorld, type TestUser, type World } from '../support/factories/factories.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { openTab } from './open-tab.js';

const viewers = suite('console: who may only look');

let test: TestApp;
let world: World;
let viewer: TestUser;
let browser: Browser;

viewers.before(async () => {
  test = await openTestApp();
  world = await buildWorld(test);
  viewer = await buildMember(test, world, 'viewer');
  if (hasChromium()) browser = await launchChromium();
});

viewers.after(async () => {
  await browser?.close();
  await test.close();
});

const place = (...rest: string[]) => ['/p', world.projectId, 'live', ...rest].join('/');

if (hasChromium()) {
  viewers('a page that is refused says so below its own title, the one heading of its level', async () => {
    const { page, close } = await openTab(browser, test.baseUrl, { user: viewer });
    for (const path of ['webhooks', 'audit']) {
      await page.goto(place(path));
      await page.getByRole('heading', { name: 'This cannot be shown', level: 2 }).waitFor();
      assert.is(await page.getByRole('heading', { level: 1 }).count(), 1, path);
    }
    await page.goto(place('webhooks', 'none'));
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.is(await page.getByRole('heading', { level: 1 }).count(), 1);
    await close();
  });
}

viewers('somebody who may only look is known where no browser is', () => {
  assert.is(viewer.actor.grantedRole, 'viewer');
});

viewers.run();
