import * as assert from 'uvu/assert';
import { buildProject, setPlan } from '../../support/factories/factories.js';
import { worldSuite } from '../../support/factories/world-suite.js';

const counts = worldSuite('counts of what may be many');

counts('are whole numbers of events, and equal those that they replace', async ({ world }) => {
  const project = await buildProject(world);
  const event = { type: 'track', payload: { event_name: 'opened', distinct_id: 'u-1' } };
  await project.live.post('/api/v1/batch', { operations: [event, event] });
  const around = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
  const { eventCounts } = await world.owner.client.graphql<{
    eventCounts: { events: number; total: number; intervals: { events: number; count: number }[] };
  }>(
    `query($p: ID!, $from: DateTimeISO!, $to: DateTimeISO!) { eventCounts(projectId: $p, from: $from, to: $to, interval: month) {
      events total intervals { events count } } }`,
    { p: project.projectId, from: around[0], to: around[1] },
  );
  assert.equal([eventCounts.events, eventCounts.total], [2, 2]);
  assert.equal(
    eventCounts.intervals.map(({ events }) => events),
    eventCounts.intervals.map(({ count }) => count),
  );
});

counts('of quotas are whole numbers, and may exceed an Int', async ({ world }) => {
  const project = await buildProject(world);
  await setPlan(project, { events: 2 ** 33, symbolBytes: 2 ** 40 });
  const { usage } = await world.owner.client.graphql<{
    usage: { symbolBytesQuota: number; meters: { meter: string; used: number; quota: number; limit: number }[] };
  }>('query($p: ID!) { usage(projectId: $p) { symbolBytesQuota meters { meter used quota limit } } }', {
    p: project.projectId,
  });
  assert.is(usage.symbolBytesQuota, 2 ** 40);
  const [events] = usage.meters.filter(({ meter }) => meter === 'events');
  assert.equal(events, { meter: 'events', used: 0, quota: 2 ** 33, limit: 2 ** 33 });
});

counts.run();
