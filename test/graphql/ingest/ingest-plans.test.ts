import * as assert from 'uvu/assert';
import { rowsRead } from '../../harness/many-rows.js';
import { buildProject, type World } from '../../support/factories/factories.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { recordStatements, type Statement } from '../../support/statements.js';

/** Enough for the planner to see what a million would cost; PLAN_ROWS=1000000 tries that. */
const ROWS = Number(process.env.PLAN_ROWS ?? 20_000);

let other: World;

const x = worldSuite('plans of the lists of ingestion');
const { here } = x;
x.before(async () => {
  other = await buildProject(here.world);
  const projects = [here.world.projectId, other.projectId];
  await here.test.app.pool.query(
    `insert into event (id, project_id, environment, event_name, distinct_id, occurred_at, properties)
     select event_id_floor(now() - make_interval(secs => n / 1000.0)), ($1::uuid[])[1 + n % 2], case when n % 10 < 8 then 'live' else 'test' end,
            'event ' || n % 50, 'user-' || n / 20, now(), '{"a":1}'
       from generate_series($2::int, 1, -1) as n`,
    [projects, ROWS],
  );
  await here.test.app.pool.query(
    `insert into person (id, project_id, environment, properties, created_at, updated_at)
     select 'prs_' || n, ($1::uuid[])[1 + n % 2], case when n % 10 < 8 then 'live' else 'test' end,
            jsonb_build_object('plan', 'plan ' || n % 500, 'email', n || '@example.com', 'kind', case when n % 3 = 0 then 'few' else 'many' end), date_trunc('second', now()) - make_interval(secs => n), now()
       from generate_series(1, $2::int) as n`,
    [projects, ROWS],
  );
  await here.test.app.pool.query('analyze event');
  await here.test.app.pool.query('vacuum analyze person');
  await here.test.app.services.eventUpkeep.forget(new Date());
});

/** Sequential scans of partitions with rows; those of empty partitions cost nothing. */
const SEQUENTIAL = /Seq Scan on [^(]*\(cost=0\.00\.\.(?!0\.00 )/;

interface Listed {
  nodes: { id: string }[];
  pageInfo: { endCursor: string };
}

/** A page of this list, and the statement that reads it. */
async function pageOf(list: 'events' | 'people', args: string): Promise<{ page: Listed; statement: Statement }> {
  const { result, statements } = await recordStatements(() =>
    here.world.owner.client.graphql<Record<string, Listed>>(
      `{ ${list}(projectId: "${here.world.projectId}", environment: live${args}) { nodes { id } pageInfo { endCursor } } }`,
    ),
  );
  const table = list === 'events' ? /from event\b/ : /from "person"/;
  const statement = statements.find(({ text }) => table.test(text));
  assert.ok(statement, 'no statement reads the table');
  return { page: result[list] as Listed, statement };
}

/** The text of the plan for the statement that reads a page of this list, and the page. */
async function planOf(list: 'events' | 'people', args: string): Promise<{ plan: string; page: Listed }> {
  const { page, statement } = await pageOf(list, args);
  const { rows } = await here.test.app.pool.query<{ 'QUERY PLAN': string }>(
    `explain ${statement.text}`,
    statement.values,
  );
  return { plan: rows.map((row) => row['QUERY PLAN']).join('\n'), page };
}

for (const [list, order] of [
  ['events', ''],
  ['events', ', orderBy: { field: receivedAt, direction: asc }'],
  ['people', ''],
] as const) {
  x(`${list}${order}: a page and the next one read an index in its order`, async () => {
    const first = await planOf(list, `${order}, first: 25`);
    assert.is(first.page.nodes.length, 25);
    const next = await planOf(list, `${order}, first: 25, after: "${first.page.pageInfo.endCursor}"`);
    assert.is(next.page.nodes.length, 25);
    for (const { plan } of [first, next]) {
      assert.match(plan, /Index (?:Only )?Scan/, plan);
      assert.not.match(plan, SEQUENTIAL, plan);
      assert.not.match(plan, 'Sort Key', plan);
    }
  });
}

for (const filter of [
  'eventName: "event 6"',
  'distinctId: "user-4"',
  'distinctId: "nobody"',
  'receivedFrom: "2020-01-01T00:00:00Z"',
  'filter: { eventName: { in: ["event 6", "event 8"] } }',
  'filter: { eventName: { eq: "event 6" } }, orderBy: { field: receivedAt, direction: asc }',
  'filter: { distinctId: { eq: "user-4" } }, orderBy: { field: receivedAt, direction: asc }',
  'filter: { distinctId: { in: ["user-4", "nobody"] } }',
  'filter: { receivedAt: { from: "2020-01-01T00:00:00Z", to: "2999-01-01T00:00:00Z" } }, last: 10',
]) {
  x(`events: with ${filter} they are found by an index`, async () => {
    const { plan } = await planOf('events', `, ${filter}`);
    assert.match(plan, /Index Scan/, plan);
    assert.not.match(plan, SEQUENTIAL, plan);
  });
}

for (const properties of ['{plan: "plan 4"}', '{email: "4@example.com"}', '{email: "nobody@example.com"}']) {
  x(`people: with properties ${properties} they are found by an index`, async () => {
    const first = await planOf('people', `, properties: ${properties}`);
    assert.match(first.plan, /Index Scan/, first.plan);
    assert.not.match(first.plan, SEQUENTIAL, first.plan);
  });
}

/** More than a page, and far fewer than the matches: of 8,000 persons more than 800 each. */
const FEW_ROWS = 2_000;

for (const asked of ['search: "1"', 'properties: {kind: "many"}'])
  for (const end of ['first', 'last'])
    x(
      `people: a page of the many with ${asked} from its ${end} rows is not searched for among all of them`,
      async () => {
        const { page, statement } = await pageOf('people', `, ${end}: 20, ${asked}`);
        assert.is(page.nodes.length, 20);
        const read = await rowsRead(here.test.app.pool, statement);
        assert.ok(read < FEW_ROWS, `${read} rows: ${statement.text}`);
      },
    );

for (const [asked, condition] of [
  ['search: "1"', `properties->>'email' like '1%'`],
  ['search: "19"', `properties->>'email' like '19%'`],
  ['search: "7996@"', `properties->>'email' like '7996@%'`],
  ['properties: {kind: "many"}', `properties->>'kind' = 'many'`],
  ['properties: {kind: "many"}, search: "19"', `properties->>'kind' = 'many' and properties->>'email' like '19%'`],
])
  x(`people: the pages of ${asked}, from both ends, are complete and in order`, async () => {
    const { rows } = await here.test.app.pool.query<{ id: string }>(
      `select id from person where project_id = $1 and environment = 'live' and ${condition} order by created_at, id`,
      [here.world.projectId],
    );
    const all = rows.map(({ id }) => id);
    assert.ok(all.length > 0);
    const size = Math.ceil(all.length / 3);
    const forwards: string[] = [];
    for (let cursor = ''; forwards.length < all.length; ) {
      const { page } = await pageOf('people', `, first: ${Math.min(size, 100)}, ${asked}${cursor}`);
      assert.ok(page.nodes.length > 0, `${forwards.length} of ${all.length}`);
      forwards.push(...page.nodes.map(({ id }) => id));
      cursor = `, after: "${page.pageInfo.endCursor}"`;
    }
    assert.equal(forwards, all);
    const { page } = await pageOf('people', `, last: ${Math.min(size, 100)}, ${asked}`);
    assert.equal(
      page.nodes.map(({ id }) => id),
      all.slice(-Math.min(size, 100)),
    );
  });

x('people: the page after one with properties is found by an index', async () => {
  const filter = ', first: 5, properties: {plan: "plan 4"}';
  const { page } = await planOf('people', filter);
  const { plan } = await planOf('people', `${filter}, after: "${page.pageInfo.endCursor}"`);
  assert.match(plan, /Index Scan/, plan);
  assert.not.match(plan, SEQUENTIAL, plan);
});

x('people: the events of a person are counted once, however many are shown', async () => {
  await here.test.app.pool.query(
    `insert into person_id (project_id, environment, distinct_id, person_id, created_at)
     select project_id, environment, 'user-4', id, now() from person where project_id = $1 and environment = 'live' limit 1`,
    [here.world.projectId],
  );
  const query = `{ person(projectId: "${here.world.projectId}", environment: live, distinctId: "user-4") { events(first: 5) { totalCount nodes { id } } } }`;
  const { result, statements } = await recordStatements(() =>
    here.world.owner.client.graphql<{ person: { events: { totalCount: number; nodes: object[] } } }>(query),
  );
  const { totalCount, nodes } = result.person.events;
  assert.is(nodes.length, 5);
  assert.ok(totalCount > 5, `${totalCount}`);
  const statement = statements.find(({ text }) => /from event\b/.test(text));
  const { rows } = await here.test.app.pool.query<{ 'QUERY PLAN': string }>(
    `explain analyze ${statement?.text}`,
    statement?.values,
  );
  const counts = rows.map((row) => row['QUERY PLAN']).filter((line) => line.includes('Aggregate'));
  assert.is(counts.length, 1);
  assert.match(counts[0] ?? '', 'loops=1)');
});

x.run();
