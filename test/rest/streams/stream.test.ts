import pg from 'pg';
import * as assert from 'uvu/assert';
import { EventStream } from '../../support/event-stream.js';
import { buildConfigItem } from '../../support/factories/config-factory.js';
import { buildKey, buildProject, buildWorld, type World } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { buildSurvey } from '../../support/factories/survey-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';
import { until } from '../../support/until.js';

const x = worldSuite<{ streams: EventStream[] }>('the stream');
x.before.each((context) => {
  context.streams = [];
});
x.after.each(({ streams }) => {
  for (const stream of streams) stream.close();
});

interface Opening {
  key?: string;
  path?: string;
  headers?: Record<string, string>;
}

async function open(
  { test, streams }: { test: TestApp; streams: EventStream[] },
  { key, path = '/api/v1/stream', headers = {} }: Opening,
): Promise<EventStream> {
  const stream = await EventStream.open(test.baseUrl + path, { ...(key ? { 'x-api-key': key } : {}), ...headers });
  streams.push(stream);
  if (stream.status === 200) await until('the beginning', () => stream.events.length > 0);
  return stream;
}

const halt = (world: World, key: string) => world.live.post('/api/switch/halt-webhook', { flag_key: key, reason: 'x' });

x('reports a changed module to the clients it concerns', async (context) => {
  const { world } = context;
  const { key } = await buildFlag(world);
  const live = await open(context, { key: world.keys.live });
  const test = await open(context, { key: world.keys.test });
  const other = await open(context, { key: (await buildProject(world)).keys.live });
  assert.is((await live.next('ready')).data.ping_seconds, 15);
  assert.ok((live.retry ?? 0) >= 1_000);
  await halt(world, key);
  const notice = await live.next('switch');
  assert.match(String(notice.data.etag), /^"[\w-]{10}"$/);
  assert.match(String(notice.data.refetch), /^[\w-]+\.\w+\.[\w-]+\.[\w-]+$/);
  await buildConfigItem(world, {});
  await live.next('config');
  await buildConfigItem(world, { environment: 'test' });
  await test.next('config');
  await buildSurvey(world);
  await live.next('surveys');
  await test.next('surveys');
  assert.equal(new Set(live.names()), new Set(['ready', 'switch', 'config', 'surveys']));
  assert.equal(new Set(test.names()), new Set(['ready', 'config', 'surveys']));
  assert.equal(other.names(), ['ready']);
});

x('reports releases, crash sampling rates, cohorts in use and switched modules', async (context) => {
  const world = await buildProject(context.world);
  const { graphql } = world.owner.client;
  const send = (mutation: string, input: object) =>
    graphql.call(
      world.owner.client,
      `mutation($i: ${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input!) { ${mutation}(input: $i) { id } }`,
      {
        i: input,
      },
    );
  await send('createCohort', { projectId: world.projectId, name: 'beta', distinctIds: ['one'] });
  const rules = [{ conditions: [{ attribute: 'cohort', values: ['beta'] }], variant: 'on' }];
  await buildFlag(world, { rules });
  const stream = await open(context, { key: world.keys.live });
  await world.owner.client.graphql(
    'mutation($i: UpdateCrashSettingsInput!) { updateCrashSettings(input: $i) { sampleRate } }',
    { i: { projectId: world.projectId, environment: 'live', sampleRate: 0.5 } },
  );
  await stream.next('catch');
  const before = stream.events.length;
  await send('createCohort', { projectId: world.projectId, name: 'alpha', distinctIds: ['two'] });
  await stream.next('analytics', before);
  await stream.next('switch', before);
  assert.not.ok(stream.names().includes('config'), 'no item uses a cohort');
  await send('updateProject', { id: world.projectId, disabledModules: ['config'] });
  await stream.next('config');
});

x('resumes where a client was, and starts where an answer was given', async (context) => {
  const world = await buildProject(context.world);
  const { key } = await buildFlag(world);
  const handshake = await world.live.get('/api/v1/handshake?distinct_id=u');
  const address = handshake.headers.get('quarterdeck-stream') ?? '';
  await halt(world, key);
  await until('the halt in answers', async () => {
    const again = await world.live.get('/api/v1/handshake?distinct_id=u');
    return again.headers.get('quarterdeck-stream') !== address;
  });
  const missed = await open(context, { path: address });
  const { id } = await missed.next('switch');
  const knowing = await open(context, { key: world.keys.live, headers: { 'last-event-id': id } });
  await buildSurvey(world);
  await knowing.next('surveys');
  assert.equal(new Set(knowing.names()), new Set(['ready', 'surveys']));
  const lost = await open(context, { key: world.keys.live, headers: { 'last-event-id': 'no position' } });
  await lost.next('surveys');
  assert.equal(
    new Set(lost.names()),
    new Set(['ready', 'switch', 'config', 'deploy', 'catch', 'analytics', 'surveys']),
  );
  for (const query of ['modules=config,surveys', 'modules=config&modules=surveys']) {
    const asked = await open(context, { key: world.keys.live, path: `/api/v1/stream?${query}&last_event_id=x` });
    await asked.next('surveys');
    // A set: on a busy machine the survey's creation and its publishing are two notices.
    assert.equal(new Set(asked.names()), new Set(['ready', 'config', 'surveys']), query);
  }
});

x('changes without effect are not reported, and many at once are reported as few', async (context) => {
  const world = await buildProject(context.world);
  const stream = await open(context, { key: world.keys.live });
  await Promise.all(Array.from({ length: 20 }, () => buildFlag(world)));
  await buildSurvey(world);
  await stream.next('surveys');
  const told = stream.names().filter((name) => name === 'switch').length;
  assert.ok(told >= 1 && told <= 20, `${told} notices`);
  await until('the same position as a stream that starts now', async () => {
    const again = await open(context, { key: world.keys.live });
    return (await again.next('ready')).id === stream.events.at(-1)?.id;
  });
  const { length } = stream.events;
  await world.owner.client.graphql('mutation($i: UpdateProjectInput!) { updateProject(input: $i) { id } }', {
    i: { id: world.projectId, name: 'Another name' },
  });
  await buildConfigItem(world, {});
  await stream.next('config', length);
  assert.equal(stream.names().slice(length), ['config']);
});

x('forbids caching and buffering, and lets pages of any origin read it', async (context) => {
  const { headers } = (await open(context, { key: context.world.keys.live, headers: { origin: 'https://a.example' } }))
    .response;
  assert.is(headers.get('content-type'), 'text/event-stream');
  assert.is(headers.get('cache-control'), 'no-store, no-transform');
  assert.is(headers.get('x-accel-buffering'), 'no');
  assert.is(headers.get('access-control-allow-origin'), '*');
  const preflight = await context.world.live.send('OPTIONS', '/api/v1/stream', undefined, {});
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', 'last-event-id');
  const head = await context.world.live.send('HEAD', '/api/v1/stream', undefined, {});
  assert.equal([head.status, head.headers.get('content-type')], [200, 'text/event-stream']);
});

x('a notice carries a pass, with which refetches bypass the limit and count once', async (context) => {
  const world = await buildProject(context.world);
  const { key } = await buildFlag(world);
  const { test } = context;
  // Limits reset every minute.
  test.clock.set(new Date());
  const stream = await open(context, { key: world.keys.live });
  const other = await open(context, { key: world.keys.test });
  await halt(world, key);
  const pass = String((await stream.next('switch')).data.refetch);
  for (let n = 0; n < 500; n += 1) await test.app.parts.shared.counters.increment(`decisions:key:${world.keys.live}`);
  const path = '/api/v1/handshake?distinct_id=u';
  assert.is((await world.live.get(path)).status, 429);
  const before = await decisionsOf(context.test, world);
  for (let n = 0; n < 10; n += 1)
    assert.is((await world.live.get(path, { 'quarterdeck-refetch': pass })).status, 200, `use ${n}`);
  assert.is((await world.live.get(path, { 'quarterdeck-refetch': pass })).status, 429, 'used up');
  await until('the count', async () => (await decisionsOf(context.test, world)) === before + 1);
  assert.is((await world.live.get(path, { 'quarterdeck-refetch': `${pass}x` })).status, 429, 'forged');
  await buildFlag(world, { environment: 'test' });
  const foreign = String((await other.next('switch')).data.refetch);
  assert.is((await world.live.get(path, { 'quarterdeck-refetch': foreign })).status, 429, 'of another environment');
  const { key: another } = await buildFlag(world);
  await halt(world, another);
  const late = String((await stream.next('switch', stream.events.length)).data.refetch);
  test.clock.advance(61_000);
  for (let n = 0; n < 500; n += 1) await test.app.parts.shared.counters.increment(`decisions:key:${world.keys.live}`);
  assert.is((await world.live.get(path, { 'quarterdeck-refetch': late })).status, 429, 'too late');
});

x('sends a server that decides locally the changed definitions, and nothing else', async (context) => {
  const world = await buildProject(context.world);
  const { key } = await buildFlag(world);
  const secret = await buildKey(world.owner, world.projectId, 'live', ['definitions']);
  const path = '/api/v1/switch/definitions/stream';
  const stream = await open(context, { key: secret, path });
  assert.is(stream.response.headers.get('access-control-allow-origin'), null, 'not for pages');
  await buildSurvey(world);
  await halt(world, key);
  const halted = (await stream.next('patch')).data.flags as { put: { key: string; halted: boolean }[] };
  assert.equal(
    halted.put.map((flag) => [flag.key, flag.halted]),
    [[key, true]],
  );
  const { key: item } = await buildConfigItem(world, {});
  const made = (await stream.next('patch', stream.events.length)).data.config as { put: { key: string }[] };
  assert.equal(
    made.put.map((each) => each.key),
    [item],
  );
  assert.equal([...new Set(stream.names())], ['put', 'ready', 'patch']);
  assert.is((await world.live.get(path)).status, 403, 'an ordinary key');
});

x('sends large definitions whole, and goes on with their changes', async (context) => {
  const world = await buildProject(context.world);
  const value = 'a'.repeat(200_000);
  await buildConfigItem(world, { type: 'string', value });
  const { key } = await buildFlag(world);
  const secret = await buildKey(world.owner, world.projectId, 'live', ['definitions']);
  const stream = await open(context, { key: secret, path: '/api/v1/switch/definitions/stream' });
  const { definitions } = (await stream.next('put')).data as { definitions: { config: { value: string }[] } };
  assert.is(definitions.config[0]?.value, value);
  await stream.next('ready');
  await halt(world, key);
  await stream.next('patch');
  assert.not.ok(stream.ended);
});

x('stays open if it is opened while the keys of others are being checked', async (context) => {
  const { test, world } = context;
  const other = await buildKey(world.owner, world.projectId, 'live');
  // Nothing that is known about the other key expires.
  test.clock.set(new Date());
  await open(context, { key: world.keys.live });
  assert.is((await world.live.withKey(other).get('/api/v1/handshake?distinct_id=u')).status, 200);
  const client = new pg.Client({ connectionString: test.databaseUrl });
  await client.connect();
  try {
    await client.query('begin; lock table project_key');
    await until('a check that waits', async () => {
      const { rows } = await test.app.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%k.id = any%'`,
      );
      return rows.length > 0;
    });
    const opened = await open(context, { key: other });
    await client.query('commit');
    await buildFlag(world);
    await until('the end, or the flag', () => opened.ended || opened.names().includes('switch'));
    assert.not(opened.ended);
  } finally {
    await client.end();
  }
});

x('streams are limited per key and per organization', async () => {
  const test = await openTestApp({ settings: { STREAMS_PER_KEY: '2', STREAMS_PER_ORGANIZATION: '3' } });
  const streams: EventStream[] = [];
  try {
    const world = await buildWorld(test);
    const another = await buildKey(world.owner, world.projectId, 'live', ['decide', 'definitions']);
    const context = { test, streams };
    for (const key of [world.keys.live, world.keys.live, another])
      assert.is((await open(context, { key })).status, 200);
    for (const key of [world.keys.live, another]) {
      const refused = await world.live.withKey(key).get('/api/v1/stream');
      assert.is(refused.status, 429);
      assert.is((refused.body as { error: string }).error, 'too_many_streams');
    }
    const ofrep = await world.live.get('/ofrep/v1/stream');
    assert.is((ofrep.body as { error: string }).error, 'too_many_streams');
    const definitions = await world.live.withKey(another).get('/api/v1/switch/definitions/stream');
    assert.is((definitions.body as { error: string }).error, 'too_many_streams');
    streams[0]?.close();
    await until('room', async () => (await world.live.get('/api/v1/stream')).status === 200);
  } finally {
    for (const stream of streams) stream.close();
    await test.close();
  }
});

async function decisionsOf({ app }: TestApp, { projectId }: World): Promise<number> {
  const { rows } = await app.pool.query<{ used: number }>(
    "select coalesce(sum(used), 0)::int as used from quota_usage where project_id = $1 and meter = 'decisions'",
    [projectId],
  );
  return rows[0]?.used ?? 0;
}

x.run();
