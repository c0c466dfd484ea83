import * as assert from 'uvu/assert';
import { refusalOf } from '../../support/client.js';
import { buildMember, buildProject, type World } from '../../support/factories/factories.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { listTakesAsManyReads } from '../../support/statements.js';

const people = worldSuite('people and events in the graph');

const EVENTS = 7;

people.before(async (context) => {
  const { live } = context.world;
  const operations: object[] = [];
  for (const [distinct_id, email, name] of [
    ['u-1', 'Ada@example.com', 'Ada Lovelace'],
    ['u-2', 'alan@example.com', 'Alan Turing'],
    ['u%', 'a_a@example.com', 'Grace'],
  ]) {
    operations.push({ type: 'people', payload: { distinct_id, properties: { email, name, plan: 'pro' } } });
    for (let index = 0; index < EVENTS; index++)
      operations.push({ type: 'track', payload: { event_name: `opened_${index % 2}`, distinct_id } });
  }
  operations.push({ type: 'track', payload: { event_name: 'opened', distinct_id: 'null' } });
  const { status, text } = await live.post('/api/v1/batch', { operations });
  assert.is(status, 200, text);
  await context.test.app.services.warnings.flush();
});

interface List {
  totalCount: number;
  nodes: Record<string, string>[];
  pageInfo: { startCursor: string; endCursor: string; hasNextPage: boolean; hasPreviousPage: boolean };
}

async function ask<T>({ owner, projectId }: World, query: string): Promise<T> {
  return owner.client.graphql<T>(query.replaceAll('PROJECT', `"${projectId}"`));
}

people('are found by an id, and by the start of their address or name', async ({ test, world }) => {
  const found = async (text: string): Promise<unknown[]> => {
    const search = JSON.stringify(text);
    const { people: list } = await ask<{ people: List }>(
      world,
      `{ people(projectId: PROJECT, search: ${search}) { totalCount nodes { distinctIds } } }`,
    );
    assert.is(list.totalCount, list.nodes.length);
    return list.nodes.flatMap(({ distinctIds }) => distinctIds).sort();
  };
  for (const [text, ids] of [
    ['u-1', ['u-1']],
    ['u-', []],
    ['u%', ['u%']],
    ['ada@', ['u-1']],
    ['ADA L', ['u-1']],
    ['a', ['u%', 'u-1', 'u-2']],
    ['a_', ['u%']],
    ['%', []],
    ['lovelace', []],
  ] as const)
    assert.equal(await found(text), ids, text);
  const viewer = await buildMember(test, world, 'viewer');
  const query = `{ people(projectId: "${world.projectId}", search: "ada") { totalCount } }`;
  assert.is((await refusalOf(viewer.client.graphql(query))).code, 'PERMISSION_DENIED');
});

people('have events that can be listed in either direction, and so has the project', async ({ world }) => {
  const { person } = await ask<{ person: { id: string } }>(
    world,
    '{ person(projectId: PROJECT, distinctId: "u-1") { id } }',
  );
  for (const [owner, count] of [
    [`personById(id: "${person.id}") { list: events`, EVENTS],
    ['project(id: PROJECT) { list: events', 3 * EVENTS],
  ] as const) {
    const page = async (args: string): Promise<List> => {
      const fields = 'totalCount nodes { id } pageInfo { startCursor endCursor hasNextPage hasPreviousPage }';
      const answer = await ask<Record<string, { list: List }>>(world, `{ ${owner}(${args}) { ${fields} } } }`);
      return Object.values(answer)[0]?.list as List;
    };
    const ids = ({ nodes }: List): string[] => nodes.map(({ id }) => id ?? '');
    const whole = ids(await page('first: 100'));
    assert.is(whole.length, count);
    assert.equal(whole, [...whole].sort().reverse());
    const backwards: string[] = [];
    let now = await page('last: 5');
    assert.equal([now.totalCount, now.pageInfo.hasNextPage], [count, false]);
    backwards.unshift(...ids(now));
    while (now.pageInfo.hasPreviousPage) {
      now = await page(`last: 5 before: "${now.pageInfo.startCursor}"`);
      assert.ok(now.pageInfo.hasNextPage);
      backwards.unshift(...ids(now));
    }
    assert.equal(backwards, whole);
    const { pageInfo } = await page('first: 3');
    assert.equal(ids(await page(`first: 3 after: "${pageInfo.endCursor}"`)), whole.slice(3, 6));
    const wrong = Buffer.from('["x"]').toString('base64url');
    assert.is((await refusalOf(page(`last: 3 before: "${wrong}"`))).code, 'INVALID_CURSOR');
  }
  const { project } = await ask<{ project: { events: List } }>(
    world,
    '{ project(id: PROJECT) { events(eventName: "opened_1", distinctId: "u-2", last: 2) { totalCount nodes { eventName distinctId } } } }',
  );
  assert.is(project.events.totalCount, 3);
  assert.equal(project.events.nodes, Array(2).fill({ eventName: 'opened_1', distinctId: 'u-2' }));
});

people('have events that are filtered like other lists, in either order of receipt', async ({ world }) => {
  const { person, events: all } = await ask<{ person: { id: string }; events: List }>(
    world,
    `{ person(projectId: PROJECT, distinctId: "u-1") { id }
       events(projectId: PROJECT, first: 100) { nodes { id eventName distinctId receivedAt } } }`,
  );
  const list = async (owner: string, args: string): Promise<string[]> => {
    const page = async (cursor: string): Promise<List> => {
      const query = `{ ${owner} ${args} ${cursor}) { totalCount nodes { id } pageInfo { endCursor hasNextPage } } }`;
      const answer = await ask<{ events?: List; personById?: { events: List } }>(
        world,
        owner.startsWith('events') ? query : `${query} }`,
      );
      return answer.events ?? (answer.personById?.events as List);
    };
    const ids: string[] = [];
    let now = await page('');
    const { totalCount } = now;
    ids.push(...now.nodes.map(({ id }) => id ?? ''));
    while (now.pageInfo.hasNextPage) {
      now = await page(`after: "${now.pageInfo.endCursor}"`);
      ids.push(...now.nodes.map(({ id }) => id ?? ''));
    }
    assert.is(totalCount, ids.length, args);
    return ids;
  };
  const instants = all.nodes.map(({ receivedAt }) => receivedAt ?? '').sort();
  const middle = instants[7] as string;
  const cases: [filter: string, holds: (event: Record<string, string>) => boolean][] = [
    ['{ eventName: { eq: "opened_1" } }', ({ eventName }) => eventName === 'opened_1'],
    ['{ eventName: { in: ["opened_0", "opened", "closed"] } }', ({ eventName }) => eventName !== 'opened_1'],
    ['{ eventName: { in: [] } }', () => false],
    ['{ eventName: { eq: "opened_0", in: ["opened_1"] } }', () => false],
    ['{ distinctId: { in: ["u-1", "u-2"] }, eventName: {} }', ({ distinctId }) => /^u-[12]$/.test(distinctId ?? '')],
    [`{ personId: { in: ["${person.id}", "prs_none"] } }`, ({ distinctId }) => distinctId === 'u-1'],
    ['{ personId: { eq: "prs_none" } }', () => false],
    [`{ receivedAt: { from: "${middle}" } }`, ({ receivedAt }) => (receivedAt ?? '') >= middle],
    [`{ receivedAt: { to: "${middle}" } }`, ({ receivedAt }) => (receivedAt ?? '') <= middle],
    [`{ receivedAt: { from: "${middle}", to: "${middle}" } }`, ({ receivedAt }) => receivedAt === middle],
    ['{ receivedAt: { to: "1700-01-02T00:00:00Z" } }', () => false],
    ['{ receivedAt: { from: "9999-12-31T23:59:59.999Z" } }', () => false],
  ];
  for (const [filter, holds] of cases)
    for (const direction of ['asc', 'desc']) {
      const args = `first: 4 filter: ${filter} orderBy: { field: receivedAt, direction: ${direction} }`;
      const expected = (some: typeof all.nodes) => {
        const ids = some.filter(holds).map(({ id }) => id ?? '');
        return direction === 'desc' ? ids : ids.reverse();
      };
      assert.equal(await list('events(projectId: PROJECT', args), expected(all.nodes), args);
      const own = all.nodes.filter(({ distinctId }) => distinctId === 'u-1');
      assert.equal(await list(`personById(id: "${person.id}") { events(`, args), expected(own), args);
    }
  const both = 'eventName: "opened_0" filter: { eventName: { in: ["opened_1"] } }';
  assert.equal(await list('events(projectId: PROJECT', both), [], 'the arguments of 0.1.0 work beside the filter');
});

people(
  'of many projects, with their events and warnings, take as many statements as those of one',
  async ({ world }) => {
    for (let made = 0; made < 4; made++) await buildProject(world);
    const read = (first: number) =>
      ask(
        world,
        `{ projects(first: ${first}) { nodes { events(first: 2) { totalCount nodes { person { id } project { name } } }
          ingestionWarnings(first: 2) { totalCount nodes { reasonCode key { name } project { name } } }
          people(first: 2, search: "a") { totalCount nodes { events(last: 2) { totalCount nodes { id } } } } } } }`,
      );
    await listTakesAsManyReads(read, 100);
  },
);

people('cause warnings that are filtered by reason and key', async ({ world }) => {
  const count = async (args: string): Promise<number> =>
    (await ask<{ ingestionWarnings: List }>(world, `{ ingestionWarnings(projectId: PROJECT ${args}) { totalCount } }`))
      .ingestionWarnings.totalCount;
  const { ingestionWarnings } = await ask<{ ingestionWarnings: { nodes: { keyId: string; key: { id: string } }[] } }>(
    world,
    '{ ingestionWarnings(projectId: PROJECT) { nodes { reasonCode keyId key { id } } pageInfo { endCursor } } }',
  );
  const [warning] = ingestionWarnings.nodes;
  assert.is(warning?.key.id, warning?.keyId);
  assert.is(await count(''), 1);
  assert.is(await count('filter: { reason: { eq: garbage_id } }'), 1);
  assert.is(await count('filter: { reason: { in: [self_alias] } }'), 0);
  assert.is(await count(`filter: { keyId: { eq: "${warning?.keyId}" } }`), 1);
  assert.is(await count('environment: test'), 0);
});

people('and what they belong to are listed like everything else', async ({ world }) => {
  const { organizations } = await ask<{ organizations: List }>(
    world,
    '{ organizations(last: 1, orderBy: { field: name }, search: "org") { totalCount nodes { id } pageInfo { hasPreviousPage } } }',
  );
  assert.equal(organizations, {
    totalCount: 1,
    nodes: [{ id: world.organizationId }],
    pageInfo: { hasPreviousPage: false },
  });
  await ask(world, 'mutation { createRelease(input: { projectId: PROJECT, version: "1" }) { id } }');
  for (const [filter, expected] of [
    ['current: { eq: false }', 1],
    ['isCurrent: { eq: false }', 1],
    ['current: { eq: true }', 0],
  ] as const) {
    const { releases } = await ask<{ releases: List }>(
      world,
      `{ releases(projectId: PROJECT, filter: { ${filter} }) { totalCount } }`,
    );
    assert.is(releases.totalCount, expected, filter);
  }
});

people.run();
