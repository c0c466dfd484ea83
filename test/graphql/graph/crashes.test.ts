import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { refusalOf } from '../../support/client.js';
import { buildMember, buildWorld, type World } from '../../support/factories/factories.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { listTakesAsManyReads } from '../../support/statements.js';
import { until } from '../../support/until.js';

const crashes = worldSuite<{ issues: Issue[]; rule: string }>('crashes in the graph', { worker: true });

interface Issue {
  id: string;
  title: string;
  eventCount: string;
  events: { nodes: { id: string }[] };
}

const KINDS = 20;

crashes.before(async (context) => {
  const { owner, live, projectId } = context.world;
  const { createAlertRule } = await owner.client.graphql<{ createAlertRule: { id: string } }>(
    'mutation($i: CreateAlertRuleInput!) { createAlertRule(input: $i) { id } }',
    { i: { projectId, name: 'new ones', condition: 'issue_created' } },
  );
  context.rule = createAlertRule.id;
  const events = Array.from({ length: KINDS * 2 }, (_, index) => crash(index % KINDS, index === 0 ? 'fatal' : 'error'));
  await live.post('/api/catch/events', { events: [...events, crash(3, 'error')] });
  context.issues = await until('the worker has grouped the crashes', async () => {
    const { crashIssues } = await owner.client.graphql<{ crashIssues: { nodes: Issue[] } }>(
      'query($p: ID!) { crashIssues(projectId: $p, first: 100) { nodes { id title eventCount events { nodes { id } } } } }',
      { p: projectId },
    );
    const counted = crashIssues.nodes.reduce((sum, { eventCount }) => sum + Number(eventCount), 0);
    return counted === KINDS * 2 + 1 ? crashIssues.nodes : undefined;
  });
});

const nameOf = (kind: number): string => `Kind${String.fromCharCode(97 + kind)}`;

const crash = (kind: number, level: string) => ({
  event_id: randomUUID(),
  level,
  platform: 'node',
  exception: {
    type: nameOf(kind),
    value: nameOf(kind),
    frames: [{ function: nameOf(kind), file: 'app.js', line: 1, in_app: true }],
  },
});

async function issueTitles({ owner, projectId }: World, args: string): Promise<string[]> {
  const query = `{ crashIssues(projectId: "${projectId}" first: 100 ${args}) { nodes { title } } }`;
  const { crashIssues } = await owner.client.graphql<{ crashIssues: { nodes: { title: string }[] } }>(query);
  return crashIssues.nodes.map(({ title }) => title);
}

crashes('cost the same number of statements for one row as for twenty, on every edge', async ({ world }) => {
  const query = `query($p: ID!, $first: Int!) { crashIssues(projectId: $p, first: $first) { nodes { severity viewerCan project { name }
      events(first: 2) { totalCount nodes { symbolication severity tags frames { function } issue { title } project { name } } }
      firings { totalCount nodes { firedAt rule { name } issue { title } } } } }
    alertRules(projectId: $p) { nodes { project { name } firings(first: $first) { nodes { issue { title } } } } } }`;
  const ask = (first: number) =>
    world.owner.client.graphql<{
      crashIssues: { nodes: { firings: { totalCount: number }; events: { totalCount: number } }[] };
    }>(query, { p: world.projectId, first });
  const { nodes } = (await ask(100)).crashIssues;
  assert.is(nodes.length, KINDS);
  assert.ok(nodes.every(({ events, firings }) => events.totalCount >= 2 && firings.totalCount === 1));
  await listTakesAsManyReads(ask, 100);
  const events =
    'query($p: ID!, $first: Int!) { crashEvents(projectId: $p, first: $first) { nodes { issue { title } } } }';
  const read = (first: number) => world.owner.client.graphql(events, { p: world.projectId, first });
  await listTakesAsManyReads(read, 100);
});

crashes('are ordered, filtered and searched', async ({ world }) => {
  assert.match((await issueTitles(world, 'orderBy: { field: eventCount, direction: desc }'))[0] ?? '', nameOf(3));
  assert.is((await issueTitles(world, 'filter: { eventCount: { from: 3 } }')).length, 1);
  assert.is((await issueTitles(world, 'search: "KINDD"')).length, 1);
  assert.is((await issueTitles(world, 'filter: { status: { eq: resolved } }')).length, 0);
  const { crashEvents } = await world.owner.client.graphql<{ crashEvents: { totalCount: number } }>(
    `{ crashEvents(projectId: "${world.projectId}", filter: { level: { in: [fatal] } }) { totalCount } }`,
  );
  assert.is(crashEvents.totalCount, 1);
});

crashes('are searchable only by Editors, and invisible to others', async ({ test, world, issues }) => {
  const viewer = await buildMember(test, world, 'viewer');
  const query = `{ crashIssues(projectId: "${world.projectId}", search: "kind") { totalCount } }`;
  assert.is((await refusalOf(viewer.client.graphql(query))).code, 'PERMISSION_DENIED');
  const other = await buildWorld(test);
  const [event] = issues[0]?.events.nodes ?? [];
  const byId = (projectId: string) => `{ crashEvent(projectId: "${projectId}", id: "${event?.id}") { id } }`;
  assert.equal(await world.owner.client.graphql(byId(world.projectId)), { crashEvent: event });
  assert.is((await refusalOf(other.owner.client.graphql(byId(other.projectId)))).code, 'EVENT_NOT_FOUND');
});

crashes('are resolved in bulk, each with its own result', async ({ test, world, issues }) => {
  const ids = [issues[0]?.id, 'nothing', issues[1]?.id];
  const mutation =
    'mutation($ids: [ID!]!) { resolveCrashIssues(input: { ids: $ids }) { error { code } object { status } } }';
  const { resolveCrashIssues } = await world.owner.client.graphql<{ resolveCrashIssues: object[] }>(mutation, { ids });
  const done = { error: null, object: { status: 'resolved' } };
  assert.equal(resolveCrashIssues, [done, { error: { code: 'ISSUE_NOT_FOUND' }, object: null }, done]);
  const viewer = await buildMember(test, world, 'viewer');
  assert.is((await refusalOf(viewer.client.graphql(mutation, { ids: [ids[0]] }))).code, 'PERMISSION_DENIED');
});

crashes('have alert rules that can be changed and read', async ({ world, rule }) => {
  const change = (input: object) =>
    world.owner.client.graphql<{ updateAlertRule: object }>(
      'mutation($i: UpdateAlertRuleInput!) { updateAlertRule(input: $i) { name threshold windowMinutes condition } }',
      { i: { id: rule, ...input } },
    );
  const now = { name: 'renamed', threshold: 1, windowMinutes: 30, condition: 'issue_created' };
  assert.equal((await change({ name: 'renamed', windowMinutes: 30 })).updateAlertRule, now);
  assert.is((await refusalOf(change({ threshold: 0 }))).code, 'BAD_ALERT_RULE');
  const { alertRule } = await world.owner.client.graphql<{ alertRule: object }>(
    `{ alertRule(id: "${rule}") { name threshold windowMinutes condition } }`,
  );
  assert.equal(alertRule, now);
});

crashes.run();
