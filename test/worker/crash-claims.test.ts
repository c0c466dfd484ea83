import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { buildWorld, type World } from '../support/factories/factories.js';
import { appSuite } from '../support/factories/world-suite.js';
import { uploadSymbols } from '../support/symbols/symbol-client.js';
import type { TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const claims = appSuite('crash events that are symbolicated together', { worker: true });

const crash = (cause: string, release: string | null = null) => ({
  platform: 'node',
  release,
  exception: { type: cause, value: cause, frames: [{ function: cause, file: 'app.js', line: 1, in_app: true }] },
  tags: { cause },
});

/** Sends events, whose ids are in order, and waits until none of the project's events waits. */
async function settle(test: TestApp, { live, projectId }: World, events: object[]): Promise<void> {
  const ids = events.map(() => randomUUID()).toSorted();
  const { status, text } = await live.post('/api/catch/events', {
    events: events.map((event, at) => ({ event_id: ids[at], ...event })),
  });
  assert.is(status, 200, text);
  await settled(test, projectId);
}

function settled(test: TestApp, projectId: string): Promise<unknown> {
  return until('no event waits', async () => {
    const { rowCount } = await test.app.pool.query(
      `select from crash_event where project_id = $1 and status = 'pending'`,
      [projectId],
    );
    return rowCount === 0;
  });
}

/** A project with an alert rule for each condition and an issue of each kind: resolved, ignored until its third event, merged. */
async function triaged(test: TestApp): Promise<World> {
  const world = await buildWorld(test);
  const { client } = world.owner;
  for (const condition of ['issue_created', 'issue_regressed', 'event_count']) {
    const input = { projectId: world.projectId, name: condition, condition, threshold: 3 };
    await client.graphql('mutation($i: CreateAlertRuleInput!) { createAlertRule(input: $i) { id } }', { i: input });
  }
  await settle(
    test,
    world,
    ['Resolved', 'Ignored', 'Whole', 'Part'].map((cause) => crash(cause, '1')),
  );
  const { crashIssues } = await client.graphql<{ crashIssues: { nodes: { id: string; title: string }[] } }>(
    'query($p: ID!) { crashIssues(projectId: $p) { nodes { id title } } }',
    { p: world.projectId },
  );
  const id = (cause: string) => crashIssues.nodes.find(({ title }) => title.startsWith(cause))?.id;
  const change = (mutation: string, type: string, input: object) =>
    client.graphql(`mutation($i: ${type}!) { ${mutation}(input: $i) { id } }`, { i: input });
  await change('resolveCrashIssue', 'IdInput', { id: id('Resolved') });
  await change('ignoreCrashIssue', 'IgnoreCrashIssueInput', { id: id('Ignored'), events: 2 });
  await change('mergeCrashIssues', 'MergeCrashIssuesInput', { intoId: id('Whole'), ids: [id('Part')] });
  // An event after the moment of resolution.
  await test.app.pool.query(
    `update crash_issue set resolved_at = resolved_at - interval '1 minute' where project_id = $1 and status = 'resolved'`,
    [world.projectId],
  );
  return world;
}

/** What became of a project's crashes, without what differs between projects. */
async function outcome({ app }: TestApp, { projectId }: World): Promise<Record<string, unknown[]>> {
  const rows = async (sql: string) => (await app.pool.query<object>(sql, [projectId])).rows;
  return {
    issues: await rows(
      `select i.title, i.culprit, i.platform, i.level, i.status, i.event_count, i.first_release, i.last_release, i.ignored,
         i.ignored_until_count, i.resolved_at is null as open, w.title as whole
         from crash_issue i left join crash_issue w on w.id = i.merged_into_id where i.project_id = $1 order by i.title`,
    ),
    events: await rows(
      `select e.title, e.status, e.packed_frames, e.release, e.payload, i.title as issue from crash_event e
         join crash_issue i on i.id = e.issue_id where e.project_id = $1 order by e.event_id, e.title`,
    ).then((events) => events.map((event) => JSON.stringify(event)).toSorted()),
    happened: await rows(
      `select kind, data->>'title' as title, data->>'release' as release from event_log
        where project_id = $1 and kind like 'catch.issue.%' order by sequence`,
    ),
    alerts: await rows(
      `select data->>'rule_name' as rule, i.title from event_log join crash_issue i on i.id = data->>'issue_id'
        where event_log.project_id = $1 and kind = 'catch.alert.fired' order by 1, 2`,
    ),
  };
}

const EVENTS = [
  crash('New', '2'),
  crash('Ignored', '2'),
  crash('Part', '2'),
  crash('Resolved', '2'),
  crash('New', '3'),
  crash('Ignored', '3'),
  crash('Whole', '3'),
  crash('Resolved', '3'),
  crash('Ignored'),
  crash('Other', '3'),
  crash('New'),
];

claims('many at once give the same result as one after the other', async ({ test }) => {
  const [together, apart] = [await triaged(test), await triaged(test)];
  await settle(test, together, EVENTS);
  for (const event of EVENTS) await settle(test, apart, [event]);
  const [all, each] = [await outcome(test, together), await outcome(test, apart)];
  assert.equal(all, each);
  assert.equal(
    all.happened?.slice(-4).map((event) => (event as { kind: string }).kind),
    ['catch.issue.created', 'catch.issue.regressed', 'catch.issue.reopened', 'catch.issue.created'],
  );
});

claims('events moved by new symbols count in one issue only, and an abandoned issue is gone', async ({ test }) => {
  const world = await buildWorld(test);
  const java = (at: number) => ({
    platform: 'android',
    release: '1',
    exception: { type: 'E', frames: [{ module: 'a.b', function: at % 2 === 0 ? 'a' : 'b', file: 'S', line: 1 }] },
  });
  await settle(
    test,
    world,
    Array.from({ length: 120 }, (_, at) => java(at)),
  );
  const counts = async () => {
    const { rows } = await test.app.pool.query<{ event_count: string; events: string }>(
      `select event_count, (select count(*) from crash_event where issue_id = i.id) as events
         from crash_issue i where project_id = $1`,
      [world.projectId],
    );
    return rows.map(({ event_count, events }) => [Number(event_count), Number(events)]);
  };
  assert.equal(await counts(), [
    [60, 60],
    [60, 60],
  ]);
  const bytes = 'com.example.Cart -> a.b:\n    1:1:void add():41:41 -> a\n    1:1:void add():41:41 -> b\n';
  await uploadSymbols(world.owner.client, { name: 'mapping.txt', bytes }, { kind: 'android_mapping', release: '1' });
  await until('the events are in one issue', async () => (await counts()).length === 1);
  await settled(test, world.projectId);
  assert.equal(await counts(), [[120, 120]]);
});

/** A crash in a library without symbols, loaded at a different address in every process. */
const native = (base: number, names: string[]) => ({
  platform: 'linux',
  exception: {
    type: 'SIGSEGV',
    frames: names.map((name, at) => ({ function: name, address: `0x${(base + 0x100 + at).toString(16)}` })),
  },
  debug_images: [
    {
      type: 'elf',
      debug_id: 'd6a1f2c3-0000-4000-8000-0123456789ab',
      code_file: 'libshop.so',
      image_addr: `0x${base.toString(16)}`,
      image_size: 0x1000,
    },
  ],
});

interface Framed {
  frames: object[];
}

claims('frames that events share are stored alike, and each event shows its own addresses', async ({ test }) => {
  const world = await buildWorld(test);
  const bases = Array.from({ length: 130 }, (_, at) => 0x70000000 + at * 0x10000);
  const names = ['open\u0000"\\u0000', 'zerlegt \ud800 \u2028'];
  await settle(
    test,
    world,
    bases.map((base) => native(base, names)),
  );
  const { crashIssues } = await world.owner.client.graphql<{
    crashIssues: { nodes: { eventCount: string; some: { nodes: Framed[] }; rest: { nodes: Framed[] } }[] };
  }>(
    `query($p: ID!) { crashIssues(projectId: $p) { nodes { eventCount
       some: events(first: 100) { nodes { ...framed } } rest: events(last: 30) { nodes { ...framed } } } } }
     fragment framed on CrashEvent { frames { function address module } }`,
    { p: world.projectId },
  );
  const [issue, ...others] = crashIssues.nodes;
  assert.equal(others, [], 'the load address does not split an issue');
  assert.is(Number(issue?.eventCount), bases.length);
  const nodes = [...(issue?.some.nodes ?? []), ...(issue?.rest.nodes ?? [])];
  const shown = nodes.map(({ frames }) => JSON.stringify(frames)).toSorted();
  const own = bases.map((base) => [
    { function: 'open\ufffd"\\u0000', address: `0x${(base + 0x100).toString(16)}`, module: 'libshop.so' },
    { function: 'zerlegt \ufffd \u2028', address: `0x${(base + 0x101).toString(16)}`, module: 'libshop.so' },
  ]);
  assert.equal(shown, own.map((frames) => JSON.stringify(frames)).toSorted());
  const { rows } = await test.app.pool.query('select distinct packed_frames from crash_event where project_id = $1', [
    world.projectId,
  ]);
  assert.is(rows.length, 1);
});

claims.run();
