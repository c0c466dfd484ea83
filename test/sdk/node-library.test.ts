import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Decisions, decisionsOf } from '../../src/sdk/core/decisions.js';
import type { FlagDetails } from '../../src/sdk/node/decider.js';
import type { NodeOptions } from '../../src/sdk/node/options.js';
import { createQuarterdeck, type Quarterdeck } from '../../src/sdk/node/quarterdeck.js';
import { buildCohort } from '../support/factories/cohort-factory.js';
import { buildConfigItem } from '../support/factories/config-factory.js';
import { buildKey, buildProject, buildWorld, type World } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { lineTo } from '../support/receivers/breakable-line.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

interface Context {
  test: TestApp;
  world: World;
  key: string;
  folder: string;
}

const x = suite<Context>('@quarterdeck/node');

const SCOPES = ['definitions', 'decide', 'ingest'];

x.before(async (context) => {
  context.test = await openTestApp();
  context.world = await buildWorld(context.test);
  context.key = await buildKey(context.world.owner, context.world.projectId, 'live', SCOPES);
  context.folder = await mkdtemp(join(tmpdir(), 'quarterdeck-node-'));
});
x.after(async ({ test, folder }) => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

/** A library that does not touch the test process. */
function open(
  { test, key }: Context,
  options: Partial<NodeOptions> = {},
): { library: Quarterdeck; warnings: string[] } {
  const warnings: string[] = [];
  const alone = { captureErrors: false, flushOnExit: false, warn: (message: string) => void warnings.push(message) };
  return { library: createQuarterdeck({ url: test.baseUrl, key, ...alone, ...options }), warnings };
}

x('decides like the server', async (context) => {
  const { world } = context;
  const half = { percentage: 50, variant: 'on' };
  const pro = [{ attribute: 'context.plan', operator: 'in', values: ['pro'] }];
  await buildFlag(world, { key: 'pro', rules: [{ conditions: pro, variant: 'on' }] });
  await buildFlag(world, { key: 'half', rules: [half] });
  await buildFlag(world, { key: 'needs-half', prerequisites: [{ key: 'half', variants: ['on'] }] });
  await buildFlag(world, {
    key: 'ios',
    rules: [{ conditions: [{ attribute: 'platform', values: ['ios'] }], ...half }],
  });
  await buildFlag(world, {
    key: 'split',
    rules: [
      {
        split: [
          { variant: 'on', weight: 1 },
          { variant: 'off', weight: 2 },
        ],
      },
    ],
  });
  await buildConfigItem(world, { key: 'limit', value: '5', rules: [{ conditions: pro, value: '50' }] });
  await buildConfigItem(world, { key: 'words', type: 'json', value: '{"title":"Hello"}' });
  const { library } = open(context);
  assert.is(await library.ready, true);
  for (let at = 0; at < 40; at += 1) {
    const said = { platform: at % 2 ? 'iOS' : 'web', context: { plan: at % 3 ? 'pro' : 'free' } };
    const { body } = await world.live.post('/api/v1/handshake', { distinct_id: `user-${at}`, ...said });
    const { switch: flags, config } = (body as { modules: Record<string, Record<string, Record<string, object>>> })
      .modules;
    const here = { distinctId: `user-${at}`, ...said };
    for (const [key, decision] of Object.entries(flags?.flags ?? {})) {
      const { openFeatureReason, lacksBucket, ...details } = library.flagDetails(key, here) ?? {};
      assert.equal(details, decision, key);
    }
    for (const [key, { type, ...decision }] of Object.entries(config?.values ?? {}) as [string, { type: string }][])
      assert.equal(library.configDetails(key, here), decision, key);
  }
  assert.is(library.config('limit', 1, { context: { plan: 'pro' } }), 50);
  assert.equal(library.config('words', { title: '' }), { title: 'Hello' });
  assert.equal(library.bootstrap({ context: { plan: 'pro' } }).flags?.pro, true);
  await library.close();
});

x('decides by cohorts like the server, for anyone whose stored data it is given', async (context) => {
  const world = await buildProject(context.world);
  const key = await buildKey(world.owner, world.projectId, 'live', SCOPES);
  const asks = (...values: string[]) => [
    { conditions: [{ attribute: 'cohort', operator: 'in', values }], variant: 'on' },
  ];
  const half = [{ conditions: [{ attribute: 'props.age', operator: 'gte', values: [5] }], percentage: 50 }];
  await buildCohort(world, {
    name: 'payers',
    predicate: 'AND(props.plan = "pro", OR(props.paid = "true", props.age = "4"))',
  });
  await buildCohort(world, { name: 'friends', distinctIds: ['user-1', 'user-2'] });
  await buildCohort(world, { name: 'halves', rules: half });
  await buildCohort(world, { name: 'both', distinctIds: ['user-3'], rules: half });
  for (const name of ['payers', 'friends', 'halves', 'both'])
    await buildFlag(world, { key: `of-${name}`, rules: asks(name) });
  await buildConfigItem(world, { key: 'limit', value: '5', rule: { cohort: 'payers', value: '7' } });
  // Enough of them that a random half is never empty.
  const people = Array.from({ length: 36 }, (_, at) => ({
    distinct_id: `user-${at}`,
    properties: { plan: at % 2 ? 'pro' : 'free', paid: at % 3 > 0, age: at },
  }));
  await world.live.post('/api/v1/batch', { operations: people.map((payload) => ({ type: 'people', payload })) });
  const { library, warnings } = open({ ...context, key });
  await library.ready;
  const seen = new Set<string>();
  for (const { distinct_id, properties } of people) {
    // The plan in a request counts for rules, but not for stored data.
    const said = { context: { plan: 'pro' } };
    const { body } = await world.live.post('/api/v1/handshake', { distinct_id, ...said });
    const { flags, config } = decisionsOf(body) as Decisions;
    const here = { distinctId: distinct_id, properties, ...said };
    for (const [flag, decision] of Object.entries(flags)) {
      const { variant, reason, value, version } = library.flagDetails(flag, here) as FlagDetails;
      assert.equal({ value, variant, reason, version }, decision, `${flag} of ${distinct_id}`);
      seen.add(`${flag} ${variant}`);
    }
    assert.is(library.config('limit', 0, here), config.limit?.value);
  }
  assert.is(seen.size, 8, 'each is decided either way');
  assert.is(library.flag('of-friends', true, { distinctId: 'user-9', cohorts: ['friends'] }), true);
  assert.is(library.flag('of-halves', true, { distinctId: 'user-9' }), false);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? '', /"of-halves" use (?!.*cohorts)/);
  await library.close();
});

x('warns if it does not know who is in a cohort', async (context) => {
  const world = await buildProject(context.world);
  const key = await buildKey(world.owner, world.projectId, 'live', SCOPES);
  await buildCohort(world, {
    name: 'many',
    members: { distinctIds: Array.from({ length: 1_001 }, (_, at) => `user-${at}`) },
  });
  const rules = [{ conditions: [{ attribute: 'cohort', operator: 'in', values: ['many'] }], variant: 'on' }];
  await buildFlag(world, { key: 'of-many', rules });
  const { library, warnings } = open({ ...context, key });
  await library.ready;
  assert.is(library.flag('of-many', true, { distinctId: 'user-1', cohorts: ['many'] }), true);
  assert.equal(warnings, []);
  assert.is(library.flag('of-many', true, { distinctId: 'user-1' }), false);
  assert.match(warnings.join(), 'use cohorts');
  await library.close();
});

x('serves fallbacks for anything unknown or of another type, and never throws', async (context) => {
  await buildFlag(context.world, { key: 'typed' });
  const { library, warnings } = open(context);
  await library.ready;
  assert.is(library.flag('typed', false), true);
  assert.is(library.flag('typed', 'text'), 'text');
  assert.is(library.flag('unheard-of', 7), 7);
  assert.is(library.flagDetails('unheard-of'), null);
  assert.is(library.flag('typed', false, { distinctId: 5, cohorts: 'x', now: 'y' } as never), true);
  assert.is(library.flag('typed', false, null as never), false, 'no context at all');
  library.track('u', 'circular', JSON.parse('{"a":1}'));
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  library.track('u', 'circular', circle as never);
  assert.is(await library.flush(), 0);
  assert.is(warnings.length, 1, 'that of no context');
  await library.close();
});

x('warns once about rules that need data only the server stores', async (context) => {
  const conditions = [{ attribute: 'props.plan', operator: 'in', values: ['pro'] }];
  await buildFlag(context.world, { key: 'personal', rules: [{ conditions, variant: 'on' }] });
  const { library, warnings } = open(context);
  await library.ready;
  assert.is(library.flag('personal', true, { distinctId: 'u' }), false);
  assert.is(library.flag('personal', true, { distinctId: 'u' }), false);
  assert.is(warnings.filter((message) => message.includes('properties.plan')).length, 1);
  assert.is(library.flag('personal', false, { distinctId: 'u', properties: { plan: 'pro' } }), true);
  await library.close();
});

x('receives a halt at once, through the stream alone', async (context) => {
  const { world } = context;
  await buildFlag(world, { key: 'halted-soon' });
  const { library } = open(context, { pollSeconds: 3_600 });
  await library.ready;
  await until('the stream', () => library.isStreaming);
  assert.is(library.flag('halted-soon', false), true);
  let changes = 0;
  const stop = library.onChange(() => {
    changes += 1;
  });
  await until('a quiet stream', () => changes >= 0);
  await world.live.post('/api/switch/halt-webhook', { flag_key: 'halted-soon', reason: 'errors' });
  await until('the halt', () => library.flag('halted-soon', true) === false);
  assert.is(library.flagDetails('halted-soon')?.reason, 'halted');
  assert.ok(changes > 0);
  stop();
  await library.close();
});

x('continues without the server, even from a file at the next start or with an unauthorized key', async (context) => {
  await buildFlag(context.world, { key: 'kept' });
  const file = join(context.folder, 'definitions.json');
  const first = open(context, { file });
  await first.library.ready;
  await first.library.close();
  assert.is(first.library.flag('kept', false), true, 'after close');
  const away = open(context, { file, url: 'http://127.0.0.1:9' });
  assert.is(away.library.flag('kept', false), true, 'before anything was requested');
  assert.is(await away.library.ready, false);
  assert.is(away.library.flag('kept', false), true);
  await away.library.close();
  assert.match(away.warnings.join(), ':9 cannot be reached: connect ECONNREFUSED 127.0.0.1:9. Check the url');
  const refused = open(context, { key: context.world.keys.live });
  assert.is(await refused.library.ready, false);
  assert.is(refused.library.flag('kept', false), false);
  assert.match(refused.warnings.join(), 'scope "definitions"');
  await refused.library.close();
});

const namesOf = async ({ test, world }: Context, distinctId: string): Promise<string[]> => {
  const { rows } = await test.app.pool.query<{ name: string }>(
    'select event_name as name from event where project_id = $1 and distinct_id = $2 order by occurred_at, id',
    [world.projectId, distinctId],
  );
  return rows.map(({ name }) => name);
};

x('sends every event once, despite an outage and an operation that the server refuses', async (context) => {
  const { url, line, server } = await lineTo(context.test.baseUrl);
  const { library, warnings } = open(context, { url, stream: false });
  await library.ready;
  line.broken = 503;
  for (let at = 0; at < 30; at += 1) library.track('busy', `event-${at}`);
  library.track('busy', '');
  library.setProperties('busy', { plan: 'pro' });
  assert.is(await library.flush(), 32);
  line.broken = null;
  await until('everything', async () => (await library.flush()) === 0);
  assert.is((await namesOf(context, 'busy')).length, 30);
  assert.is(warnings.filter((message) => message.includes('dropped what the server will never accept')).length, 1);
  await library.close();
  server.closeAllConnections();
  server.close();
});

x('keeps memory within its limit', async (context) => {
  const { library, warnings } = open(context, { url: 'http://127.0.0.1:9', queueSize: 10 });
  for (let at = 0; at < 25; at += 1) library.track('u', `event-${at}`);
  assert.is(await library.flush(), 10);
  assert.match(warnings.join(), 'the oldest is dropped');
  await library.close(100);
});

/** Runs a program that uses the library in a separate process. */
function run({ test, key }: Context, program: string) {
  const start = `import { createQuarterdeck } from ${JSON.stringify(`${process.cwd()}/dist/src/sdk/node/quarterdeck.js`)};
    const library = createQuarterdeck(${JSON.stringify({ url: test.baseUrl, key })});
    await library.ready;`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', start + program]);
  let [out, errors] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = new Promise<{ code: number | null; signal: string | null; errors: string }>((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal, errors })),
  );
  return { child, ended, out: () => out };
}

const crashesOf = async ({ test, world }: Context): Promise<string[]> => {
  const { rows } = await test.app.pool.query<{ value: string }>(
    "select payload->'exception'->>'value' as value from crash_event where project_id = $1",
    [world.projectId],
  );
  return rows.map(({ value }) => value);
};

x('reports a crash and lets the process end as it would have', async (context) => {
  const thrown = await run(context, "setTimeout(() => { throw new TypeError('broken pipe') }, 10);").ended;
  assert.is(thrown.code, 1);
  assert.match(thrown.errors, 'TypeError: broken pipe');
  const rejected = await run(context, "Promise.reject(new Error('refused')); setTimeout(() => {}, 5000);").ended;
  assert.is(rejected.code, 1);
  const caught = await run(
    context,
    "process.on('uncaughtException', () => { setTimeout(() => process.exit(7), 50) }); setTimeout(() => { throw new Error('caught') }, 10);",
  ).ended;
  assert.is(caught.code, 7);
  const options = `{ url: ${JSON.stringify(context.test.baseUrl)}, key: ${JSON.stringify(context.key)}, release: 7n }`;
  const fails = `setTimeout(() => { throw new Error('of a release that is no text') }, 10);`;
  const numbered = await run(context, `await library.close(); createQuarterdeck(${options}); ${fails}`).ended;
  assert.is(numbered.code, 1);
  assert.equal((await crashesOf(context)).sort(), ['broken pipe', 'caught', 'of a release that is no text', 'refused']);
});

x('reports a crash of code loaded before the program once, whoever loads it again', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-preload-'));
  const library = `${process.cwd()}/dist/src/sdk/node/quarterdeck.js`;
  const preload = join(folder, 'instrument.mjs');
  await writeFile(
    preload,
    `import { appendFileSync } from 'node:fs';
     import { createQuarterdeck } from ${JSON.stringify(library)};
     appendFileSync(${JSON.stringify(join(folder, 'starts'))}, '.');
     createQuarterdeck(${JSON.stringify({ url: context.test.baseUrl, key: context.key, fetch: false })});
     throw new Error('bad settings');`,
  );
  const child = spawn(process.execPath, ['-e', ''], {
    env: { ...process.env, NODE_OPTIONS: `--import file://${preload}` },
  });
  const [code] = await once(child, 'exit');
  assert.is(code, 1);
  assert.is(await readFile(join(folder, 'starts'), 'utf8'), '.');
  assert.ok((await crashesOf(context)).includes('bad settings'));
  await rm(folder, { recursive: true });
});

x('reports the flags in force and what came before, and sends what waited beside the crash', async (context) => {
  await buildFlag(context.world, { key: 'in-force', rules: [{ variant: 'on' }] });
  const program = `
    globalThis._sentryDebugIds = { ['Error\\n    at x (file:///app/bundle.js:1:1)']: '85314830-023f-4cf1-a267-535f4e37bb17' };
    library.flag('in-force', false, { distinctId: 'u' });
    library.breadcrumb('queue', 'took a job', { id: 7 });
    library.track('crasher', 'before the crash');
    setTimeout(() => { throw new RangeError('with all of it') }, 10);`;
  assert.is((await run(context, program).ended).code, 1);
  assert.equal(await namesOf(context, 'crasher'), ['before the crash']);
  const { rows } = await context.test.app.pool.query<{ payload: Record<string, unknown> }>(
    "select payload from crash_event where project_id = $1 and title like 'RangeError%'",
    [context.world.projectId],
  );
  const { extra, breadcrumbs, images } = (rows[0] as { payload: object }).payload as {
    extra: object;
    breadcrumbs: { message: string }[];
    images: { debugId: string }[];
  };
  assert.equal(extra, { flags: { 'in-force': true } });
  assert.equal(
    breadcrumbs.map(({ message }) => message),
    ['took a job'],
  );
  assert.equal(
    images.map(({ debugId }) => debugId),
    ['85314830-023f-4cf1-a267-535f4e37bb17'],
  );
});

x('sends what waits when the process ends, on its own, by exit or by a signal', async (context) => {
  const exited = await run(context, "library.track('leaver', 'at its word'); process.exit(3);").ended;
  assert.equal([exited.code, exited.errors], [3, '']);
  const itself = await run(context, "library.track('leaver', 'by itself');").ended;
  assert.equal([itself.code, itself.errors], [0, '']);
  const { child, ended, out } = run(
    context,
    "library.track('leaver', 'by signal'); setInterval(() => {}, 1000); console.log('ready');",
  );
  await until('the program', () => out().includes('ready'));
  child.kill('SIGTERM');
  assert.is((await ended).signal, 'SIGTERM');
  assert.equal((await namesOf(context, 'leaver')).sort(), ['at its word', 'by itself', 'by signal']);
});

x(
  'several libraries in a process all report before a signal ends it, unless the application listens, even once',
  async (context) => {
    const another = `createQuarterdeck(${JSON.stringify({ url: context.test.baseUrl, key: context.key, fetch: false })});`;
    const programs = [
      ['SIGTERM', `library.track('chorus', 'first'); ${another}`],
      [5, `process.once('SIGTERM', () => setTimeout(() => process.exit(5), 200)); ${another}`],
    ] as const;
    for (const [end, program] of programs) {
      const { child, ended, out } = run(context, `${program} setInterval(() => {}, 1000); console.log('ready');`);
      await until('the program', () => out().includes('ready'));
      child.kill('SIGTERM');
      const { code, signal } = await ended;
      assert.is(signal ?? code, end);
    }
    assert.equal(await namesOf(context, 'chorus'), ['first']);
  },
);

x.run();
