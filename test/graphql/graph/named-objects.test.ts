import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { refusalOf } from '../../support/client.js';
import { buildCohort } from '../../support/factories/cohort-factory.js';
import { buildConfigItem } from '../../support/factories/config-factory.js';
import { buildMember, buildProject, buildWorld, type World } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { listTakesAsManyReads } from '../../support/statements.js';
import { listen } from '../../support/subscription.js';
import { until } from '../../support/until.js';
import { create } from './create-object.js';

const named = worldSuite('objects that a text names', { worker: true });

const crash = (release: string | null, distinct_id: string) => ({
  event_id: randomUUID(),
  platform: 'node',
  ...(release ? { release } : {}),
  distinct_id,
  exception: { type: 'Fault', value: release ?? 'none', frames: [{ function: 'pay', file: 'app.js', line: 1 }] },
});

named(
  'include the release of a crash, its issue and its symbols, but only from its own environment',
  async ({ world }) => {
    const project = await buildProject(world);
    const { projectId } = project;
    const { client } = world.owner;
    const [first, last] = [
      await create(project, 'Release', { projectId, version: '1.0' }),
      await create(project, 'Release', { projectId, version: '2.0' }),
    ];
    await create(project, 'Release', { projectId, environment: 'test', version: '3.0' });
    const sent = [crash('1.0', 'u-1'), crash('3.0', 'u-1'), crash(null, 'u-1')];
    for (const event of sent) await project.live.post('/api/catch/events', event);
    await project.live.post('/api/catch/events', crash('2.0', 'u-1'));
    const read = (list: number) =>
      client.graphql<{
        crashEvents: { nodes: { release: string | null; releaseNode: { id: string } | null }[] };
        crashIssues: { nodes: { eventCount: number; firstReleaseNode: object; lastReleaseNode: object }[] };
      }>(
        `query($p: ID!, $n: Int!) { crashEvents(projectId: $p, first: $n) { nodes { release releaseNode { id } } }
        crashIssues(projectId: $p) { nodes { eventCount firstReleaseNode { id version } lastReleaseNode { id version } } } }`,
        { p: projectId, n: list },
      );
    const { crashIssues } = await until('the worker has grouped the crashes', async () => {
      const answer = await read(10);
      return answer.crashIssues.nodes[0]?.eventCount === 4 ? answer : undefined;
    });
    const answer = await listTakesAsManyReads(read, 10);
    const byVersion = new Map(answer.crashEvents.nodes.map(({ release, releaseNode }) => [release, releaseNode]));
    assert.equal(
      [...byVersion].sort(([a], [b]) => String(a).localeCompare(String(b))),
      [
        ['1.0', { id: first }],
        ['2.0', { id: last }],
        ['3.0', null],
        [null, null],
      ],
    );
    assert.equal(crashIssues.nodes[0]?.firstReleaseNode, { id: first, version: '1.0' });
    assert.equal(crashIssues.nodes[0]?.lastReleaseNode, { id: last, version: '2.0' });
  },
);

named("are found for a crash by its id alone, in the caller's own projects", async ({ test, world }) => {
  const other = await buildProject(world);
  const event = crash('1.0', 'u-1');
  await other.live.post('/api/catch/events', event);
  const query = 'query($id: ID!, $p: ID) { crashEvent(id: $id, projectId: $p) { id projectId } }';
  const found = { crashEvent: { id: event.event_id, projectId: other.projectId } };
  const ask = ({ owner }: World, projectId?: string) =>
    owner.client.graphql(query, { id: event.event_id, ...(projectId ? { p: projectId } : {}) });
  assert.equal(await ask(world), found);
  assert.equal(await ask(world, other.projectId), found);
  assert.is((await refusalOf(ask(world, world.projectId))).code, 'EVENT_NOT_FOUND');
  assert.is((await refusalOf(ask(await buildWorld(test)))).code, 'EVENT_NOT_FOUND');
});

named("include a flag's prerequisites and dependents", async ({ world }) => {
  const project = await buildProject(world);
  const { client } = world.owner;
  const [needed, asking] = [await buildFlag(project), await buildFlag(project)];
  await client.graphql('mutation($i: UpdateFlagInput!) { updateFlag(input: $i) { id } }', {
    i: { flagId: asking.id, prerequisites: [{ key: needed.key, variants: ['on'] }] },
  });
  const { flags } = await client.graphql<{ flags: { nodes: { id: string }[] } }>(
    'query($p: ID!) { flags(projectId: $p) { nodes { id prerequisites { key variants flag { id } } neededByFlags { id key } } } }',
    { p: project.projectId },
  );
  assert.equal(flags.nodes, [
    { id: needed.id, prerequisites: [], neededByFlags: [{ id: asking.id, key: asking.key }] },
    {
      id: asking.id,
      prerequisites: [{ key: needed.key, variants: ['on'], flag: { id: needed.id } }],
      neededByFlags: [],
    },
  ]);
});

named('include the cohort of a config rule, and the cohorts of a person', async ({ world }) => {
  const project = await buildProject(world);
  const { projectId, live } = project;
  const { client } = world.owner;
  const cohort = (name: string, members: object) => buildCohort(project, { name, ...members });
  const listed = await cohort('listed', { distinctIds: ['u-1'] });
  const pros = await cohort('pros', { predicate: 'props.plan = "pro"' });
  const large = await cohort('large', {
    rules: [{ conditions: [{ attribute: 'props.seats', operator: 'gte', values: [10] }] }],
  });
  await cohort('on ios', { rules: [{ conditions: [{ attribute: 'platform', operator: 'in', values: ['ios'] }] }] });
  for (const [distinct_id, properties] of [
    ['u-1', { plan: 'free', seats: 20 }],
    ['u-2', { plan: 'pro', seats: 1 }],
    ['u-3', {}],
  ] as const)
    await live.post('/api/v1/people', { distinct_id, properties });
  const people = (first: number) =>
    client.graphql<{ people: { nodes: { distinctIds: string[]; cohorts: { id: string }[] }[] } }>(
      'query($p: ID!, $n: Int!) { people(projectId: $p, first: $n) { nodes { distinctIds cohorts { id } } } }',
      { p: projectId, n: first },
    );
  const answer = await listTakesAsManyReads(people, 10);
  assert.equal(answer.people.nodes, [
    { distinctIds: ['u-1'], cohorts: [{ id: large }, { id: listed }] },
    { distinctIds: ['u-2'], cohorts: [{ id: pros }] },
    { distinctIds: ['u-3'], cohorts: [] },
  ]);
  await buildConfigItem(project, { rule: { cohort: 'pros', value: '2' } });
  await buildConfigItem(project, { rule: { cohort: 'nobody', value: '2' } });
  const { configItems } = await client.graphql<{ configItems: { nodes: object[] } }>(
    'query($p: ID!) { configItems(projectId: $p) { nodes { rule { cohort cohortNode { id } } } } }',
    { p: projectId },
  );
  assert.equal(configItems.nodes, [
    { rule: { cohort: 'pros', cohortNode: { id: pros } } },
    { rule: { cohort: 'nobody', cohortNode: null } },
  ]);
});

named('include the audit log entry beside a change, for callers who may read it', async ({ test, world }) => {
  const project = await buildProject(world);
  const viewer = await buildMember(test, world, 'viewer');
  const query = 'subscription F($p: ID!) { flagChanged(projectId: $p) { eventId event { id kind } flag { key } } }';
  const all = await listen(test, world.owner, query, { p: project.projectId });
  const some = await listen(test, viewer, query, { p: project.projectId });
  const { key } = await buildFlag(project);
  const told = await all.next('flagChanged');
  assert.equal(told.event, { id: told.eventId, kind: 'switch.flag.created' });
  const seen = await some.next('flagChanged');
  assert.equal([seen.event, seen.flag], [null, { key }]);
  all.close();
  some.close();
});

named.run();
