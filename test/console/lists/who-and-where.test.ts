import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../../browser/chromium.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { buildSurvey } from '../../support/factories/survey-factory.js';
import { buildSubscription } from '../../support/factories/webhook-factory.js';
import { inConsole, WITH_RECEIVERS } from '../console-place.js';

const changes = suite('console: who did it, where it is, and why it failed');
const here = inConsole(changes, WITH_RECEIVERS);

if (hasChromium()) {
  changes(
    'a halt by a key says so on the flag and in its history, and the lists of changes lead to the flag',
    async () => {
      const { key } = await buildFlag(here.world);
      const needs = await buildFlag(here.world, { prerequisites: [{ key, variants: ['on'] }] });
      const halted = await here.world.live.post('/api/switch/halt-webhook', { flag_key: key, reason: 'error rate' });
      assert.is(halted.status, 200);
      const { page, faults, settle, goWithin, close } = await here.openTab();
      await page.goto(here.path());
      await page.getByRole('region', { name: 'Recent changes' }).getByText('a project key, live').waitFor();
      await page.getByRole('region', { name: 'Halted flags' }).getByText('by a project key: error rate').waitFor();
      await page.getByRole('region', { name: 'Recent changes' }).getByRole('link', { name: key }).first().click();
      await page.getByText(/^Halted .* by a project key: everyone gets off$/).waitFor();
      await page.getByRole('tab', { name: 'History' }).click();
      await page.getByText(/^a project key, /).waitFor();
      await goWithin(here.path('audit'));
      await page.locator('summary').filter({ hasText: 'Flag halted' }).click();
      await page.getByRole('link', { name: 'Open this flag' }).click();
      await page.getByRole('heading', { name: key, level: 1 }).waitFor();
      await page.getByRole('region', { name: 'Prerequisites' }).getByRole('link', { name: needs.key }).click();
      await page.getByRole('heading', { name: needs.key, level: 1 }).waitFor();
      await settle();
      assert.equal(faults, []);
      await close();
    },
  );

  changes('a delivery that fails says why in its row', async () => {
    const { id } = await buildSubscription(here.world, `${here.test.baseUrl}/no-such-page`, ['switch.flag.created']);
    await buildFlag(here.world);
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('webhooks', id));
    await page
      .locator('summary')
      .getByText(/1 attempt, last: 404/)
      .waitFor();
    assert.equal(faults, []);
    await close();
  });

  changes('a trial marks the rule that decides, and says of the others that match that they would', async () => {
    const { key } = await buildFlag(here.world, { rules: [{ variant: 'on' }, { variant: 'off' }] });
    const { page, faults, close } = await here.openTab();
    await page.goto(`${here.path('flags', key)}?tab=try`);
    await page.getByRole('button', { name: 'Try', exact: true }).click();
    await page.getByText('Rule 1 serves on').waitFor();
    await page.getByText('Rule 2 would serve off, but rule 1 comes first').waitFor();
    await here.world.live.post('/api/switch/halt-webhook', { flag_key: key, reason: 'error rate' });
    await page.getByText(/^Halted /).waitFor();
    await page.getByRole('button', { name: 'Try', exact: true }).click();
    await page.getByText(/Rule 1 would serve on$/).waitFor();
    const outdated = page.getByText('This is for the person before your last changes.');
    assert.is(await outdated.count(), 0);
    await page.getByLabel('Properties (JSON)').fill('{ plan');
    await outdated.waitFor();
    await page.getByRole('button', { name: 'Try', exact: true }).click();
    await page.getByText("This isn't valid JSON.").waitFor();
    await page.getByText('Describe a person to see').waitFor();
    assert.is(await page.getByText('Rule 1 would serve').count(), 0, 'the result of other input');
    assert.equal(faults, []);
    await close();
  });

  changes('on a tablet, a long title keeps its room beside the actions', async () => {
    const survey = await buildSurvey(here.world, {
      name: 'What do you think of the new checkout, and what would you change?',
    });
    const { page, settle, close } = await here.openTab({ width: 768 });
    await page.goto(here.path('surveys', survey.id));
    const heading = page.getByRole('heading', { level: 1 });
    await heading.waitFor();
    await settle();
    const { width } = (await heading.boundingBox()) ?? { width: 0 };
    assert.ok(width > 300, `${width}`);
    await close();
  });
}

changes.run();
