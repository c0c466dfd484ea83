import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { Route } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../browser/chromium.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { buildSurvey } from '../support/factories/survey-factory.js';
import { buildSubscription, draftEntries } from '../support/factories/webhook-factory.js';
import { openLocally } from '../support/receivers/open-locally.js';
import { until } from '../support/until.js';
import { inConsole, WITH_RECEIVERS } from './console-place.js';

const journeys = suite('console: journeys through profiles, audit, finder, triage rules and dead letters');
const here = inConsole(journeys, { ...WITH_RECEIVERS, isPublic: true });

/** A V8 profile in which `total` takes three samples of four. */
const PROFILE = {
  nodes: [
    { id: 1, callFrame: { functionName: '(root)' }, children: [2] },
    { id: 2, callFrame: { functionName: 'checkout' }, children: [3, 4] },
    { id: 3, callFrame: { functionName: 'total' } },
    { id: 4, callFrame: { functionName: 'discount' } },
  ],
  samples: [3, 3, 3, 4],
};

/** Answers 410 once, and 200 from then on. */
async function openForgetfulReceiver(): Promise<{ url: string; received(): number; close(): Promise<void> }> {
  let isGone = true;
  let received = 0;
  // Deliveries may still arrive for an earlier server on this port.
  const path = `/${randomUUID()}`;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.url !== path) return void response.writeHead(404).end();
      response.writeHead(isGone ? 410 : 200).end(isGone ? 'gone' : 'thank you');
      received += isGone ? 0 : 1;
      isGone = false;
    });
  });
  return {
    url: `${await openLocally(server)}${path}`,
    received: () => received,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}

if (hasChromium()) {
  journeys('a profile that an app sent is drawn, narrowed to a function and shown in full again', async () => {
    const sent = await here.world.live.post('/api/catch/profiles', PROFILE);
    assert.ok(sent.status < 300, sent.text);
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('crashes', 'profiles'));
    await page.getByRole('button', { name: 'View' }).click();
    const flames = page.getByRole('region', { name: 'Flame graph' });
    await flames.getByRole('button', { name: 'checkout' }).waitFor();
    assert.is(await flames.getByRole('button', { name: 'discount' }).count(), 1);
    await flames.getByRole('button', { name: 'total' }).click();
    await flames.getByText('75% of total').waitFor();
    assert.is(await flames.getByRole('button', { name: 'discount' }).count(), 0);
    await flames.getByRole('button', { name: 'Show all' }).click();
    await flames.getByRole('button', { name: 'discount' }).waitFor();
    assert.equal(faults, []);
    await close();
  });

  journeys('by keyboard alone a flag is found by name, changed and restored; the audit log has both', async () => {
    const { key } = await buildFlag(here.world, { key: 'found.by.name', rules: [] });
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path());
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Find' }).fill('found.by');
    await page.getByRole('button', { name: key, exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: key, level: 1 }).waitFor();
    await page.getByRole('button', { name: '+ Rule' }).press('Enter');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('Saved.').waitFor();
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Restore' }).last().press('Enter');
    await page.getByRole('button', { name: 'Restore version 1' }).press('Enter');
    await page.getByText('Version 1 restored.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByRole('tab', { name: 'History' }).focus();
    // Both keys at once: the page waits one second for the letter, and a busy machine may take longer between two calls.
    await Promise.all([page.keyboard.press('g'), page.keyboard.press('a')]);
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
    const changes = page.locator('summary').filter({ hasText: key });
    await changes.first().press('Enter');
    await page.locator('.cm-content').getByText('percentage').first().waitFor();
    assert.ok((await changes.count()) >= 3, 'created, changed, restored');
    await page.getByLabel('Kind of change').fill('switch.flag');
    await page.getByRole('combobox', { name: 'Changed by' }).click();
    await page.getByRole('option', { name: here.world.owner.email }).click();
    await page.getByLabel('Changed from, in UTC').fill('2020-02-03T04:05');
    await changes.first().waitFor();
    await page.getByRole('radiogroup', { name: 'Environment' }).last().getByText('test').click();
    const nothing = `No changes of a kind with “switch.flag”, by ${here.world.owner.email}, in test, from 2020-02-03 04:05 UTC.`;
    await page.getByText(nothing).waitFor();
    await page.reload();
    await page.getByText(nothing).waitFor();
    assert.equal(faults, []);
    await close();
  });

  journeys('a board rule turns a bad answer into a ticket, is changed and deleted', async () => {
    const { id, questions } = await buildSurvey(here.world, {
      name: 'How was it?',
      questions: [{ id: 'nps', kind: 'nps', prompt: 'How likely?' }],
    });
    assert.is(questions.length, 1);
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('boards'));
    await page.getByLabel('New board').fill('Complaints');
    await page.getByRole('button', { name: 'Create board' }).click();
    const rules = page.getByRole('region', { name: 'Tickets from surveys' });
    await rules.getByRole('combobox', { name: 'Responses to' }).click();
    await page.getByRole('option', { name: 'How was it?' }).click();
    await rules.getByRole('button', { name: 'Create rule' }).click();
    await page.getByText('Rule added. New responses can now create tickets.').waitFor();
    const answered = await here.world.live.post('/api/pulse/responses', { survey_id: id, answers: { nps: 2 } });
    assert.ok(answered.status < 300, answered.text);
    await page
      .getByRole('region', { name: 'Open', exact: true })
      .getByText(/with score 2/)
      .waitFor();
    await rules.getByLabel('Score for How was it?').fill('3');
    await rules.getByLabel('Score for How was it?').press('Tab');
    await page.getByText('Saved.').waitFor();
    await rules.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Delete' }).click();
    await rules.getByText('No rules yet.').waitFor();
    assert.equal(faults, []);
    await close();
  });

  journeys(
    "responses are attributed to a survey's distributions, filtered by them, and deleted by respondent",
    async () => {
      const { id } = await buildSurvey(here.world, { questions: [{ id: 'nps', kind: 'nps', prompt: 'How likely?' }] });
      const { page, faults, close } = await here.openTab();
      await page.goto(`${here.path('surveys', id)}?tab=distributions`);
      await page.getByLabel('New distribution').fill('Spring news');
      await page.getByRole('button', { name: 'Create' }).click();
      const row = page.getByRole('row', { name: 'Spring news' });
      const distributionId = (await row.locator('code').textContent()) ?? '';
      assert.match(distributionId, /^dst_/);
      await row.getByText('0 responses in live').waitFor();
      for (const [user, context] of [
        ['by-mail', { distribution_id: distributionId }],
        ['by-app', {}],
      ] as const) {
        const response = { survey_id: id, respondent: { user_id: user }, answers: { nps: 9 }, context };
        const sent = await here.world.live.post('/api/pulse/responses', response);
        assert.ok(sent.status < 300, sent.text);
      }
      await row.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Summer news');
      await page.getByRole('button', { name: 'Save' }).click();
      const renamed = page.getByRole('row', { name: 'Summer news' });
      await renamed.waitFor();
      await page.reload();
      await renamed.getByRole('button', { name: '1 response in live' }).click();
      const responses = page.getByRole('region', { name: 'Responses' });
      await responses.getByText('by-mail').waitFor();
      await responses.getByText(', via Summer news').waitFor();
      assert.is(await responses.getByText('by-app').count(), 0);
      await page.goBack();
      await renamed.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await renamed.waitFor({ state: 'hidden' });
      await page.getByRole('tab', { name: 'Responses' }).click();
      await responses.getByText('by-app').waitFor();
      await responses.getByText('by-mail').waitFor();
      assert.is(await responses.getByText('Summer news').count(), 0);
      const answered = responses.locator('.frame').filter({ hasText: 'by-mail' });
      await answered.getByRole('button', { name: 'Delete responses' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete responses' }).click();
      await page.getByText('1 response deleted.').waitFor();
      await answered.waitFor({ state: 'hidden' });
      await responses.getByText('by-app').waitFor();
      await page.goto(`${here.path('surveys', id)}?tab=responses&distribution=${distributionId}`);
      await responses.getByText('No matching responses in live.').waitFor();
      const choice = responses.getByRole('combobox', { name: 'Distribution' });
      assert.is(await choice.inputValue(), distributionId, 'a deleted one is named by its id');
      assert.equal(faults, []);
      await close();
    },
  );

  journeys('a webhook that was switched off is switched on again, and dead letters are resent', async () => {
    const receiver = await openForgetfulReceiver();
    const { id } = await buildSubscription(here.world, receiver.url, ['switch.flag.created']);
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('webhooks', id));
    await page.getByText(receiver.url, { exact: true }).waitFor();
    await buildFlag(here.world, { key: 'told.too.late' });
    await page.getByRole('tab', { name: 'Dead letters' }).click();
    await page.getByRole('region', { name: 'Dead letters' }).getByRole('button', { name: 'Replay' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await page.getByText('This webhook is disabled. Enable it, then replay.').waitFor();
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('button', { name: 'Disable' }).waitFor();
    await page.getByText('switch.flag.created', { exact: true }).click();
    await page.getByRole('region', { name: 'Dead letters' }).getByRole('button', { name: 'Replay' }).last().click();
    await page.getByText('Replaying.').waitFor();
    await page.getByText('No dead letters').waitFor();
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    await page.locator('summary').getByText('Delivered', { exact: true }).click();
    const again = page.getByRole('region', { name: 'Deliveries' }).getByRole('button', { name: 'Replay' });
    await again.click();
    await until('it came again', () => receiver.received() === 2);
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Enable' }).waitFor();
    await again.click();
    const told = page.getByText('The subscription is disabled. Enable it first.', { exact: true });
    await told.waitFor();
    const ink = (part: string) => page.locator(part).last().evaluate('(one) => getComputedStyle(one).color');
    assert.is(await ink('.mantine-Notification-description'), await ink('body'));
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    const question = page.getByRole('dialog', { name: `Rotate secret for ${receiver.url}?` });
    await question.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText('The old secret keeps signing alongside it and expires in 24 hours.').waitFor();
    await page.getByRole('button', { name: "I've saved it" }).click();
    assert.equal(faults, []);
    await close();
    await receiver.close();
  });

  journeys('all dead letters can be read, one page at a time', async () => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(500).end());
    });
    const { id } = await buildSubscription(here.world, `${await openLocally(server)}/`, ['changelog.entry.created']);
    await draftEntries(here.world, 26);
    const { client } = here.world.owner;
    await until('all were tried and wait', async () => {
      const { webhookDeliveries } = await client.graphql<{ webhookDeliveries: { nodes: { attempts: number }[] } }>(
        `query($p: ID!, $s: ID!) { webhookDeliveries(projectId: $p, filter: { subscriptionId: { eq: $s } }, first: 50) {
          nodes { attempts } } }`,
        { p: here.world.projectId, s: id },
      );
      return webhookDeliveries.nodes.filter(({ attempts }) => attempts > 0).length === 26;
    });
    await client.graphql(
      'mutation($i: UpdateWebhookSubscriptionInput!) { updateWebhookSubscription(input: $i) { id } }',
      {
        i: { id, enabled: false },
      },
    );
    const { page, faults, close } = await here.openTab();
    await page.goto(`${here.path('webhooks', id)}?tab=dead`);
    await page.getByRole('button', { name: 'Load older dead letters' }).click();
    const given = page.getByRole('region', { name: 'Dead letters' }).locator('details');
    await until('the last one is there', async () => (await given.count()) === 26);
    assert.equal(faults, []);
    await close();
    server.close();
  });

  journeys('a closed form gives the focus back, and a page waits while no server sends it', async () => {
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('flags'));
    const opener = page.getByRole('button', { name: 'New flag' }).first();
    await opener.press('Enter');
    await page.getByRole('dialog').getByRole('textbox').first().press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await until('the button has the focus', () => opener.and(page.locator(':focus')).count());
    await page.evaluate('window.isStillHere = true');
    await page.route('**', (route) => route.abort());
    await page.getByRole('link', { name: 'Boards' }).click();
    await page.getByText("Can't reach the server.").waitFor();
    await page.unrouteAll();
    await page.getByRole('heading', { name: 'Boards', level: 1 }).waitFor();
    assert.is(await page.evaluate('window.isStillHere'), true);
    assert.equal(
      faults.filter((fault) => !fault.includes('ERR_FAILED')),
      [],
    );
    await close();
  });

  journeys(
    'nothing more is requested of an object being deleted; one that could not be deleted stays up to date',
    async () => {
      const { id } = await buildSubscription(here.world, 'https://hooks.example.com/', ['plan.*']);
      const { page, faults, settle, expectFault, close } = await here.openTab();
      const asked: string[] = [];
      page.on('request', (question) => {
        const body = question.postData() ?? '';
        if (body.includes(id)) asked.push(body);
      });
      const isDeletion = (body: string | null): boolean => body?.includes('deleteWebhookSubscription') === true;
      /** Presses the button; once the server has the deletion, returns to the page, and only then lets `answer` reach it. */
      const remove = async (answer: (route: Route) => Promise<() => Promise<void>>): Promise<void> => {
        const told = Promise.withResolvers<() => Promise<void>>();
        await page.route('**/graphql', async (route) => {
          if (isDeletion(route.request().postData())) told.resolve(await answer(route));
          else await route.fallback();
        });
        await page.getByRole('button', { name: 'Delete' }).click();
        asked.length = 0;
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
        const tell = await told.promise;
        await page.evaluate(`{
        const { now } = Date;
        Date.now = () => now() + 60_000;
        dispatchEvent(new Event('focus'));
        Date.now = now;
      }`);
        await tell();
      };
      await page.goto(here.path('webhooks', id));
      await page.getByText('No deliveries yet. Send a test').waitFor();
      await settle();
      const refusal = { errors: [{ message: 'Not now.', extensions: { code: 'UNAVAILABLE' } }] };
      await remove(async (route) => () => route.fulfill({ json: refusal }));
      await page.getByRole('dialog').getByText('Not now.').waitFor();
      await expectFault('Not now.');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await here.world.owner.client.graphql(
        'mutation($input: UpdateWebhookSubscriptionInput!) { updateWebhookSubscription(input: $input) { id } }',
        { input: { id, enabled: false } },
      );
      await page.getByRole('button', { name: 'Enable' }).waitFor();
      await page.unrouteAll();
      await settle();
      await remove(async (route) => {
        const response = await route.fetch();
        return () => route.fulfill({ response });
      });
      await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
      await settle();
      assert.equal(
        asked.filter((body) => !isDeletion(body)),
        [],
      );
      assert.equal(faults, []);
      await close();
    },
  );
}

journeys('without a browser: the initial data of the journeys is stored', async () => {
  const sent = await here.world.live.post('/api/catch/profiles', PROFILE);
  assert.ok(sent.status < 300, sent.text);
});

journeys.run();
