import type { Browser } from 'playwright-core';
import type { Test } from 'uvu';
import { hasChromium, launchChromium } from '../browser/chromium.js';
import { buildWorld, type World } from '../support/factories/factories.js';
import { openTestApp, type TestApp, type TestAppOptions } from '../support/test-app.js';

/** Where the console is tested: a server, an organization with a project, and a browser. */
export interface ConsolePlace {
  test: TestApp;
  world: World;
  /** Not there where the machine has none. */
  browser: Browser;
}

/** Settings with which receivers on this machine are told of events. */
export const WITH_RECEIVERS: TestAppOptions = {
  worker: true,
  settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
};

/** Opens the place of a suite before its first test, hands it out, and closes it after the last. */
export function inConsole(
  suite: Test,
  take: (place: ConsolePlace) => void | Promise<void>,
  options: TestAppOptions = {},
): void {
  const place = {} as ConsolePlace;
  suite.before(async () => {
    place.test = await openTestApp(options);
    place.world = await buildWorld(place.test);
    if (hasChromium()) place.browser = await launchChromium();
    await take(place);
  });
  suite.after(async () => {
    await place.browser?.close();
    await place.test?.close();
  });
}
