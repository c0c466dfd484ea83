import type { Browser, BrowserContext } from 'playwright-core';
import type { Test } from 'uvu';
import { buildProject, buildWorld, type World } from '../support/factories/factories.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { launchChromium } from './chromium.js';
import { type LibrarySite, openLibrarySite } from './library-site.js';

/** Where the browser library is tested: a server, a site that loads the library, and a browser. */
export interface LibraryPlace {
  test: TestApp;
  /** A new project for each test. */
  world: World;
  site: LibrarySite;
  browser: Browser;
  /** A new device for each test. */
  context: BrowserContext;
}

/** Sets up the place for a suite; it exists while the suite's tests run. */
export function libraryPlace(suite: Test): LibraryPlace {
  const place = {} as LibraryPlace;
  suite.before(async () => {
    place.test = await openTestApp();
    place.world = await buildWorld(place.test);
    place.site = await openLibrarySite();
    place.browser = await launchChromium();
  });
  suite.before.each(async () => {
    place.world = await buildProject(place.world);
    place.context = await place.browser.newContext();
  });
  suite.after.each(() => place.context?.close());
  suite.after(async () => {
    await place.browser?.close();
    await place.site?.close();
    await place.test?.close();
  });
  return place;
}
