import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { growthOf, type RawAnswer, sendRaw } from '../support/body-forms.js';
import { buildProject } from '../support/factories/factories.js';
import { worldSuite } from '../support/factories/world-suite.js';
import { listen } from '../support/subscription.js';
import { until } from '../support/until.js';

const MIB = 1024 * 1024;
/** Longer than what is held in memory as a whole. */
const LONG = 'é'.repeat(MIB);

interface ShownEvent {
  distinctId: string;
  properties: { p: string } | null;
}

const x = worldSuite('large operations');
const { here } = x;
x.before.each(async () => {
  here.world = await buildProject(here.world);
});

async function rows<T extends object>(text: string): Promise<T[]> {
  return (await here.test.app.pool.query<T>(text, [here.world.projectId])).rows;
}

const events = () =>
  rows<{ name: string; id: string; properties: Record<string, unknown> }>(
    'select event_name as name, distinct_id as id, properties from event where project_id = $1 order by distinct_id',
  );
const profile = async (id: string) =>
  (
    await rows<{ properties: Record<string, unknown> }>(
      `select p.properties from person p join person_id i on i.person_id = p.id
        where i.project_id = $1 and i.distinct_id = '${id}'`,
    )
  )[0]?.properties;

x('of each kind are stored completely, alone and in a batch', async () => {
  const track = {
    event_name: 'e',
    distinct_id: 'single',
    properties: { long: LONG, after: [1, { a: null }] },
    junk: LONG,
  };
  const people = { properties: { long: LONG, gone: null, kept: 1 }, distinct_id: 'person' };
  const alias = { junk: [LONG], alias_id: 'other', distinct_id: 'person' };
  assert.equal((await here.world.live.post('/api/v1/track', track)).body, { ok: true, commands: [] });
  await here.world.live.post('/api/v1/people', { distinct_id: 'person', properties: { gone: 1, older: 2 } });
  assert.equal((await here.world.live.post('/api/v1/people', people)).body, { ok: true });
  assert.equal((await here.world.live.post('/api/v1/alias', alias)).body, { ok: true });
  const operations = [
    { type: 'people', payload: { distinct_id: 'batched', properties: { n: 1, before: true } } },
    { payload: { ...people, distinct_id: 'batched' }, type: 'people' },
    { type: 'track', payload: { event_name: 'small', distinct_id: 'a' } },
    { junk: LONG, payload: { ...track, distinct_id: 'b' }, type: 'track' },
    { type: 'track', payload: { event_name: 'small', distinct_id: 'c' } },
    { type: 'people', payload: { distinct_id: 'batched', properties: { n: 2, before: null } } },
  ];
  const batch = await here.world.live.post('/api/v1/batch', { junk: { LONG }, operations });
  assert.is(batch.status, 200, batch.text);
  const { events_received, people_received } = batch.body as Record<string, number>;
  assert.equal([events_received, people_received], [3, 3]);
  const stored = await events();
  assert.equal(
    stored.map(({ name, id }) => [name, id]),
    [
      ['small', 'a'],
      ['e', 'b'],
      ['small', 'c'],
      ['e', 'single'],
    ],
  );
  assert.equal(stored[1]?.properties, track.properties);
  assert.equal(stored[3]?.properties, track.properties);
  assert.equal(await profile('other'), { long: LONG, kept: 1, older: 2 });
  assert.equal(await profile('batched'), { long: LONG, kept: 1, n: 2 });
});

x('hold what cannot be stored in its storable form', async () => {
  const properties = `{"long":"${LONG}","nul":"a\\u0000b","lone":"\\ud800","pair":"\\ud83d\\ude00","large":1e999,"k\\u0000":1}`;
  const body = `{"distinct_id":"u\\u0000","event_name":"e\\ud800","properties":${properties}}`;
  assert.is((await here.world.live.post('/api/v1/track', body)).status, 200);
  assert.is((await here.world.live.post('/api/v1/people', body)).status, 200);
  const expected = { nul: 'a\ufffdb', lone: '\ufffd', pair: '😀', large: null, 'k\ufffd': 1 };
  const [event] = await events();
  assert.equal([event?.name, event?.id], ['e\ufffd', 'u\ufffd']);
  assert.equal({ ...event?.properties, long: undefined }, { ...expected, long: undefined });
  const { large: _, ...kept } = expected;
  assert.equal({ ...(await profile('u\ufffd')), long: undefined }, { ...kept, long: undefined });
});

x('are discarded, counted and refused like small ones', async () => {
  const properties = { long: LONG };
  const garbage = await here.world.live.post('/api/v1/track', { event_name: 'e', distinct_id: 'null', properties });
  assert.equal([garbage.status, garbage.body], [202, { ok: true, status: 'discarded' }]);
  const event = { event_name: 'e', distinct_id: 'once', insert_id: 'i', properties };
  for (let n = 0; n < 2; n++) assert.is((await here.world.live.post('/api/v1/track', event)).status, 200);
  assert.is((await events()).length, 1);
  const refused: [path: string, body: unknown, error: string][] = [
    ['track', { distinct_id: 'u', properties }, 'Invalid track payload'],
    ['track', { event_name: '', distinct_id: 'u', properties }, 'Invalid track payload'],
    ['track', { event_name: 7, distinct_id: 'u', properties }, 'Invalid track payload'],
    ['track', { event_name: 'e', distinct_id: 'u', properties: [LONG] }, 'Invalid track payload'],
    ['track', { event_name: 'e', distinct_id: 'u', timestamp: 'never', properties }, 'Invalid track payload'],
    ['people', { properties }, 'Invalid people payload'],
    ['alias', { alias_id: 'a', properties }, 'Invalid alias payload'],
    ['track', `"${LONG}"`, 'Invalid request body'],
    ['track', `{"event_name":"e","distinct_id":"u","properties":{"long":"${LONG}"}`, 'Invalid request body'],
    ['track', `{"event_name":"e","distinct_id":"u","properties":{"long":"${LONG}"}}}`, 'Invalid request body'],
    ['batch', { operations: [{ type: 'page', payload: { properties } }] }, 'unknown operation type'],
    ['batch', { operations: [LONG] }, 'unknown operation type'],
    ['batch', { operations: [{ type: 'track', payload: LONG }] }, 'Invalid track payload'],
    ['batch', { operations: [{ type: 'track', payload: { properties } }] }, 'Invalid track payload'],
    ['batch', { junk: LONG, operations: [] }, 'No operations provided'],
  ];
  for (const [path, body, error] of refused) {
    const answer = await here.world.live.post(`/api/v1/${path}`, body);
    const index = /operation type|payload/.test(error) && path === 'batch' ? { index: 0 } : {};
    assert.equal([answer.status, answer.body], [400, { error, ...index }], JSON.stringify(body).slice(0, 80));
  }
  const long = await here.world.live.post('/api/v1/track', { event_name: LONG, distinct_id: 'u' });
  assert.equal([long.status, long.body], [413, { error: 'payload_too_large' }]);
  assert.is((await events()).length, 1);
});

x('count against the quota', async () => {
  await here.world.owner.client.graphql('mutation($i: SetProjectPlanInput!) { setProjectPlan(input: $i) { plan } }', {
    i: { projectId: here.world.projectId, plan: 'hobby', overrides: { events: 1 } },
  });
  const event = { event_name: 'e', distinct_id: 'u', properties: { long: LONG } };
  assert.is((await here.world.live.post('/api/v1/track', event)).status, 200);
  assert.is((await here.world.live.post('/api/v1/track', event)).status, 429);
  assert.is((await events()).length, 1);
});

x('of 100 MB, or a dozen compressed ones of 24 MiB at once, cost little memory', async () => {
  const one = Buffer.from(`{"event_name":"e","distinct_id":"u","properties":{"p":"${'a'.repeat(24 * MIB)}"}}`);
  const compressed = gzipSync(one);
  const headers = { 'x-api-key': here.world.keys.live, 'content-type': 'application/json' };
  const send = (path: string, more: Record<string, string>, parts: Iterable<Buffer | string>): Promise<RawAnswer> =>
    sendRaw(here.test.baseUrl + path, { headers: { ...headers, ...more }, parts }).answered;
  const megabyte = Buffer.alloc(MIB, 'a');
  const { result, mebibytes } = await growthOf(async () => {
    const batch = await send('/api/v1/batch', {}, [
      '{"operations":[{"type":"track","payload":{"event_name":"e","distinct_id":"u","properties":{"p":"',
      ...Array.from({ length: 100 }, () => megabyte),
      '"}}}]}',
    ]);
    const dozen = Array.from({ length: 12 }, (_, n) =>
      send(n % 3 === 2 ? '/api/v1/people' : '/api/v1/track', { 'content-encoding': 'gzip' }, [compressed]),
    );
    return [batch, ...(await Promise.all(dozen))];
  });
  assert.is(result[0]?.status, 200, result[0]?.text);
  for (const { status, text } of result) assert.ok(status === 200 || status === 503, text);
  assert.ok(mebibytes < 250, `the process grew by ${mebibytes} MiB`);
});

x('do not end the lists that contain them', async () => {
  const { projectId } = here.world;
  const listening = await listen(
    here.test,
    here.world.owner,
    'subscription($p: ID!) { eventIngested(projectId: $p) { event { distinctId properties } } }',
    { p: projectId },
  );
  for (const [id, mebibytes] of [
    ['a', 1],
    ['b', 5],
    ['c', 40],
  ] as const) {
    const properties = { p: 'a'.repeat(mebibytes * MIB) };
    assert.is(
      (await here.world.live.post('/api/v1/track', { event_name: 'e', distinct_id: id, properties })).status,
      200,
    );
  }
  const shown = ({ distinctId, properties }: ShownEvent) => [distinctId, properties && properties.p.length / MIB];
  const LIST =
    'query($p: ID!, $first: Int) { events(projectId: $p, first: $first) { nodes { id distinctId properties } } }';
  for (const first of [1, 100]) {
    const { events } = await here.world.owner.client.graphql<{ events: { nodes: ShownEvent[] } }>(LIST, {
      p: projectId,
      first,
    });
    assert.equal(
      events.nodes.map(shown),
      [
        ['c', null],
        ['b', null],
        ['a', 1],
      ].slice(0, first),
    );
  }
  await until('all three', () => listening.results.length === 3);
  assert.equal(
    listening.results.map(({ data }) => shown(data?.eventIngested?.event as ShownEvent)),
    [
      ['a', null],
      ['b', null],
      ['c', null],
    ],
  );
  listening.close();
});

x.run();
