import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/values/durations.js';
import { buildWorld, type World } from '../support/factories/factories.js';
import { appSuite } from '../support/factories/world-suite.js';
import type { TestApp } from '../support/test-app.js';

const late = appSuite('alerts for crashes that waited for a worker');

// Without a worker, crashes wait until a test lets one work.

/** A project with a rule that fires at five events within ten minutes. */
async function watched(test: TestApp): Promise<World> {
  const world = await buildWorld(test);
  const { projectId } = world;
  const i = { projectId, name: 'Five in ten', condition: 'event_count', threshold: 5, windowMinutes: 10 };
  await world.owner.client.graphql('mutation($i: CreateAlertRuleInput!) { createAlertRule(input: $i) { id } }', { i });
  return world;
}

async function crash({ live }: World, times: number): Promise<void> {
  const exception = { type: 'KeyError', value: 'cart', frames: [{ function: 'f', file: 'a.py' }] };
  const events = Array.from({ length: times }, () => ({ event_id: randomUUID(), platform: 'python', exception }));
  const { status, text } = await live.post('/api/catch/events', { events });
  assert.is(status, 200, text);
}

/** Counts and titles of the alerts so far, as a worker that works now leaves them. */
async function alertsAfterWork(test: TestApp, { projectId }: World): Promise<object[]> {
  await test.app.services.crashSymbolication.run(projectId, 'live');
  const { rows } = await test.app.pool.query<object>(
    `select (data->>'count')::int as count, data->>'issue_title' as title from event_log
      where project_id = $1 and kind = 'catch.alert.fired' order by sequence`,
    [projectId],
  );
  return rows;
}

late('fire for what came within a window, even if the window is over', async ({ test }) => {
  const world = await watched(test);
  await crash(world, 3);
  test.clock.advance(9 * MINUTE_MS);
  await crash(world, 3);
  test.clock.advance(2 * HOUR_MS);
  await crash(world, 1);
  test.clock.advance(HOUR_MS);
  assert.equal(await alertsAfterWork(test, world), [{ count: 6, title: 'KeyError: cart' }]);
});

late('do not fire for events that were further apart', async ({ test }) => {
  const world = await watched(test);
  for (let hour = 0; hour < 3; hour += 1) {
    await crash(world, 4);
    test.clock.advance(HOUR_MS);
  }
  assert.equal(await alertsAfterWork(test, world), []);
});

late('fire once for a window, and again after it', async ({ test }) => {
  const world = await watched(test);
  await crash(world, 5);
  await alertsAfterWork(test, world);
  test.clock.advance(9 * MINUTE_MS);
  await crash(world, 5);
  assert.is((await alertsAfterWork(test, world)).length, 1);
  test.clock.advance(MINUTE_MS);
  await crash(world, 5);
  assert.equal(
    (await alertsAfterWork(test, world)).map((alert) => (alert as { count: number }).count),
    [5, 10],
  );
});

late.run();
