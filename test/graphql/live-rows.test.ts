import { createServer } from 'node:http';
import * as assert from 'uvu/assert';
import { buildMember, buildProject, buildWorld } from '../support/factories/factories.js';
import { buildSubscription, draftEntries } from '../support/factories/webhook-factory.js';
import { worldSuite } from '../support/factories/world-suite.js';
import { openLocally } from '../support/receivers/open-locally.js';
import { listen } from '../support/subscription.js';
import { until } from '../support/until.js';

const x = worldSuite('rows as they are stored', {
  worker: true,
  settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
});

const EVENTS = `subscription Events($p: ID!, $e: Environment) {
  eventIngested(projectId: $p, environment: $e) { leftOut event { id eventName distinctId environment properties project { id } } } }`;

interface Ingested extends Record<string, unknown> {
  leftOut: number;
  event: { id: string; eventName: string; distinctId: string; environment: string; properties: unknown };
}

const track = (name: string, more: Record<string, unknown> = {}) => ({
  type: 'track',
  payload: { event_name: name, distinct_id: 'somebody@example.com', ...more },
});

const ingested = ({ results }: { results: readonly { data?: unknown }[] }): Ingested[] =>
  results.map(({ data }) => (data as { eventIngested: Ingested }).eventIngested);

x(
  'events arrive as they are stored, however they were sent, without addresses below Editor',
  async ({ test, world }) => {
    const project = await buildProject(world);
    const { projectId: p } = project;
    const viewer = await buildMember(test, world, 'viewer');
    const all = await listen(test, world.owner, EVENTS, { p });
    const seen = await listen(test, viewer, EVENTS, { p, e: 'live' });
    assert.is((await project.live.post('/api/v1/track', track('single').payload)).status, 200);
    await all.next('eventIngested', ({ event }) => (event as { eventName: string }).eventName === 'single');
    const large = { operations: [track('streamed', { properties: { text: 'x'.repeat(1_100_000) } })] };
    assert.is((await project.live.post('/api/v1/batch', large)).status, 200);
    assert.is((await project.test.post('/api/v1/batch', { operations: [track('of test')] })).status, 200);
    const repeated = { operations: [track('once', { insert_id: 'i' }), track('twice', { insert_id: 'i' })] };
    assert.is((await project.live.post('/api/v1/batch', repeated)).status, 200);
    assert.is((await project.live.post('/api/v1/batch', repeated)).status, 200);
    assert.is((await project.live.post('/api/v1/batch', { operations: [track('last')] })).status, 200);
    await until('the last', () => ingested(seen).some(({ event }) => event.eventName === 'last'));
    await until('those of both', () => all.results.length >= 5);
    const { rows } = await test.app.pool.query<{ id: string }>('select id from event where project_id = $1', [p]);
    assert.equal(new Set(ingested(all).map(({ event }) => event.id)), new Set(rows.map(({ id }) => id)));
    assert.equal(
      ingested(seen).map(({ event }) => event.eventName),
      ['single', 'streamed', 'once', 'last'],
    );
    assert.ok(ingested(all).every(({ leftOut }) => leftOut === 0));
    assert.ok(ingested(all).every(({ event }) => event.distinctId === 'somebody@example.com'));
    assert.ok(ingested(seen).every(({ event }) => !event.distinctId.includes('somebody')));
    all.close();
    seen.close();
  },
);

x('of more than twenty per second twenty are reported, along with how many were left out', async ({ test, world }) => {
  const project = await buildProject(world);
  const listening = await listen(test, world.owner, EVENTS, { p: project.projectId, e: 'live' });
  let sent = 0;
  for (let n = 0; n < 4; n += 1) {
    const operations = Array.from({ length: 250 }, (_, at) => track(`burst ${n}/${at}`));
    assert.is((await project.live.post('/api/v1/batch', { operations })).status, 200);
    sent += operations.length;
  }
  await until('all accounted for', () => {
    return ingested(listening).reduce((sum, { leftOut }) => sum + 1 + leftOut, 0) === sent;
  });
  assert.ok(listening.results.length >= 20, 'as many as allowed');
  assert.ok(listening.results.length <= 100, 'and no more');
  assert.is(new Set(ingested(listening).map(({ event }) => event.id)).size, listening.results.length);
  listening.close();
});

x('nobody gets events of another project, or without permission', async ({ test, world }) => {
  const [project, sister] = [await buildProject(world), await buildProject(world)];
  const other = await buildWorld(test);
  const listening = await listen(test, world.owner, EVENTS, { p: project.projectId });
  await sister.live.post('/api/v1/track', track('of a sister').payload);
  await other.live.post('/api/v1/track', track('of another').payload);
  await project.live.post('/api/v1/track', track('ours').payload);
  await until('ours', () => listening.results.length > 0);
  assert.equal(
    ingested(listening).map(({ event }) => event.eventName),
    ['ours'],
  );
  listening.close();
  const foreign = await listen(test, other.owner, EVENTS, { p: project.projectId });
  await until('the refusal', () => foreign.results.length > 0);
  assert.is(foreign.results[0]?.errors?.[0]?.extensions.code, 'PROJECT_NOT_FOUND');
  const viewer = await buildMember(test, world, 'viewer');
  const DELIVERIES = 'subscription($p: ID!) { webhookDeliveryChanged(projectId: $p) { leftOut delivery { id } } }';
  const refused = await listen(test, viewer, DELIVERIES, { p: project.projectId });
  await until('the refusal', () => refused.results.length > 0);
  assert.is(refused.results[0]?.errors?.[0]?.extensions.code, 'PERMISSION_DENIED');
});

x('a delivery is reported when it is queued, delivered and given up', async ({ test, world }) => {
  const project = await buildProject(world);
  const statuses = [204, 410];
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(statuses.shift() ?? 500).end());
  });
  await buildSubscription(project, `${await openLocally(receiver)}/`);
  const listening = await listen(
    test,
    world.owner,
    'subscription($p: ID!) { webhookDeliveryChanged(projectId: $p) { leftOut delivery { id status attempts kind subscription { url } } } }',
    { p: project.projectId },
  );
  for (const status of ['delivered', 'dead']) {
    await draftEntries(project, 1);
    const { delivery } = await listening.next(
      'webhookDeliveryChanged',
      (found) => (found.delivery as { status: string }).status === status,
    );
    assert.is((delivery as { attempts: number }).attempts, 1);
    assert.is((delivery as { kind: string }).kind, 'changelog.entry.created');
  }
  listening.close();
  receiver.close();
});

x.run();
