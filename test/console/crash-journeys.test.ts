import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium, launchChromium } from '../browser/chromium.js';
import { buildProject, buildWorld, type World } from '../support/factories/factories.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { openTab } from './open-tab.js';

const journeys = suite('console: journeys through crashes');

let test: TestApp;
let world: World;
let browser: Browser;

journeys.before(async () => {
  test = await openTestApp({ worker: true, settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } });
  world = await buildWorld(test);
  if (hasChromium()) browser = await launchChromium();
});
journeys.before.each(async () => {
  world = await buildProject(world);
});
journeys.after(async () => {
  await browser?.close();
  await test.close();
});

const place = (...rest: string[]) => ['/p', world.projectId, 'live', ...rest].join('/');

/** A session as the browser library tells it. */
async function beginSession(release: string): Promise<object> {
  const session = { session_id: randomUUID(), started_at: test.clock.now().toISOString(), release };
  const { status } = await world.live.post('/api/v1/track', {
    ...{ event_name: 'session_start', distinct_id: 'shopper', timestamp: session.started_at, properties: session },
  });
  assert.is(status, 200);
  return session;
}

async function sendCrash(fields: object): Promise<void> {
  const event = { event_id: randomUUID(), level: 'fatal', platform: 'javascript', message: 'It broke', ...fields };
  const answer = await world.live.post('/api/catch/events', event);
  assert.equal(answer.body, { accepted: 1, rejected: 0, reject_reasons: [] });
}

if (hasChromium()) {
  journeys(
    'sessions without a crash stand in the overview and beside their release once clients tell of them',
    async () => {
      await world.owner.client.graphql('mutation($i: CreateReleaseInput!) { createRelease(input: $i) { id } }', {
        i: { projectId: world.projectId, environment: 'live', version: '4.2.0' },
      });
      const { page, faults, settle, close } = await openTab(browser, test.baseUrl, { user: world.owner });
      await page.goto(place());
      await page.getByText('Open crash issues').waitFor();
      await settle();
      assert.is(await page.getByText('Crash-free sessions').count(), 0);
      const [broken] = [await beginSession('4.2.0'), await beginSession('4.2.0'), await beginSession('4.1.0')];
      await sendCrash({ release: '4.2.0', session: broken });
      await page.reload();
      await page.getByText('66.66 %').waitFor();
      await page.goto(place('releases'));
      await page.getByText('50 % of 2 sessions in 30 days without a crash').waitFor();
      assert.equal(faults, []);
      await close();
    },
  );
}

journeys.run();
