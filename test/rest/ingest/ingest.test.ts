import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import type { Client } from '../../support/client.js';
import { refuseRows } from '../../support/database.js';
import { buildKey, buildProject, buildWorld, setPlan } from '../../support/factories/factories.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { until } from '../../support/until.js';

interface Operation {
  type: string;
  payload: Record<string, unknown>;
}

const track = (distinctId: string, more: Record<string, unknown> = {}): Operation => ({
  type: 'track',
  payload: { event_name: 'e', distinct_id: distinctId, ...more },
});
const people = (distinctId: string, properties: Record<string, unknown>): Operation => ({
  type: 'people',
  payload: { distinct_id: distinctId, properties },
});
const alias = (aliasId: string, distinctId: string): Operation => ({
  type: 'alias',
  payload: { alias_id: aliasId, distinct_id: distinctId },
});
const batch = (client: Client, operations: unknown[], headers: Record<string, string> = {}) =>
  client.post('/api/v1/batch', { operations }, headers);

const stored = async (column = 'event_name', where = 'true'): Promise<unknown[]> => {
  const { rows } = await here.test.app.pool.query(
    `select ${column} as value from event where project_id = $1 and ${where} order by id`,
    [here.world.projectId],
  );
  return rows.map(({ value }) => value);
};

const personOf = async (
  distinctId: string,
): Promise<{ id: string; properties: Record<string, unknown> } | undefined> => {
  const { rows } = await here.test.app.pool.query(
    `select p.id, p.properties from person_id i join person p on p.id = i.person_id where i.project_id = $1 and i.distinct_id = $2`,
    [here.world.projectId, distinctId],
  );
  return rows[0];
};

const x = worldSuite('ingestion', { settings: { TRUSTED_PROXIES: '127.0.0.1' } });
const { here } = x;
x.before.each(async () => {
  here.world = await buildProject(here.world);
});

x('stores a batch and reports what it accepted', async () => {
  const answer = await batch(here.world.live, [
    track('u1'),
    people('u1', { plan: 'pro' }),
    track('null'),
    alias('anon', 'u1'),
    track('u2'),
  ]);
  assert.is(answer.status, 200, answer.text);
  assert.equal(answer.body, {
    ok: true,
    project_id: here.world.projectId,
    project_name: (answer.body as { project_name: string }).project_name,
    environment: 'live',
    operations_received: 4,
    events_received: 2,
    people_received: 1,
    aliases_received: 1,
    commands: [],
  });
  assert.equal(await stored('distinct_id'), ['u1', 'u2']);
  assert.ok(answer.headers.get('x-request-id'));
  for (const header of ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining'])
    assert.is(answer.headers.get(header), null);
});

x('keeps nothing of a batch with one bad operation', async () => {
  const answer = await batch(here.world.live, [track('u'), people('u', {}), { type: 'bogus', payload: {} }]);
  assert.is(answer.status, 400);
  assert.equal(answer.body, { error: 'unknown operation type', index: 2 });
  assert.equal(await stored(), []);
  assert.is(await personOf('u'), undefined);
});

x('refuses with its own messages', async () => {
  const rows: [string, number, object][] = [
    ['{', 400, { error: 'Invalid request body' }],
    ['[]', 400, { error: 'Invalid request body' }],
    ['{}', 400, { error: 'No operations provided' }],
    ['{"operations":[{"type":"track","payload":{}}]}', 400, { error: 'Invalid track payload', index: 0 }],
    ['{"operations":[{"type":"alias","payload":{}}]}', 400, { error: 'Invalid alias payload', index: 0 }],
    ['{"operations":[{"type":"people","payload":{"distinct_id":"null"}}]}', 202, { ok: true, status: 'discarded_all' }],
  ];
  for (const [body, status, expected] of rows) {
    const answer = await here.world.live.post('/api/v1/batch', body);
    assert.is(answer.status, status, body);
    assert.equal(answer.body, expected);
  }
  const anonymous = await here.world.live.withKey('').post('/api/v1/batch', '{');
  assert.equal([anonymous.status, anonymous.body], [401, { error: 'Missing API key' }]);
  const wrong = await here.world.live.withKey('sk_live_wrong').post('/api/v1/batch', '{');
  assert.equal([wrong.status, wrong.body], [401, { error: 'Invalid API key' }]);
  const scoped = await here.world.live.withKey(
    await buildKey(here.world.owner, here.world.projectId, 'live', ['survey']),
  );
  assert.is((await batch(scoped, [track('u')])).status, 403);
});

x('accepts single operations', async () => {
  const one = async (path: string, body: unknown) => {
    const { status, body: answer } = await here.world.live.post(`/api/v1/${path}`, body);
    return [status, answer];
  };
  assert.equal(await one('track', track('u').payload), [200, { ok: true, commands: [] }]);
  assert.equal(await one('people', people('u', { a: 1 }).payload), [200, { ok: true }]);
  assert.equal(await one('alias', alias('x', 'u').payload), [200, { ok: true }]);
  assert.equal(await one('track', track('guest').payload), [202, { ok: true, status: 'discarded' }]);
  assert.equal(await one('track', '{"event_name":"e","distinct_id":"u"} x'), [400, { error: 'Invalid request body' }]);
  assert.equal(await one('people', { distinct_id: 1 }), [400, { error: 'Invalid people payload' }]);
  assert.equal((await personOf('x'))?.properties, { a: 1 });
});

x('applies aliases, then people, then events, whatever the array order', async () => {
  await batch(here.world.live, [people('device', { color: 'red', shade: 'dark' }), people('user', { color: 'blue' })]);
  await batch(here.world.live, [track('device'), people('device', { shade: null, size: 5 }), alias('device', 'user')]);
  const [device, user] = [await personOf('device'), await personOf('user')];
  assert.is(device?.id, user?.id);
  assert.equal(user?.properties, { color: 'blue', size: 5 });
});

/** The warnings, once there are this many kinds: another process may count some, which it writes within seconds. */
async function warningsOf(projectId: string, kinds: number): Promise<unknown[]> {
  const sql = 'select reason, count::int from ingestion_warning where project_id = $1 order by 1';
  return until(`${kinds} warnings`, async () => {
    const { rows } = await here.test.app.pool.query(sql, [projectId]);
    return rows.length >= kinds && rows;
  });
}

x('unites chains, and ignores self and cyclic aliases with a warning', async () => {
  await batch(
    here.world.live,
    ['a', 'b', 'c', 'd'].map((id) => people(id, { [id]: 1, same: id })),
  );
  await batch(here.world.live, [alias('a', 'b'), alias('b', 'c'), alias('c', 'd'), alias('d', 'a'), alias('a', 'a')]);
  const persons = await Promise.all(['a', 'b', 'c', 'd'].map(personOf));
  assert.is(new Set(persons.map((person) => person?.id)).size, 1);
  assert.equal(persons[0]?.properties, { a: 1, b: 1, c: 1, d: 1, same: 'd' });
  await batch(here.world.live, [alias('a', 'b')]);
  await here.test.app.services.warnings.flush();
  assert.equal(await warningsOf(here.world.projectId, 2), [
    { reason: 'cyclic_alias', count: 1 },
    { reason: 'self_alias', count: 1 },
  ]);
});

x('gives the kept person what a batch says about any other id of a merged one', async () => {
  for (const merged of ['a', 'b', 'c']) {
    here.world = await buildProject(here.world);
    await batch(here.world.live, [people('a', { old: 1 }), alias('b', 'a'), alias('c', 'a'), people('other', {})]);
    const all = ['a', 'b', 'c'].map((id) => people(id, { [id]: 1 }));
    await batch(here.world.live, [alias(merged, 'kept'), alias('other', 'b'), ...all]);
    const persons = await Promise.all(['a', 'b', 'c', 'other', 'kept'].map(personOf));
    assert.is(new Set(persons.map((person) => person?.id)).size, 1, merged);
    assert.equal(persons[0]?.properties, { a: 1, b: 1, c: 1, old: 1 }, merged);
  }
});

x('counts the warnings of other projects if those of one are refused', async () => {
  const neighbour = await buildWorld(here.test);
  const accept = await refuseRows(here.test.app.pool, 'ingestion_warning', `new.project_id = '${neighbour.projectId}'`);
  await batch(neighbour.live, [alias('a', 'a')]);
  await batch(here.world.live, [alias('a', 'a')]);
  await here.test.app.services.warnings.flush();
  assert.equal(await warningsOf(here.world.projectId, 1), [{ reason: 'self_alias', count: 1 }]);
  await accept();
});

x('survives a hundred concurrent batches over the same ids', async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      batch(here.world.live, [
        alias(`h${i % 7}`, `h${(i * 3) % 7}`),
        people(`h${i % 5}`, { [`k${i}`]: i }),
        track('h0'),
      ]),
    ),
  );
  assert.equal([...new Set(answers.map(({ status }) => status))], [200]);
  const person = await personOf('h0');
  const { rows } = await here.test.app.pool.query(
    'select count(distinct person_id)::int as n from person_id where project_id = $1',
    [here.world.projectId],
  );
  const all = await Promise.all([0, 1, 2, 3, 4].map((i) => personOf(`h${i}`)));
  const keys = new Set(all.flatMap((one) => Object.keys(one?.properties ?? {})));
  assert.is(keys.size, 100);
  assert.ok(person && rows[0].n >= 1);
  assert.is((await stored()).length, 100);
});

x('clamps times far ahead, keeps others, and fills in missing ones', async () => {
  const now = Date.now();
  await batch(here.world.live, [
    track('far', { timestamp: new Date(now + 24 * 3_600_000).toISOString() }),
    track('near', { timestamp: new Date(now + 22 * 3_600_000).toISOString() }),
    track('old', { timestamp: '2019-05-06T07:08:09.123+02:00' }),
    track('bare'),
  ]);
  const [far, near, old, bare] = (await stored('occurred_at')) as Date[];
  assert.ok(Math.abs(Number(far) - now) < 60_000);
  assert.is(Number(near), now + 22 * 3_600_000);
  assert.is(old?.toISOString(), '2019-05-06T05:08:09.123Z');
  assert.ok(Math.abs(Number(bare) - now) < 60_000);
});

x('stores an insert_id once in 24 hours', async () => {
  const first = await batch(here.world.live, [
    track('u', { insert_id: 'i1' }),
    track('v', { insert_id: 'i1' }),
    track('w'),
  ]);
  const again = await batch(here.world.live, [track('u', { insert_id: 'i1' }), track('x', { insert_id: 'i2' })]);
  assert.equal([first.status, again.status], [200, 200]);
  assert.equal(await stored('distinct_id'), ['u', 'w', 'x']);
  await batch(here.world.test, [track('t', { insert_id: 'i1' })]);
  assert.equal(await stored('distinct_id', "environment = 'test'"), ['t']);
});

x('answers a repeated Idempotency-Key with the first answer and stores nothing', async () => {
  const key = { 'idempotency-key': '__proto__' };
  const both = await Promise.all([
    batch(here.world.live, [track('a'), track('b')], key),
    batch(here.world.live, [track('a'), track('b')], key),
  ]);
  const third = await batch(here.world.live, [track('a'), track('b')], key);
  for (const answer of [...both, third])
    assert.is((answer.body as { events_received: number }).events_received, 2, answer.text);
  assert.equal(await stored('distinct_id'), ['a', 'b']);
  assert.is((await batch(here.world.test, [track('c')], key)).status, 200);
  assert.is((await stored()).length, 3);
});

x('stores an Idempotency-Key reused with another body as a new request, and warns', async () => {
  for (const large of [false, true]) {
    const key = { 'idempotency-key': `key ${large}` };
    const padding = large ? { padding: 'x'.repeat(1_100_000) } : {};
    const sent = (id: string) => batch(here.world.live, [track(id, { properties: padding })], key);
    const counts: unknown[] = [];
    for (const id of ['a', 'b', 'a', 'b', 'b']) counts.push(((await sent(id)).body as { ok: boolean }).ok);
    assert.equal(counts, [true, true, true, true, true]);
    assert.equal((await stored('distinct_id')).slice(large ? 2 : 0), ['a', 'b']);
  }
  await here.test.app.services.warnings.flush();
  const { rows } = await here.test.app.pool.query(
    "select count::int from ingestion_warning where project_id = $1 and reason = 'reused_idempotency_key'",
    [here.world.projectId],
  );
  assert.equal(rows, [{ count: 6 }]);
});

x('treats an empty insert_id or Idempotency-Key as none', async () => {
  const events = [track('u', { insert_id: '' }), track('v', { insert_id: '' })];
  await batch(here.world.live, events, { 'idempotency-key': '' });
  await batch(here.world.live, events, { 'idempotency-key': ' ' });
  assert.is((await here.world.live.post('/api/v1/track', { ...events[0]?.payload })).status, 200);
  assert.equal((await stored('distinct_id')).toSorted(), ['u', 'u', 'u', 'v', 'v']);
});

x('meters live events exactly and refuses whole batches', async () => {
  await setPlan(here.world, { events: 100 });
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => batch(here.world.live, [track('a'), track('b'), track('c')])),
  );
  const refused = answers.filter(({ status }) => status === 429);
  assert.is(refused.length, 27);
  const body = refused[0]?.body as Record<string, unknown>;
  assert.equal([body.error, body.current, body.limit, typeof body.message], ['quota_exceeded', 99, 100, 'string']);
  assert.match(String(body.message), /^The quota of events has no room for this \(99 of 100\); it resets at /);
  assert.match(String(body.resets_at), /^\d{4}-\d\d-01T00:00:00\.000Z$/);
  assert.is((await stored()).length, 99);
  assert.is((await batch(here.world.test, [track('t')])).status, 200);
  assert.is((await batch(here.world.live, [people('p', { a: 1 })])).status, 200);
  assert.is((await batch(here.world.live, [track('a')])).status, 200);
  const last = await here.world.live.post('/api/v1/track', track('a').payload);
  assert.is(last.status, 429);
  assert.match((last.body as { message: string }).message, /^The quota of events is used up \(100 of 100\); /);
  const { rows } = await here.test.app.pool.query(
    `select data->>'percent' as percent from event_log where project_id = $1 and kind = 'quotas.threshold.reached' order by 1`,
    [here.world.projectId],
  );
  assert.equal(rows, [{ percent: '80' }, { percent: '95' }]);
});

x('stores a batch of several megabytes as it arrives, like a small one', async () => {
  const properties = { text: 'ü'.repeat(500), nested: { list: [1, null, true], quote: '"' } };
  const operations: Operation[] = Array.from({ length: 3_000 }, (_, i) =>
    track(`u${i}`, { properties, ...(i % 100 === 0 ? { insert_id: `n${i % 500}` } : {}) }),
  );
  operations.push(people('p', { last: 1 }), alias('u1', 'p'), people('u1', { via: 'alias' }), track('undefined'));
  const answer = await batch(here.world.live, operations);
  assert.is(answer.status, 200, answer.text);
  assert.is((answer.body as { operations_received: number }).operations_received, 3_003);
  assert.is((await stored()).length, 3_000 - 25);
  const [one] = await stored('properties', "distinct_id = 'u7'");
  assert.equal(one, properties);
  assert.equal((await personOf('u1'))?.properties, { last: 1, via: 'alias' });
  const { rows } = await here.test.app.pool.query('select used::int from quota_usage where project_id = $1', [
    here.world.projectId,
  ]);
  assert.equal(rows, [{ used: 2_975 }]);
});

x('keeps nothing of a batch of several megabytes that turns out bad, or is aborted', async () => {
  const many = Array.from({ length: 4_000 }, (_, i) =>
    JSON.stringify(track(`u${i}`, { properties: { text: 'x'.repeat(600) } })),
  ).join(',');
  const bad = await here.world.live.post('/api/v1/batch', `{"operations":[${many},{"type":"bogus"}]}`);
  assert.equal([bad.status, bad.body], [400, { error: 'unknown operation type', index: 4000 }]);
  const cut = await here.world.live.post('/api/v1/batch', `{"operations":[${many}`);
  assert.equal([cut.status, cut.body], [400, { error: 'Invalid request body' }]);
  assert.equal(await stored(), []);
  const twice = await here.world.live.post(
    '/api/v1/batch',
    `{"operations":[${many}],"operations":[${JSON.stringify(track('only'))}]}`,
  );
  assert.is(twice.status, 200);
  assert.equal(await stored('distinct_id'), ['only']);
  await setPlan(here.world, { events: 1_000 });
  assert.is((await here.world.live.post('/api/v1/batch', `{"operations":[${many}]}`)).status, 429);
  assert.is((await stored()).length, 1);
});

x('reads compressed bodies and refuses corrupt ones', async () => {
  const body = JSON.stringify({ operations: [track('z')] });
  const send = (bytes: Uint8Array, encoding: string) =>
    here.world.live.post('/api/v1/batch', bytes, { 'content-encoding': encoding });
  assert.is((await send(gzipSync(body), 'gzip')).status, 200);
  assert.is((await send(gzipSync(gzipSync(body)), 'gzip, gzip')).status, 200);
  for (const answer of [
    await send(gzipSync(body).subarray(0, 20), 'gzip'),
    await send(Buffer.from(body), 'zstd'),
    await send(Buffer.from(body), 'gzip'),
  ])
    assert.equal([answer.status, answer.body], [400, { error: 'Invalid request body' }]);
  assert.equal(await stored('distinct_id'), ['z', 'z']);
});

x('shares one limit of 500 a minute between the four paths, with the usual refusal', async () => {
  here.test.clock.set(new Date(Math.floor(Date.now() / 60_000) * 60_000));
  try {
    const paths = ['batch', 'track', 'people', 'alias'];
    const answers = await Promise.all(
      Array.from({ length: 510 }, (_, i) => here.world.live.post(`/api/v1/${paths[i % 4]}`, '{')),
    );
    const limited = answers.filter(({ status }) => status === 429);
    assert.is(limited.length, 10);
    assert.equal(limited[0]?.body, { error: 'Rate limit exceeded. Please wait a moment.' });
    assert.is((await batch(here.world.test, [track('u')])).status, 200);
  } finally {
    here.test.clock.set(new Date());
  }
});

x('counts requests without a key by /64 network, as one client has it', async () => {
  here.test.clock.set(new Date(Math.floor(Date.now() / 60_000) * 60_000));
  try {
    const send = async (address: string) =>
      (await fetch(`${here.test.baseUrl}/api/v1/track`, { method: 'POST', headers: { 'x-forwarded-for': address } }))
        .status;
    const answers = await Promise.all(Array.from({ length: 505 }, (_, i) => send(`2001:db8:0:1::${i.toString(16)}`)));
    assert.is(answers.filter((status) => status === 429).length, 5);
    assert.is(await send('2001:db8:0:2::1'), 401);
  } finally {
    here.test.clock.set(new Date());
  }
});

x('lets browsers in', async () => {
  const preflight = await here.world.live.send('OPTIONS', '/api/v1/batch', undefined, {
    origin: 'https://shop.example',
  });
  assert.is(preflight.status, 204);
  const allowed = String(preflight.headers.get('access-control-allow-headers')).split(', ');
  for (const header of ['idempotency-key', 'content-encoding', 'authorization', 'traceparent', 'tracestate', 'baggage'])
    assert.ok(allowed.includes(header), header);
  const refused = await here.world.live.withKey('').post('/api/v1/track', '{');
  assert.is(refused.headers.get('access-control-allow-origin'), '*');
});

x.run();
