import { randomBytes } from 'node:crypto';
import * as assert from 'uvu/assert';
import { DAY_MS } from '../../../../src/kernel/values/durations.js';
import { buildMember, buildProject } from '../../../support/factories/factories.js';
import { worldSuite } from '../../../support/factories/world-suite.js';

const breakdown = worldSuite('events by a property');
const { here } = breakdown;
breakdown.before.each(async () => {
  here.world = await buildProject(here.world);
});

interface Breakdown {
  intervals: string[];
  values: { value: string | null; count: number; counts: number[] }[];
  others: number;
  otherValues: number;
  read: number;
  isWhole: boolean;
  since: string | null;
}

const today = (): number => Math.floor(here.test.clock.now().getTime() / DAY_MS) * DAY_MS;

async function ask(
  property: string,
  { eventName = 'bought', client = here.world.owner.client } = {},
): Promise<Breakdown> {
  const { eventBreakdown } = await client.graphql<{ eventBreakdown: Breakdown }>(
    `query($p: ID!, $name: String!, $by: String!, $from: DateTimeISO!, $to: DateTimeISO!) {
       eventBreakdown(projectId: $p, eventName: $name, property: $by, from: $from, to: $to) {
         intervals values { value count counts } others otherValues read isWhole since } }`,
    {
      p: here.world.projectId,
      name: eventName,
      by: property,
      from: new Date(today() - DAY_MS),
      to: new Date(today() + DAY_MS),
    },
  );
  return eventBreakdown;
}

async function send(...events: { properties: object; at?: number; name?: string }[]): Promise<void> {
  const operations = events.map(({ properties, at = here.test.clock.now().getTime(), name = 'bought' }) => ({
    type: 'track',
    payload: { event_name: name, distinct_id: 'shopper', timestamp: new Date(at).toISOString(), properties },
  }));
  assert.is((await here.world.live.post('/api/v1/batch', { operations })).status, 200);
}

/** Moves all events of the project to two hours ago, and counts their hour. */
async function countAsEarlier(): Promise<void> {
  await here.test.app.pool.query(
    `update event set id = (left(event_id_floor(now() - interval '2 hours')::text, 14) || '7' || substr(id::text, 16))::uuid
      where project_id = $1`,
    [here.world.projectId],
  );
  await here.test.app.services.eventHours.count();
}

breakdown('counts by value and day, most frequent first, and reports events without the property', async () => {
  await send(
    { properties: { plan: 'pro', deep: { a: [1] } } },
    { properties: { plan: 'pro' }, at: today() - 3_600_000 },
    { properties: { plan: 7 } },
    { properties: { plan: null } },
    { properties: {} },
    { properties: { plan: 'free' }, at: today() - 2 * DAY_MS },
    { properties: { plan: 'free' }, name: 'opened' },
  );
  const found = await ask('plan');
  assert.equal(
    found.intervals.map((at) => Date.parse(at)),
    [today() - DAY_MS, today()],
  );
  const byValue = new Map(found.values.map(({ value, count, counts }) => [value, [count, counts]]));
  assert.equal([...byValue.keys()].slice(2), ['7']);
  assert.equal(byValue.get('pro'), [2, [1, 1]]);
  assert.equal(byValue.get('7'), [1, [0, 1]]);
  assert.equal(byValue.get(null), [2, [0, 2]]);
  assert.equal([found.read, found.isWhole, found.others, found.otherValues], [5, true, 0, 0]);
  assert.equal((await ask('deep')).values.map(({ value }) => value).sort(), [null, '{"a":[1]}']);
});

breakdown('gives the same answer from counted hours, reading only a few for a rare name', async () => {
  for (const plan of ['pro', 'free']) await send({ properties: { plan } });
  const before = await ask('plan');
  assert.is(before.read, 2);
  await countAsEarlier();
  assert.equal({ ...(await ask('plan')), since: null }, { ...before, since: null });
  await send({ properties: { plan: 'free' } });
  assert.equal((await ask('plan')).values[0], { value: 'free', count: 2, counts: [0, 2] });
  const nobody = await ask('plan', { eventName: 'never.sent' });
  assert.equal([nobody.read, nobody.isWhole, nobody.since, nobody.values], [0, true, null, []]);
});

breakdown('reads the newest 10,000 and groups rare values', async () => {
  await here.test.app.pool.query(
    `insert into event (id, project_id, environment, event_name, distinct_id, occurred_at, properties)
     select (left(event_id_floor(now())::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid, $1, 'live', 'bought', 'shopper',
       $2, jsonb_build_object('n', n % 30) from generate_series(1, 10050) n`,
    [here.world.projectId, here.test.clock.now()],
  );
  const found = await ask('n');
  assert.equal([found.read, found.isWhole, found.values.length, found.otherValues], [10_000, false, 20, 10]);
  assert.is(
    found.values.reduce((sum, { count }) => sum + count, found.others),
    10_000,
  );
  assert.ok(found.since);
});

breakdown('skips events with very large properties, and limits the time spent on large ones', async () => {
  const incompressible = (bytes: number) => randomBytes(bytes * 0.75).toString('base64');
  await send({ properties: { plan: 'pro' } });
  await send({ properties: { plan: 'pro', text: incompressible(70_000) } });
  const one = await ask('plan');
  assert.equal([one.read, one.isWhole, one.values.map(({ count }) => count)], [1, false, [1]]);
  await send({ name: 'large', properties: { plan: 'pro', text: incompressible(70_000) } });
  const none = await ask('plan', { eventName: 'large' });
  assert.equal([none.read, none.isWhole, none.since, none.values], [0, false, null, []]);
  const text = incompressible(60_000);
  const many = { event_name: 'many', distinct_id: 'shopper', properties: { plan: 'pro', text } };
  const operations = Array(300).fill({ type: 'track', payload: many });
  assert.is((await here.world.live.post('/api/v1/batch', { operations })).status, 200);
  const { read, isWhole } = await ask('plan', { eventName: 'many' });
  assert.ok(read > 250 && read < 300, `${read} of 300`);
  assert.is(isWhole, false);
});

breakdown('shows no email address below Editor, and refuses a range that ends before it begins', async () => {
  await send({ properties: { who: 'ada@example.com' } });
  const viewer = await buildMember(here.test, here.world, 'viewer');
  assert.equal(
    (await ask('who', { client: viewer.client })).values.map(({ value }) => value),
    ['[redacted]'],
  );
  const { body } = await here.world.owner.client.post('/graphql', {
    query: `{ eventBreakdown(projectId: "${here.world.projectId}", eventName: "a", property: "b", from: "2026-02-02T00:00:00Z", to: "2026-02-01T00:00:00Z") { read } }`,
  });
  assert.is((body as { errors: { extensions: { code: string } }[] }).errors[0]?.extensions.code, 'BAD_TIME_RANGE');
});

breakdown.run();
