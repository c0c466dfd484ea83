import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../browser/chromium.js';
import { buildProject } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { openLocally } from '../support/receivers/open-locally.js';
import { until } from '../support/until.js';
import { inConsole, openStreams, WITH_RECEIVERS } from './console-place.js';
import { holdBack } from './requests.js';

const journeys = suite('console: journeys');
const here = inConsole(journeys, WITH_RECEIVERS);

/** A server that accepts whatever it receives once it is told to answer. */
async function openReceiver(): Promise<{ url: string; answer(): void; close(): Promise<void> }> {
  const told = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.resume().on('end', () => void told.promise.then(() => response.end('thank you')));
  });
  return {
    url: `${await openLocally(server)}/`,
    answer: told.resolve,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}

async function sendCrashes(...messages: string[]): Promise<void> {
  const events = messages.map((value) => ({
    event_id: randomUUID(),
    platform: 'javascript',
    release: '2.4.0',
    distinct_id: 'shopper',
    exception: {
      type: 'TypeError',
      value,
      frames: [{ function: value, file: 'https://shop.example/app.js', line: 10, column: 5, in_app: true }],
    },
    breadcrumbs: [{ category: 'navigation', message: 'opened the basket' }],
  }));
  const answer = await here.world.live.post('/api/catch/events', { events });
  assert.ok(answer.status < 300, answer.text);
}

interface StoredIssue {
  id: string;
  title: string;
  ignored: boolean;
  status: string;
  merged: object[];
}

async function issues(count: number): Promise<StoredIssue[]> {
  return until(`${count} issues`, async () => {
    const { crashIssues } = await here.world.owner.client.graphql<{ crashIssues: { nodes: StoredIssue[] } }>(
      'query($id: ID!) { crashIssues(projectId: $id) { nodes { id title ignored status merged { id } } } }',
      { id: here.world.projectId },
    );
    return crashIssues.nodes.length === count && crashIssues.nodes;
  });
}

if (hasChromium()) {
  journeys('crashes are merged, assigned, ignored, resolved, reopened and split again', async () => {
    await buildFlag(here.world, { key: 'suspect.flag' });
    await sendCrashes('basket is undefined', 'basket is null');
    await issues(2);
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('crashes'));
    await page.getByLabel('Select TypeError: basket is undefined').check();
    await page.getByLabel('Select TypeError: basket is null').check();
    await page.getByRole('button', { name: 'Merge 2' }).click();
    await page.getByText('2 issues merged').waitFor();
    const [whole] = await issues(1);
    assert.is(whole?.merged.length, 1);
    await page.getByRole('link', { name: /basket is undefined/ }).click();
    await page.getByText('opened the basket').first().waitFor();
    await page.getByText('Event 1 of 2').waitFor();
    await page.getByRole('combobox', { name: 'Assigned to' }).click();
    await page.getByRole('option', { name: here.world.owner.email }).click();
    await page.getByText('Assigned.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Ignore' }).click();
    await page.getByRole('menuitem', { name: 'until 10 more events' }).click();
    await page.getByText('ignored until event 12').waitFor();
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByRole('status').filter({ hasText: 'Resolved. It reopens' }).getByText('Undo').click();
    await page.getByText('Ignored again.').waitFor();
    await page.getByText('ignored until event 12').waitFor();
    await page.getByRole('button', { name: 'Reopen' }).click();
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('Resolved. It reopens').waitFor();
    assert.is((await issues(1))[0]?.status, 'resolved');
    await page.getByRole('button', { name: 'Reopen' }).click();
    await page.getByRole('button', { name: 'Unmerge' }).click();
    await page.getByText('Event 1 of 1').waitFor();
    await page.getByRole('button', { name: 'Symbolicate again' }).click();
    await page.getByText('Symbolicating its events again').waitFor();
    await page.getByText(/^in basket is \w+, first seen .+ in release 2\.4\.0$/).waitFor();
    const suspects = page.getByRole('region', { name: 'Flag changes in the day before' });
    await suspects.getByRole('link', { name: 'Halt suspect.flag' }).click();
    await page.getByLabel(/^Reason/).fill('Baskets crash.');
    await page.getByRole('button', { name: 'Halt now' }).click();
    await page.getByText(/^Halted .* by /).waitFor();
    await page.goBack();
    await suspects.getByText('Halted', { exact: true }).waitFor();
    assert.equal(
      (await issues(2)).map(({ status }) => status),
      ['open', 'open'],
    );
    assert.equal(faults, []);
    await close();
  });

  journeys('symbol files are uploaded and identified; an alert rule is created, changed and deleted', async () => {
    const { page, faults, expectFault, goWithin, close } = await here.openTab();
    await page.goto(here.path('crashes', 'symbols'));
    await page.getByLabel('Release').fill('2.4.0');
    await page.route('**/graphql', (route) =>
      route.request().headers()['content-type']?.startsWith('multipart/')
        ? route.fulfill({ status: 413, contentType: 'text/html', body: '<h1>Request Entity Too Large</h1>' })
        : route.fallback(),
    );
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'app.js.map', mimeType: 'application/json', buffer: Buffer.from('{"version":3}') });
    await page.getByText(/a proxy .* refuses requests of this size/).waitFor();
    await page.unroute('**/graphql');
    await expectFault('413');
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('status').getByText('app.js.map:').waitFor();
    await goWithin(here.path('crashes', 'alerts'));
    await page.getByRole('button', { name: 'New rule' }).click();
    await page.getByLabel(/^Name/).fill('Anything new');
    await page.getByRole('button', { name: 'Create rule' }).click();
    await page.getByText('Anything new created.').waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel(/^Name/).fill('Everything new');
    await page.getByRole('button', { name: 'Save' }).last().click();
    await page.getByText('Everything new').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No alert rules yet.').waitFor();
    assert.equal(faults, []);
    await close();
  });

  journeys(
    'a release is created, promoted, changed and deleted; a changelog entry is published and deleted',
    async () => {
      const { page, faults, close } = await here.openTab();
      await page.goto(here.path('releases'));
      await page.getByRole('button', { name: 'New release' }).click();
      await page.getByLabel(/^Version/).fill('3.1.0');
      await page.getByRole('button', { name: 'Create release' }).click();
      await page.getByText('3.1.0 created.').waitFor();
      await page.getByRole('button', { name: 'Promote' }).click();
      const promoting = page.getByRole('dialog', { name: 'Promote 3.1.0 in live?' });
      await promoting.getByText('the first current release').waitFor();
      await promoting.getByRole('button', { name: 'Promote' }).click();
      await page.getByText('Current', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Edit' }).first().click();
      await page.getByLabel('Notes').fill('faster basket');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('faster basket').waitFor();
      await page.getByRole('button', { name: 'Delete' }).first().click();
      await page.getByRole('dialog').last().getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No releases yet.').waitFor();
      await page.getByRole('button', { name: 'New entry' }).click();
      await page.getByLabel(/^Title/).fill('A faster basket');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Publish' }).click();
      await page.getByRole('dialog').last().getByRole('button', { name: 'Publish' }).click();
      await page.getByText('Published', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').last().getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No entries yet.').waitFor();
      assert.equal(faults, []);
      await close();
    },
  );

  journeys('a ticket is created, moved by keyboard and back, edited and deleted with its board', async () => {
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('boards'));
    await page.getByLabel('New board').fill('Feedback');
    await page.getByRole('button', { name: 'Create board' }).click();
    await page.getByLabel('New ticket').fill('Call the shopper');
    await page.getByRole('button', { name: 'Add ticket' }).click();
    const ticket = page.getByRole('button', { name: 'Call the shopper', exact: true });
    const lane = (name: string) => page.getByRole('region', { name, exact: true }).locator(ticket);
    await lane('Open').waitFor();
    await lane('Open').press('ArrowRight');
    await lane('In progress').waitFor();
    await until('the ticket has kept the focus', () => ticket.evaluate((element) => element.matches(':focus')));
    await page.keyboard.press('ArrowRight');
    await lane('Done').waitFor();
    await ticket.press('ArrowLeft');
    await lane('In progress').press('Enter');
    await page.getByLabel('Description').fill('She waits since Monday');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByText('She waits since Monday').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No boards yet.').waitFor();
    assert.equal(faults, []);
    await close();
  });

  journeys('every ticket of a lane can be reached, and a draft of the next one stays while one is added', async () => {
    const run = <Answer>(query: string) => here.world.owner.client.graphql<Answer>(query);
    const { createBoard } = await run<{ createBoard: { id: string } }>(
      `mutation { createBoard(input: { projectId: "${here.world.projectId}", name: "Long" }) { id } }`,
    );
    const ticket = (at: number) =>
      `t${at}: createTicket(input: { boardId: "${createBoard.id}", title: "No ${at}" }) { id }`;
    for (const from of [0, 20, 40])
      await run(`mutation { ${Array.from({ length: 20 }, (_, at) => ticket(from + at)).join(' ')} }`);
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('boards', createBoard.id));
    const lane = page.getByRole('region', { name: 'Open', exact: true });
    await lane.getByText('60', { exact: true }).waitFor();
    assert.is(await lane.getByText('No 0', { exact: true }).count(), 0);
    await lane.getByRole('button', { name: 'Load more tickets' }).click();
    await lane.getByText('No 0', { exact: true }).waitFor();
    const title = page.getByLabel('New ticket');
    const add = await holdBack(page, 'mutation CreateTicket');
    await title.fill('The first');
    await title.press('Enter');
    await title.fill('The second');
    add();
    await lane.getByText('61', { exact: true }).waitFor();
    assert.is(await title.inputValue(), 'The second');
    assert.equal(faults, []);
    await page.unrouteAll();
    await close();
  });

  journeys('new events appear on top as they are sent, wait while the tail is paused, and stop with it', async () => {
    const { page, faults, close } = await here.openTab();
    const send = async (name: string) => {
      const sent = await here.world.live.post('/api/v1/track', { event_name: name, distinct_id: 'tail.rider' });
      assert.is(sent.status, 200, sent.text);
    };
    const latest = page.getByRole('region', { name: 'Latest events' });
    await send('before.the.tail');
    await page.goto(here.path('events'));
    await latest.getByText('before.the.tail').waitFor();
    await latest.getByLabel('Live tail').check();
    await latest.getByText('Live: 0 received').waitFor();
    await send('seen.in.the.tail');
    await latest.getByText('Live: 1 received').waitFor();
    assert.equal(await latest.locator('summary .mono').allTextContents(), ['seen.in.the.tail', 'before.the.tail']);
    await latest.getByRole('button', { name: 'Pause' }).click();
    await send('sent.while.paused');
    await latest.getByText('Paused: 1 new').waitFor();
    assert.is(await latest.locator('summary .mono').first().textContent(), 'seen.in.the.tail');
    await latest.getByRole('button', { name: 'Resume' }).click();
    await latest.getByText('Live: 2 received').waitFor();
    assert.is(await latest.locator('summary .mono').first().textContent(), 'sent.while.paused');
    await latest.getByLabel('Live tail').uncheck();
    await until('the stream of events ends with the tail', async () => (await openStreams(here.test)) === 1);
    assert.equal(faults, []);
    await close();
  });

  journeys(
    'the first event is ticked off once stored, and its person is found by the start of their name',
    async () => {
      const project = await buildProject(here.world);
      const { page, faults, goWithin, close } = await here.openTab();
      await page.goto(`/p/${project.projectId}/live/start`);
      await page.getByText('Waiting').waitFor();
      await until('Start subscribes', async () => (await openStreams(here.test)) === 2);
      const sent = await project.live.post('/api/v1/track', { event_name: 'first_steps', distinct_id: 'u-1' });
      assert.is(sent.status, 200, sent.text);
      await page.getByText('✓ Received').waitFor();
      await until('Start no longer subscribes', async () => (await openStreams(here.test)) === 1);
      const named = await project.live.post('/api/v1/people', {
        distinct_id: 'u-1',
        properties: { name: 'Ada Lovelace' },
      });
      assert.is(named.status, 200, named.text);
      await goWithin(`/p/${project.projectId}/live/events/people`);
      await page.getByLabel('Search people').fill('nobody');
      await page.getByText('No matching people').waitFor();
      await page.getByLabel('Search people').fill('ada');
      await page.getByRole('link', { name: /u-1/ }).waitFor();
      assert.equal(faults, []);
      await close();
    },
  );

  journeys('a cohort is created from a rule, shown with it, changed and deleted', async () => {
    const { page, faults, close } = await here.openTab();
    const storedRules = async () => {
      const { cohorts } = await here.world.owner.client.graphql<{ cohorts: { nodes: { rules: object[] }[] } }>(
        `query($id: ID!) { cohorts(projectId: $id) { nodes { rules { percentage conditions { attribute operator values } } } } }`,
        { id: here.world.projectId },
      );
      return cohorts.nodes[0]?.rules;
    };
    await page.goto(here.path('events', 'cohorts'));
    await page.getByRole('button', { name: 'New cohort' }).first().click();
    await page.getByLabel(/^Name/).fill('Payers');
    await page.getByRole('button', { name: '+ Rule' }).click();
    await page.getByRole('button', { name: '+ Condition' }).click();
    await page.getByRole('combobox', { name: 'Attribute' }).fill('props.plan');
    await page.getByRole('combobox', { name: 'Values' }).fill('pro');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Payers created.').waitFor();
    const conditions = [{ attribute: 'props.plan', operator: 'in', values: ['pro'] }];
    assert.equal(await storedRules(), [{ percentage: 100, conditions }]);
    await page.getByText('1 rule', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Percentage').fill('50');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    assert.equal(await storedRules(), [{ percentage: 50, conditions }]);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No cohorts yet').waitFor();
    assert.equal(faults, []);
    await close();
  });

  journeys('a webhook is created, tested, shown with its request and response, switched off and deleted', async () => {
    const receiver = await openReceiver();
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('webhooks'));
    await page.getByRole('button', { name: 'New webhook' }).first().click();
    await page.getByLabel(/^URL/).fill(receiver.url);
    await page.getByRole('combobox', { name: 'Listens to' }).fill('switch.*');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByRole('button', { name: "I've saved it" }).click();
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.locator('summary').getByText('Pending', { exact: true }).waitFor();
    // The page asks twice: after the change itself, and when the stream reports it. Nothing tells it that the delivery ended.
    for (let asked = 0; asked < 3; asked += 1)
      await page.waitForResponse((response) => response.request().postData()?.includes('HookDeliveries') ?? false);
    receiver.answer();
    await page.locator('summary').getByText('Delivered', { exact: true }).waitFor();
    await page.getByText('webhooks.subscription.tested').first().click();
    await page.getByText('"type": "webhooks.subscription.tested"').waitFor();
    await page.getByText('thank you').waitFor();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('button', { name: 'Disable' }).waitFor();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByLabel('Description').fill('the pager');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No webhooks yet').waitFor();
    assert.equal(faults, []);
    await close();
    await receiver.close();
  });
}

journeys.run();
