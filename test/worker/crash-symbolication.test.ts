import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { unshrinkable } from '../hostile/hostile-values.js';
import { refusalOf } from '../support/client.js';
import { buildProject, buildWorld, type World } from '../support/factories/factories.js';
import { appSuite } from '../support/factories/world-suite.js';
import { artifactOf, uploadSymbols } from '../support/symbols/symbol-client.js';
import { until } from '../support/until.js';

const crashes = appSuite('crash events and their symbols', { worker: true });

const MAPPING = `# {"id":"com.android.tools.r8.mapping","version":"2.2"}
com.example.shop.Cart -> a.b:
# {"id":"sourceFile","fileName":"Cart.kt"}
    1:3:void com.example.shop.Price.parse(java.lang.String):20:22 -> a
    1:3:void add(java.lang.String):41 -> a
com.example.shop.EmptyCartException -> a.c:
`;

const SOURCE =
  'export function renderBasket() {\n  loadBasket();\n}\nfunction loadBasket() {\n  throw new Error("x");\n}\n';
const SOURCE_MAP = JSON.stringify({
  version: 3,
  sources: ['src/basket.ts'],
  sourcesContent: [SOURCE],
  names: ['renderBasket', 'loadBasket'],
  mappings: 'AAAO,SAASA,IACdC,GACF,CACA,SAASA,IACP,MAAM',
});

interface EventNode {
  id: string;
  status: string;
  issueId: string | null;
  title: string;
  stacktrace: string | null;
  frames: {
    function: string | null;
    file: string | null;
    line: number | null;
    module: string | null;
    status: string;
  }[];
}

async function eventsOf(world: World): Promise<EventNode[]> {
  const { crashEvents } = await world.owner.client.graphql<{ crashEvents: { nodes: EventNode[] } }>(
    `query($p: ID!) { crashEvents(projectId: $p) { nodes {
       id status issueId title stacktrace frames { function file line module status } } } }`,
    { p: world.projectId },
  );
  return crashEvents.nodes;
}

/** The event once it satisfies a condition. */
function eventually(world: World, id: string, condition: (event: EventNode) => boolean): Promise<EventNode> {
  return until('the event', async () => {
    const event = (await eventsOf(world)).find((node) => node.id === id);
    return event && condition(event) && event;
  });
}

async function report(world: World, fields: object): Promise<string> {
  const id = randomUUID();
  const { body, status, text } = await world.live.post('/api/catch/events', { event_id: id, ...fields });
  assert.is(status, 200, text);
  assert.equal(body, { accepted: 1, rejected: 0, reject_reasons: [] });
  return id;
}

const javaCrash = (release: string) => ({
  platform: 'android',
  release,
  exception: {
    type: 'a.c',
    value: 'nothing to buy',
    frames: [{ module: 'a.b', function: 'a', file: 'SourceFile', line: 2, in_app: true }],
  },
});

crashes('crash first, symbols second: symbolicated within seconds, without a request', async ({ test }) => {
  const world = await buildWorld(test);
  const id = await report(world, javaCrash('2.0'));
  const before = await eventually(world, id, (event) => event.status !== 'pending');
  assert.is(before.status, 'unsymbolicated');
  assert.is(before.frames[0]?.status, 'missing_symbol');
  const { missingSymbols } = await world.owner.client.graphql<{ missingSymbols: object[] }>(
    'query($p: ID!) { missingSymbols(projectId: $p) { kind key debugId release events } }',
    { p: world.projectId },
  );
  assert.equal(missingSymbols, [{ kind: 'android_mapping', key: '2.0', debugId: null, release: '2.0', events: 1 }]);
  const fields = { kind: 'android_mapping', release: '2.0' };
  const answer = await uploadSymbols(world.owner.client, { name: 'mapping.txt', bytes: MAPPING }, fields);
  assert.is(artifactOf(answer).match_key, '2.0');
  const after = await eventually(world, id, (event) => event.status === 'symbolicated');
  assert.equal(after.frames, [
    { function: 'parse', file: 'Price.kt', line: 21, module: 'com.example.shop.Price', status: 'symbolicated' },
    { function: 'add', file: 'Cart.kt', line: 41, module: 'com.example.shop.Cart', status: 'symbolicated' },
  ]);
  assert.is(after.title, 'com.example.shop.EmptyCartException: nothing to buy');
  const { crashIssues } = await world.owner.client.graphql<{ crashIssues: { nodes: { id: string; title: string }[] } }>(
    'query($p: ID!) { crashIssues(projectId: $p) { nodes { id title eventCount } } }',
    { p: world.projectId },
  );
  assert.equal(crashIssues.nodes, [{ id: after.issueId, title: after.title, eventCount: 1 }]);
});

crashes('texts too long for an index delay neither their own event nor another', async ({ test }) => {
  const world = await buildWorld(test);
  const scriptCrash = (file: string, release: string) => ({
    platform: 'javascript',
    release,
    exception: { type: 'E', value: 'v', frames: [{ function: 'f', file, line: 1, column: 1, in_app: true }] },
  });
  const long = await report(world, scriptCrash(unshrinkable(3_900), unshrinkable(9_000)));
  const usual = await report(world, scriptCrash('https://shop.example/basket.min.js', '1'));
  const release = unshrinkable(700);
  const java = await report(world, javaCrash(release));
  for (const id of [long, usual, java]) await eventually(world, id, ({ status }) => status !== 'pending');
  await uploadSymbols(
    world.owner.client,
    { name: 'mapping.txt', bytes: MAPPING },
    { kind: 'android_mapping', release, match_key: release },
  );
  await eventually(world, java, ({ status }) => status === 'symbolicated');
});

crashes('an event whose result the database refuses is kept as it came, and delays no other', async ({ test }) => {
  const world = await buildWorld(test);
  await test.app.pool.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
     create trigger refuse before update on crash_event for each row
       when (new.project_id = '${world.projectId}' and new.title like '%poison%' and new.missing <> '{}') execute function refuse()`,
  );
  const frames = [{ function: 'f', file: 'https://shop.example/a.js', line: 1, column: 1, in_app: true }];
  const exceptions = ['poison', 'usual'].map((type) => ({ type, value: 'v', frames }));
  const events = exceptions.map((exception) => ({ event_id: randomUUID(), platform: 'javascript', exception }));
  const { status } = await world.live.post('/api/catch/events', { events });
  assert.is(status, 200);
  const [poison, usual] = await Promise.all(
    events.map(({ event_id: id }) => eventually(world, id, (event) => event.status !== 'pending')),
  );
  await test.app.pool.query('drop function refuse cascade');
  assert.equal([poison?.frames[0]?.status, poison?.frames[0]?.file], ['malformed', 'https://shop.example/a.js']);
  assert.is(usual?.frames[0]?.status, 'missing_symbol');
});

crashes('a raw Android trace is rewritten', async ({ test }) => {
  const world = await buildWorld(test);
  const fields = { kind: 'android_mapping', release: '3' };
  await uploadSymbols(world.owner.client, { name: 'mapping.txt', bytes: MAPPING }, fields);
  const raw = 'a.c: nothing to buy\n\tat a.b.a(SourceFile:2)\n\tat java.lang.Thread.run(Thread.java:7)';
  const id = await report(world, { platform: 'android', release: '3', raw_stacktrace: raw });
  const event = await eventually(world, id, ({ status }) => status === 'symbolicated');
  assert.is(
    event.stacktrace,
    [
      'com.example.shop.EmptyCartException: nothing to buy',
      '\tat com.example.shop.Price.parse(Price.kt:21)',
      '\tat com.example.shop.Cart.add(Cart.kt:41)',
      '\tat java.lang.Thread.run(Thread.java:7)',
    ].join('\n'),
  );
});

crashes('a minified script reads like its source', async ({ test }) => {
  const world = await buildWorld(test);
  const map = { name: 'app.min.js.map', bytes: SOURCE_MAP };
  await uploadSymbols(world.owner.client, map, { kind: 'js_sourcemap', release: '1' });
  const file = 'https://cdn.example.com/assets/app.min.js?v=3';
  const frames = [
    { function: 'b', file, line: 1, column: 35 },
    { function: 'a', file, line: 1, column: 15 },
  ];
  const crash = { platform: 'javascript', release: '1', exception: { type: 'Error', value: 'x', frames } };
  const event = await eventually(world, await report(world, crash), ({ status }) => status === 'symbolicated');
  assert.equal(
    event.frames.map((frame) => [frame.function, frame.file]),
    [
      ['loadBasket', 'src/basket.ts'],
      ['renderBasket', 'src/basket.ts'],
    ],
  );
});

crashes('events received over 24 hours ago are symbolicated only on request', async ({ test }) => {
  const world = await buildWorld(test);
  const [id, young] = [await report(world, javaCrash('4.0')), await report(world, javaCrash('4.0'))];
  for (const each of [id, young]) await eventually(world, each, (event) => event.status === 'unsymbolicated');
  await test.app.pool.query(
    `update crash_event set received_at = received_at - interval '25 hours' where event_id = $1`,
    [id],
  );
  const fields = { kind: 'android_mapping', release: '4.0' };
  await uploadSymbols(world.owner.client, { name: 'mapping.txt', bytes: MAPPING }, fields);
  // One statement marks all events that the file concerns as due: once the young one is done, the old one would at least be pending.
  await eventually(world, young, (event) => event.status === 'symbolicated');
  assert.is((await eventsOf(world)).find((event) => event.id === id)?.status, 'unsymbolicated');
  const reprocess = (i: object) =>
    world.owner.client.graphql<{ reprocessCrashEvents: { events: number } }>(
      'mutation($i: ReprocessCrashEventsInput!) { reprocessCrashEvents(input: $i) { events } }',
      { i: { projectId: world.projectId, ...i } },
    );
  const { crashIssues } = await world.owner.client.graphql<{ crashIssues: { nodes: { id: string }[] } }>(
    'query($p: ID!) { crashIssues(projectId: $p) { nodes { id } } }',
    { p: world.projectId },
  );
  const issueId = crashIssues.nodes[0]?.id ?? '';
  const { projectId: elsewhere } = await buildProject(world);
  for (const wrong of [
    { issueId: `${issueId}0` },
    { issueId: '' },
    { issueId, environment: 'test' },
    { issueId, projectId: elsewhere },
  ])
    assert.is((await refusalOf(reprocess(wrong))).code, 'ISSUE_NOT_FOUND', JSON.stringify(wrong));
  assert.is((await reprocess({})).reprocessCrashEvents.events, 2);
  await eventually(world, id, (event) => event.status === 'symbolicated');
  await reprocess({ issueId });
});

crashes('an event is stored once, and reports what cannot be read', async ({ test }) => {
  const world = await buildWorld(test);
  const event = { event_id: randomUUID(), message: 'disk full', platform: 'python' };
  const bad = { event_id: 'x', message: 'y' };
  for (let attempt = 0; attempt < 3; attempt++) {
    const { body } = await world.live.post('/api/catch/events', { events: [event, event, bad, 7] });
    assert.equal(body, {
      accepted: 2,
      rejected: 2,
      reject_reasons: [
        { event_id: 'x', reason: 'invalid_event_id' },
        { event_id: null, reason: 'not_an_object' },
      ],
    });
  }
  await eventually(world, event.event_id, ({ status }) => status !== 'pending');
  assert.is((await eventsOf(world)).length, 1);
});

crashes('times are read as ISO 8601, in UTC without a zone', async ({ test }) => {
  const world = await buildWorld(test);
  const of = async (timestamp: unknown, query = '') => {
    const id = randomUUID();
    const { body } = await world.live.post(`/api/catch/events${query}`, { event_id: id, message: 'x', timestamp });
    const { reject_reasons: rejected } = body as { reject_reasons: { reason: string }[] };
    if (rejected.length > 0) return rejected[0]?.reason;
    const { rows } = await test.app.pool.query<{ at: Date }>(
      'select occurred_at as at from crash_event where event_id = $1',
      [id],
    );
    return rows[0]?.at.toISOString();
  };
  for (const wrong of ['2023-02-30', '2024-01-01 10:00 GMT+0500', '2024-01-01T25:00:00Z', 'yesterday', '', 7, {}])
    assert.is(await of(wrong), 'invalid_timestamp', JSON.stringify(wrong));
  assert.is(await of('2024-01-01T10:00:00'), '2024-01-01T10:00:00.000Z');
  assert.is(await of('2024-01-01 10:00:00.5 +0530'), '2024-01-01T04:30:00.500Z');
  // A device whose clock began with 1970: an hour before it sent the event, or, if it doesn't say when, on receipt.
  const begun = test.clock.now().getTime();
  const corrected = Date.parse(String(await of('1970-01-02T09:00:00Z', '?sent_at=1970-01-02T10:00:00Z')));
  assert.ok(Math.abs(corrected + 3_600_000 - begun) < 600_000, `${corrected}`);
  assert.ok(Date.parse(String(await of('1970-01-02T09:00:00Z'))) >= begun);
});

crashes('line numbers too large for GraphQL are dropped, and as many frames are kept as fit', async ({ test }) => {
  const world = await buildWorld(test);
  const frame = { function: 'f', file: 'app.js', line: 3_000_000_000, column: 1e300, in_app: true };
  const odd = await report(world, { platform: 'other', exception: { type: 'E', value: 'v', frames: [frame] } });
  const { frames } = await eventually(world, odd, ({ status }) => status !== 'pending');
  assert.equal(
    frames.map(({ file, line }) => [file, line]),
    [['app.js', null]],
  );
  const raw = await report(world, { platform: 'javascript', raw_stacktrace: 'E: x\n    at f (a.js:3000000000:7)' });
  const traced = await eventually(world, raw, ({ status }) => status !== 'pending');
  assert.equal(
    traced.frames.map(({ file, line }) => [file, line]),
    [['a.js', null]],
  );
  const long = { ...frame, line: 1, column: 1, file: 'f'.repeat(4_000), module: 'm'.repeat(2_000) };
  const many = await report(world, {
    platform: 'other',
    exception: { type: 'E', value: 'v', frames: Array.from({ length: 1_000 }, () => long) },
  });
  const kept = (await eventually(world, many, ({ status }) => status !== 'pending')).frames.length;
  assert.ok(kept > 100 && kept < 200, `${kept} frames`);
});

crashes('an event belongs to the environment of its key, whatever it says itself', async ({ test }) => {
  const world = await buildWorld(test);
  const sent: Record<string, string> = {};
  for (const key of ['live', 'test'] as const) {
    for (const environment of ['live', 'test', 'staging', 7]) {
      const id = randomUUID();
      const { status, text } = await world[key].post('/api/catch/events', { event_id: id, message: 'x', environment });
      assert.is(status, 200, text);
      sent[id] = key;
    }
  }
  const { rows } = await test.app.pool.query<{ event_id: string; environment: string }>(
    'select event_id, environment from crash_event where project_id = $1',
    [world.projectId],
  );
  assert.equal(Object.fromEntries(rows.map((row) => [row.event_id, row.environment])), sent);
});

crashes('resolved issues regress, and alert rules fire', async ({ test }) => {
  const world = await buildWorld(test);
  const { client } = world.owner;
  const { projectId } = world;
  for (const rule of [
    { condition: 'issue_created' },
    { condition: 'issue_regressed' },
    { condition: 'event_count', threshold: 3, windowMinutes: 60 },
  ]) {
    await client.graphql('mutation($i: CreateAlertRuleInput!) { createAlertRule(input: $i) { id } }', {
      i: { projectId, name: rule.condition, ...rule },
    });
  }
  const frames = [{ function: 'f', file: 'a.py' }];
  const crash = { platform: 'python', exception: { type: 'KeyError', value: '1', frames } };
  const next = async () => eventually(world, await report(world, crash), (event) => event.issueId !== null);
  const first = await next();
  await client.graphql('mutation($i: IdInput!) { resolveCrashIssue(input: $i) { status } }', {
    i: { id: first.issueId },
  });
  assert.is((await next()).issueId, first.issueId);
  await next();
  await next();
  const { rows } = await test.app.pool.query<{ kind: string; rule: string | null }>(
    `select kind, data->>'rule_name' as rule from event_log
      where project_id = $1 and kind like 'catch.%' and kind <> 'catch.alert_rule.created' order by sequence`,
    [projectId],
  );
  assert.equal(
    rows.map(({ kind, rule }) => (rule ? `${kind} ${rule}` : kind)),
    [
      'catch.issue.created',
      'catch.alert.fired issue_created',
      'catch.issue.resolved',
      'catch.issue.regressed',
      'catch.alert.fired issue_regressed',
      'catch.alert.fired event_count',
    ],
  );
});

crashes('an unreadable file fails with its reason, and the next one is read', async ({ test }) => {
  const world = await buildWorld(test);
  const { client } = world.owner;
  const bad = { name: 'bad.js.map', bytes: '{"version":3,"sources":[],"mappings":"!"}' };
  const { id } = artifactOf(await uploadSymbols(client, bad, { kind: 'js_sourcemap' }));
  const good = artifactOf(
    await uploadSymbols(client, { name: 'good.js.map', bytes: SOURCE_MAP }, { kind: 'js_sourcemap' }),
  );
  const read = async () => {
    const { symbolArtifacts } = await client.graphql<{ symbolArtifacts: { nodes: Record<string, unknown>[] } }>(
      'query($p: ID!) { symbolArtifacts(projectId: $p) { nodes { id status failureCode indexedAt } } }',
      { p: world.projectId },
    );
    return new Map(symbolArtifacts.nodes.map((node) => [node.id, node]));
  };
  const artifacts = await until('the index of the good one', async () => {
    const artifacts = await read();
    return artifacts.get(good.id)?.indexedAt ? artifacts : null;
  });
  assert.is(artifacts.get(id)?.status, 'failed');
  assert.is(artifacts.get(id)?.failureCode, 'invalid_mappings');
  assert.is(artifacts.get(good.id)?.status, 'ready');
});

crashes.run();
