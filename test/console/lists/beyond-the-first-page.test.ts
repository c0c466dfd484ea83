import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../../browser/chromium.js';
import { buildCohort } from '../../support/factories/cohort-factory.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { buildSubscription } from '../../support/factories/webhook-factory.js';
import { inConsole, WITH_RECEIVERS } from '../console-place.js';

const beyond = suite('console: what is beyond the first page of a list');
const here = inConsole(beyond, WITH_RECEIVERS);

const FIRST_PAGE = 100;
const numbered = (at: number): string => String(at).padStart(3, '0');

/** Makes one row more than an answer holds. */
async function fill(make: (at: number) => Promise<unknown>): Promise<void> {
  for (let at = 0; at <= FIRST_PAGE; at += 1) await make(at);
}

if (hasChromium()) {
  beyond('the overview counts every flag, stale or served, and every failing webhook', async () => {
    const { test, world, path, openTab } = here;
    await fill((at) => buildFlag(world, { key: `many.${numbered(at)}` }));
    for (let at = 0; at < 7; at += 1) await buildSubscription(world, `http://127.0.0.1:9${numbered(at)}/`, ['*']);
    const { page, faults, settle, close } = await openTab();
    const staleFlags = page.locator('.figure', { hasText: 'Stale flags' });
    await test.app.pool.query(`update flag set created_at = '2020-01-01'`);
    await test.app.pool.query(`update decision_use set last_at = '2020-01-01' where object_id = ''`);
    await test.app.pool.query('update webhook_subscription set failing_since = now()');
    await page.goto(path());
    await staleFlags.getByText('101', { exact: true }).waitFor();
    await staleFlags.getByText('and 100 more').waitFor();
    await page.getByText('And 2 more webhooks are failing').waitFor();
    await world.live.get('/api/v1/handshake?platform=ios');
    await test.app.services.decisionCounter.flush();
    await page.reload();
    await staleFlags.getByText('Nothing to clean up').waitFor();
    await settle();
    const served = await page.getByRole('img', { name: /^Flag evaluations per hour, last day: / }).ariaSnapshot();
    const counts = /day: ([\d, ]+)/.exec(served)?.[1]?.split(', ').map(Number) ?? [];
    assert.is(
      counts.reduce((sum, count) => sum + count, 0),
      FIRST_PAGE + 1,
    );
    assert.equal(faults, []);
    await close();
  });

  beyond('prerequisites and cohorts of rules are found by typing, and each flag offers its own variants', async () => {
    const { world, path, openTab } = here;
    await fill((at) => buildCohort(world, { name: `cohort ${numbered(at)}`, distinctIds: ['user'] }));
    const variants = ['table', 'cards'].map((key) => ({ key, value: key }));
    await buildFlag(world, { key: 'zz.pricing', kind: 'variant', variants, defaultVariant: 'table' });
    const { key } = await buildFlag(world, { key: 'dependent', rules: [] });
    const { page, faults, settle, close } = await openTab();
    await page.goto(path('flags', key));
    const choose = async (at: number, typed: string) => {
      await page.getByRole('button', { name: '+ Flag' }).click();
      await page.getByRole('combobox', { name: `Flag ${at}`, exact: true }).fill(typed);
      await page.getByRole('option', { name: typed }).click();
    };
    const offered = async (at: number) => {
      await page.getByRole('combobox', { name: `Variants of flag ${at}` }).press('ArrowDown');
      const options = page.getByRole('listbox', { name: `Variants of flag ${at}` }).getByRole('option');
      await options.first().waitFor();
      const texts = await options.allInnerTexts();
      await page.keyboard.press('Escape');
      return texts;
    };
    await choose(1, 'zz.pricing');
    await choose(2, `many.${numbered(FIRST_PAGE)}`);
    await settle();
    assert.equal([await offered(1), await offered(2)], [variants.map((variant) => variant.key), ['on', 'off']]);
    await page.getByRole('combobox', { name: 'Variants of flag 1' }).click();
    await page.getByRole('option', { name: 'cards' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Variants of flag 2' }).click();
    await page.getByRole('option', { name: 'on' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '+ Rule' }).click();
    await page.getByRole('button', { name: '+ Condition' }).click();
    await page.getByRole('combobox', { name: 'Attribute' }).fill('cohort');
    await page.getByRole('combobox', { name: 'Values' }).fill(numbered(FIRST_PAGE));
    await page.getByRole('option', { name: `cohort ${numbered(FIRST_PAGE)}` }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.reload();
    await page.getByText(`cohort ${numbered(FIRST_PAGE)}`).waitFor();
    await settle();
    assert.equal(await offered(1), ['table', 'cards'], 'when the page opens, too');
    assert.equal(faults, []);
    await close();
  });

  beyond('boards and cohorts are searched on their pages, and boards by the finder', async () => {
    const { world, path, openTab } = here;
    const { page, faults, settle, close } = await openTab();
    const create = 'mutation($input: CreateBoardInput!) { createBoard(input: $input) { id } }';
    await page.goto(path('boards'));
    await page.getByText('No boards yet.').waitFor();
    assert.is(await page.getByLabel('Search boards').count(), 0, 'there is nothing to search');
    for (let at = 0; at < 11; at += 1)
      await world.owner.client.graphql(create, {
        input: { projectId: world.projectId, name: `board ${numbered(at)}` },
      });
    await page.getByLabel('Search boards').fill('010');
    await page.getByRole('link', { name: 'board 000' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'board 010' }).waitFor();
    await page.getByLabel('Search boards').fill('nowhere');
    await page.getByText('No boards with “nowhere” in their names.').waitFor();
    await page.goto(path('events', 'cohorts'));
    await page.getByLabel('Search cohorts').fill(numbered(FIRST_PAGE));
    await page.getByText('1 row', { exact: true }).waitFor();
    await page.getByText(`cohort ${numbered(FIRST_PAGE)}`).waitFor();
    await page.getByLabel('Search cohorts').fill('nowhere');
    await page.getByText('No matching cohorts').waitFor();
    await settle();
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Find' }).fill('board 007');
    await page.getByRole('button', { name: 'board 007' }).click();
    await page.getByRole('heading', { name: 'board 007', level: 1 }).waitFor();
    assert.equal(faults, []);
    await close();
  });
}

beyond.run();
