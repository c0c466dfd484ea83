import type { Locator, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../../browser/chromium.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { inConsole } from '../console-place.js';

const touch = suite('console: on a phone, before its script is there, and after the finder');
const here = inConsole(touch);

const THUMB = 44;

/** A phone's page, with the session of another tab. */
async function onPhone(): Promise<{ page: Page; close(): Promise<void> }> {
  const tab = await here.openTab();
  const context = await here.browser.newContext({
    baseURL: here.publicUrl,
    storageState: await tab.context.storageState(),
    viewport: { width: 375, height: 812 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const close = async () => {
    await context.close();
    await tab.close();
  };
  return { page, close };
}

/** How many pixels above and below the middle of a button still press it. */
const heightOf = (button: Locator): Promise<number> =>
  button.evaluate(`(element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const isHit = (y) => element.contains(document.elementFromPoint(left + width / 2, y));
    const middle = top + height / 2;
    let [above, below] = [0, 0];
    while (isHit(middle - above - 1)) above += 1;
    while (isHit(middle + below + 1)) below += 1;
    return above + below + 1;
  }`);

if (hasChromium()) {
  touch('from the first page to a halted flag, whatever is pressed has room for a thumb', async () => {
    const { key } = await buildFlag(here.world, { key: 'night.flag' });
    const { page, close } = await onPhone();
    const pressed: [string, number][] = [];
    const press = async (name: string, button: Locator) => {
      await button.waitFor();
      pressed.push([name, await heightOf(button)]);
      await button.tap();
    };
    await page.goto(here.path());
    await press('navigation', page.getByRole('button', { name: 'Navigation' }));
    await press('page', page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Flags' }));
    await press('row action', page.getByRole('button', { name: `Halt ${key}` }));
    await press('cancel', page.getByRole('dialog').getByRole('button', { name: 'Cancel' }));
    await press('find', page.getByRole('button', { name: 'Find' }));
    await page.getByRole('textbox', { name: 'Find' }).fill(`halt ${key}`);
    await press('found', page.getByRole('dialog', { name: 'Find' }).getByRole('button', { name: `Halt ${key}` }));
    await page.getByLabel(/^Reason/).fill('error rate');
    await press('evidence', page.getByLabel('Evidence'));
    await press('halt', page.getByRole('dialog').getByRole('button', { name: 'Halt now' }));
    await page.getByText(/^Halted /).waitFor();
    await press('tab', page.getByRole('tab', { name: 'History' }));
    await page.getByRole('main').getByRole('link', { name: 'Audit' }).tap();
    await press('entry', page.locator('summary').first());
    await page.getByText('error rate').first().waitFor();
    assert.equal(
      pressed.filter(([, height]) => height < THUMB),
      [],
    );
    await close();
  });

  touch('until its script is there, the page says that it loads', async () => {
    const { page, close } = await here.openTab();
    const script = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await script.promise;
      await route.fallback();
    });
    await page.goto(here.path(), { waitUntil: 'commit' });
    await page.getByRole('status').getByText('Loading…').waitFor();
    script.resolve();
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.is(await page.getByText('Loading…').count(), 0);
    await close();
  });

  touch('a form that the finder opened leaves the focus on the page when it is closed', async () => {
    const { page, faults, settle, close } = await here.openTab();
    await page.goto(here.path('flags'));
    await settle();
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Find' }).fill('create config item');
    await page.getByRole('button', { name: 'Create config item in live' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New config item in live' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Config', level: 1 }).and(page.locator(':focus')).waitFor();
    assert.equal(faults, []);
    await close();
  });
}

touch.run();
