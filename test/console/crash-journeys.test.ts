import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../browser/chromium.js';
import { buildProject } from '../support/factories/factories.js';
import { openLocally } from '../support/receivers/open-locally.js';
import { uploadSymbols } from '../support/symbols/symbol-client.js';
import { until } from '../support/until.js';
import { inConsole, WITH_RECEIVERS } from './console-place.js';

const journeys = suite('console: journeys through crashes');
const here = inConsole(journeys, WITH_RECEIVERS);
journeys.before.each(async () => {
  here.world = await buildProject(here.world);
});

/** A server that answers everything with one status, and records the requests. */
async function openReceiver(status: number) {
  const asked: string[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    asked.push(request.url ?? '');
    bodies.push(await text(request));
    response.writeHead(status).end();
  });
  const url = await openLocally(server);
  const close = () => {
    server.closeAllConnections();
    return new Promise((closed) => server.close(closed));
  };
  return { url, asked, bodies, close };
}

/** A session as the browser library reports it. */
async function beginSession(release: string): Promise<object> {
  const session = { session_id: randomUUID(), started_at: here.test.clock.now().toISOString(), release };
  const { status } = await here.world.live.post('/api/v1/track', {
    ...{ event_name: 'session_start', distinct_id: 'shopper', timestamp: session.started_at, properties: session },
  });
  assert.is(status, 200);
  return session;
}

async function sendCrash(fields: object): Promise<void> {
  const event = { event_id: randomUUID(), level: 'fatal', platform: 'javascript', message: 'It broke', ...fields };
  const answer = await here.world.live.post('/api/catch/events', event);
  assert.equal(answer.body, { accepted: 1, rejected: 0, reject_reasons: [] });
}

if (hasChromium()) {
  journeys(
    'crash-free sessions appear in the overview and beside their release once clients report sessions',
    async () => {
      await here.world.owner.client.graphql('mutation($i: CreateReleaseInput!) { createRelease(input: $i) { id } }', {
        i: { projectId: here.world.projectId, environment: 'live', version: '4.2.0' },
      });
      const { page, faults, settle, goWithin, close } = await here.openTab();
      await page.goto(here.path());
      await page.getByText('Open crash issues').waitFor();
      await settle();
      assert.is(await page.getByText('Crash-free sessions').count(), 0);
      const [broken] = [await beginSession('4.2.0'), await beginSession('4.2.0'), await beginSession('4.1.0')];
      await sendCrash({ release: '4.2.0', session: broken });
      await page.reload();
      await page.getByText('66.66%').waitFor();
      await goWithin(here.path('releases'));
      await page.getByText('50% of 2 sessions in 30 days were crash-free').waitFor();
      assert.equal(faults, []);
      await close();
    },
  );

  journeys('the event being read stays while others arrive or leave, and older ones load on demand', async () => {
    const crash = (person: string) =>
      sendCrash({ message: 'It broke again', distinct_id: person, release: person === 'first' ? '1.0' : '2.0' });
    for (const person of ['first', 'second']) await crash(person);
    const { page, faults, expectFault, settle, close } = await here.openTab();
    const lookAgainUntil = (words: RegExp) =>
      until(`the page says ${words}`, async () => {
        await page.evaluate("window.dispatchEvent(new Event('focus'))");
        return page.getByText(words).isVisible();
      });
    let isBroken = true;
    await page.route('**/graphql', async (route) => {
      const { query = '', variables } = JSON.parse(route.request().postData() ?? '{}');
      if (!query.includes('query IssueEvents(')) return route.fallback();
      if (variables.after && isBroken)
        return route.fulfill({ json: { errors: [{ message: 'It is too much.' }], data: null } });
      return route.fallback({ postData: JSON.stringify({ query, variables: { ...variables, first: 1 } }) });
    });
    await page.goto(here.path('crashes'));
    await page.getByRole('table').getByRole('link', { name: 'It broke again' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'It is too much.' });
    await alert.waitFor();
    isBroken = false;
    await expectFault('It is too much.');
    await page.getByText(/^Event 1 of 2/).waitFor();
    await crash('third');
    await lookAgainUntil(/^Event 2 of 3/);
    await page.getByRole('link', { name: 'second' }).waitFor();
    await page.getByRole('button', { name: 'Older event' }).click();
    await page.getByText(/^Event 3 of 3/).waitFor();
    await page.getByRole('link', { name: 'first' }).waitFor();
    await settle();
    const link = page.url();
    await crash('fourth');
    await lookAgainUntil(/^Event 4 of 4/);
    await page.getByRole('link', { name: 'first' }).waitFor();
    const newer = page.getByRole('button', { name: 'Newer event' });
    for (const at of [3, 2, 1]) {
      await newer.press('Enter');
      await page.getByText(new RegExp(`^Event ${at} of 4`)).waitFor();
    }
    await newer.and(page.locator(':focus')).waitFor();
    await page.goto(link);
    await page.getByText(/^Event 4 of 4/).waitFor();
    await page.getByRole('link', { name: 'first' }).waitFor();
    const release = page.getByRole('combobox', { name: 'Filter by release' });
    await release.fill('2.0');
    await page.getByText(/^Event 1 of 3/).waitFor();
    await page.getByRole('link', { name: 'fourth' }).waitFor();
    await page.getByRole('button', { name: 'Older event' }).click();
    await page.getByText(/^Event 2 of 3/).waitFor();
    await release.fill('');
    await page.getByText(/^Event 2 of 4/).waitFor();
    await page.getByRole('link', { name: 'third' }).waitFor();
    await release.fill('2.0');
    await page.getByLabel('Received until, in UTC').fill('2020-02-03T04:05');
    await page.getByText('No events from release 2.0 received until 2020-02-03 04:05 UTC.').waitFor();
    await page.getByRole('button', { name: 'Any time' }).click();
    await page.getByText(/^Event 2 of 3/).waitFor();
    await release.fill('');
    await page.getByText(/^Event 2 of 4/).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(link);
    const frame = page.getByRole('region', { name: 'Frames' }).locator('.code');
    await frame.waitFor();
    const seen = (await frame.boundingBox()) ?? { y: Infinity, height: 0 };
    assert.ok(seen.y + seen.height < 844, `the stack trace is on a phone's first screen: ${JSON.stringify(seen)}`);
    assert.not(await release.isVisible());
    await page.getByRole('button', { name: 'Filter events' }).press('Enter');
    await release.fill('1.0');
    await page.getByText(/^Event 1 of 1/).waitFor();
    assert.equal(faults, []);
    await close();
  });

  journeys('a symbol source is added, refused with a bad address, tested, switched off and deleted', async () => {
    const symbols = await openReceiver(404);
    const { page, faults, expectFault, close } = await here.openTab();
    await page.goto(here.path('crashes', 'symbols'));
    await page.getByRole('button', { name: 'New source' }).click();
    await page.getByLabel(/^Name/).fill('the vendor');
    await page.getByLabel(/^Address/).fill('ftp://symbols.example.com');
    await page.getByRole('button', { name: 'Add source' }).click();
    await expectFault('BAD_SYMBOL_SOURCE');
    await page.getByLabel(/^Address/).fill(symbols.url);
    await page.getByRole('button', { name: 'Add source' }).click();
    await page.getByText('the vendor added.').waitFor();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText("Working: it answered 404 for a file that doesn't exist").waitFor();
    assert.match(symbols.asked.at(-1) ?? '', /^\/buildid\/[0-9a-f]{40}\/debuginfo$/);
    await symbols.close();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText(/The test failed after \d+ ms: connection failed \(/).waitFor();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Disabled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No sources yet.').waitFor();
    assert.equal(faults, []);
    await close();
  });

  journeys("an alert rule is tested, and the webhook's answer appears beside it", async () => {
    const pager = await openReceiver(200);
    await here.world.owner.client.graphql(
      'mutation($i: CreateWebhookSubscriptionInput!) { createWebhookSubscription(input: $i) { secret } }',
      { i: { projectId: here.world.projectId, url: pager.url, patterns: ['catch.alert.fired'] } },
    );
    await here.world.owner.client.graphql('mutation($i: CreateAlertRuleInput!) { createAlertRule(input: $i) { id } }', {
      i: { projectId: here.world.projectId, environment: 'live', name: 'Anything new', condition: 'issue_created' },
    });
    await here.world.owner.client.graphql(
      'mutation($i: UpdateCrashSettingsInput!) { updateCrashSettings(input: $i) { sampleRate } }',
      {
        i: { projectId: here.world.projectId, environment: 'live', sampleRate: 0.07 },
      },
    );
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('crashes', 'alerts'));
    await page.getByLabel('Share of crashes that SDKs send').waitFor();
    assert.is(await page.getByLabel('Share of crashes that SDKs send').inputValue(), '7%');
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText(/Test to .*: delivered, response: 200/).waitFor();
    const { type, data } = JSON.parse(pager.bodies[0] ?? '{}');
    assert.is(type, 'catch.alert.fired');
    assert.equal([data.rule_name, data.issue_id, data.is_test], ['Anything new', null, true]);
    await page.getByText('last fired: never').waitFor();
    await page.getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByText('Disabled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Enable', exact: true }).click();
    await page.getByText('Disabled', { exact: true }).waitFor({ state: 'hidden' });
    assert.equal(faults, []);
    await close();
    await pager.close();
  });

  journeys('symbol files say why they are refused, and resume after a lost connection', async () => {
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('crashes', 'symbols'));
    const choose = (name: string, text: string) =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    const status = page.getByRole('region', { name: 'Upload' });
    const map = JSON.stringify({ version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA', file: 'app.js' });
    await choose('empty.js.map', '');
    await status.getByText('the file is empty. Nothing was sent.').waitFor();
    await choose('app.js.map', map);
    await status.getByText(/app.js.map: stored/).waitFor();
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('query SymbolDownload(')
        ? route.fulfill({ json: { data: { symbolArtifact: null } } })
        : route.fallback(),
    );
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByRole('alert').getByText('This file is no longer available.').waitFor();
    await choose('pay.js.map', 'not json at all');
    await status.getByText(/pay.js.map: .*not JSON/).waitFor();
    await page.getByRole('region', { name: 'Stored' }).getByText('failed').waitFor();
    let parts = 0;
    await page.route('**/graphql', async (route) => {
      const isPart = route.request().postDataBuffer()?.subarray(0, 2_000).includes('UploadSymbolPart') ?? false;
      if (isPart) parts += 1;
      await (isPart && parts === 2 ? route.abort('internetdisconnected') : route.continue());
    });
    await choose('later.js.map', JSON.stringify({ ...JSON.parse(map), sourcesContent: ['x'.repeat(9_000_000)] }));
    await status.getByText('the connection was lost. You can resume within a day.').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await status.getByText(/later.js.map: stored/).waitFor();
    assert.is(parts, 3, 'the first part is not sent again');
    assert.equal(
      faults.filter((fault) => !fault.includes('ERR_INTERNET_DISCONNECTED')),
      [],
    );
    await close();
  });

  journeys('a symbol file is paused while the browser still reads it, before anything is sent', async () => {
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('crashes', 'symbols'));
    const status = page.getByRole('region', { name: 'Upload' });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.postData()?.includes('mutation BeginSymbolUpload')) sent.push(request.url());
    });
    await page.evaluate(`{
      const { arrayBuffer } = Blob.prototype;
      const held = new Promise((resolve) => { window.letRead = resolve; });
      Blob.prototype.arrayBuffer = async function () { await held; return arrayBuffer.call(this); };
    }`);
    const map = { version: 3, sources: ['b.ts'], names: [], mappings: 'AAAA', file: 'paused.js' };
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'paused.js.map', mimeType: 'text/plain', buffer: Buffer.from(JSON.stringify(map)) });
    await status.getByText('reading').waitFor();
    await status.getByRole('button', { name: 'Pause' }).click();
    await page.evaluate('window.letRead()');
    await status.getByText(/paused.js.map: paused/).waitFor();
    assert.equal(sent, []);
    await status.getByRole('button', { name: 'Resume' }).click();
    await status.getByText(/paused.js.map: stored/).waitFor();
    assert.equal(faults, []);
    await close();
  });

  journeys('a crash shows the flags in force, recently changed ones first, and explains its frames', async () => {
    await here.world.owner.client.graphql('mutation($i: CreateFlagInput!) { createFlag(input: $i) { key } }', {
      i: { projectId: here.world.projectId, environment: 'live', key: 'new-basket', kind: 'boolean' },
    });
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('crashes', 'symbols'));
    await page.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Android mapping' }).click();
    await page.getByLabel('Release').fill('7.0');
    const mapping = 'shop.Basket -> a:\n    void clear() -> b\n    boolean close(int) -> b\n';
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'mapping.txt', mimeType: 'text/plain', buffer: Buffer.from(mapping) });
    await page.getByText('mapping.txt: stored').waitFor();
    await sendCrash({
      platform: 'android',
      release: '7.0',
      raw_stacktrace: 'a: closed\n\tat a.b(SourceFile:12)',
      extra: { flags: { basket: 1, 'new-basket': true }, cart: 3 },
    });
    // When the mapping arrives, the crash is read again and may move to another issue.
    await until('the trace is read', async () => {
      const { crashEvents } = await here.world.owner.client.graphql<{
        crashEvents: { nodes: { frames: { alternatives: object[] | null }[] }[] };
      }>('query($p: ID!) { crashEvents(projectId: $p) { nodes { frames { alternatives { function } } } } }', {
        p: here.world.projectId,
      });
      return crashEvents.nodes[0]?.frames[0]?.alternatives;
    });
    await page.goto(here.path('crashes'));
    await page.getByRole('link', { name: /It broke/ }).click();
    await page.getByText('<OR> at shop.Basket.close(Basket.java:12)').waitFor();
    const inForce = page.getByRole('region', { name: 'Flags at the time' });
    await inForce.getByText('recently changed').waitFor();
    assert.equal(await inForce.getByRole('link').allTextContents(), ['new-basket', 'basket']);
    assert.is(await page.getByRole('region', { name: 'Extra' }).locator('pre').textContent(), '{\n  "cart": 3\n}');
    assert.equal(faults, []);
    await close();
  });

  journeys("a frame without a map shows its script's code with the place marked", async () => {
    const before = 'a=1;'.repeat(100);
    const fields = { kind: 'js_sourcemap', project_id: here.world.projectId };
    await uploadSymbols(here.world.owner.client, { name: 'shop.js', bytes: `${before}throw x` }, fields);
    const frames = [{ function: 't', file: '/shop.js', line: 1, column: before.length + 1 }];
    await sendCrash({ exception: { type: 'E', value: 'It broke', frames } });
    await until('the code is there', async () => {
      const { crashEvents } = await here.world.owner.client.graphql<{
        crashEvents: { nodes: { frames: { context: object | null }[] }[] };
      }>('query($p: ID!) { crashEvents(projectId: $p) { nodes { frames { context { line } } } } }', {
        p: here.world.projectId,
      });
      return crashEvents.nodes[0]?.frames[0]?.context;
    });
    const { page, faults, close } = await here.openTab();
    await page.goto(here.path('crashes'));
    await page.getByRole('link', { name: /It broke/ }).click();
    await page.getByText('The code as it ran. No stored source map has its source.').waitFor();
    const line = page.getByRole('listitem').and(page.locator('[aria-current=true]'));
    assert.is(await line.locator('mark').textContent(), 't');
    assert.match((await line.textContent()) ?? '', /^…;(?:a=1;)+throw x$/);
    assert.equal(faults, []);
    await close();
  });
}

journeys.run();
