import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EventHours } from '../../../../src/modules/ingest/hours/event-hours.js';
import { noteRowsSql } from '../../../../src/modules/ingest/intake/event-notes.js';
import { unshrinkable } from '../../../hostile/hostile-values.js';
import { buildProject, buildWorld, type World } from '../../../support/factories/factories.js';
import { recordReads } from '../../../support/statements.js';
import { openTestApp, type TestApp } from '../../../support/test-app.js';

const HOUR_MS = 3_600_000;
const NAMES = ['opened', 'bought', 'closed', 'rare'];

let test: TestApp;
let world: World;

const x = suite('counts by the hour');

x.before(async () => {
  test = await openTestApp();
  world = await buildWorld(test);
});
x.before.each(async () => {
  world = await buildProject(world);
});
x.after(() => test?.close());

/** One hour for the whole file, also when the next one begins meanwhile. */
const THIS_HOUR = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
/** The start of the hour, so many hours ago. */
const hour = (ago: number): number => THIS_HOUR - ago * HOUR_MS;

interface Row {
  receivedAt: number;
  occurredAt?: number;
  name: string;
  distinctId?: string;
}

/** Stores events as they were received then, in one transaction with its note. */
async function store(rows: readonly Row[], { commit = true } = {}): Promise<() => Promise<void>> {
  const client = await test.app.pool.connect();
  await client.query('begin');
  await client.query(
    `insert into event (id, project_id, environment, event_name, distinct_id, occurred_at, properties)
     select (left(event_id_floor(r.received)::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid, $2, 'live', r.name, r.id, r.occurred, '{}'
       from jsonb_to_recordset($1::jsonb) as r(received timestamptz, occurred timestamptz, name text, id text)`,
    [
      JSON.stringify(
        rows.map(({ receivedAt, occurredAt = receivedAt, name, distinctId = 'somebody' }) => ({
          received: new Date(receivedAt),
          occurred: new Date(occurredAt),
          name,
          id: distinctId,
        })),
      ),
      world.projectId,
    ],
  );
  const tenant = { projectId: world.projectId, environment: 'live' as const };
  const times = rows.map(({ receivedAt }) => receivedAt);
  const noted = { count: rows.length, idsFrom: Math.min(...times), idsTo: Math.max(...times) };
  await client.query(noteRowsSql([{ tenant, rows: noted }]));
  const finish = async () => {
    await client.query('commit');
    client.release();
  };
  if (commit) await finish();
  return finish;
}

const count = () => test.app.services.eventHours.count();

interface Answer {
  eventCounts: { total: number; intervals: { at: string; count: number }[] };
}

async function counts(from: number, to: number, interval: string, name?: string): Promise<number[]> {
  const { eventCounts } = await world.owner.client.graphql<Answer>(
    `query($p: ID!, $from: DateTimeISO!, $to: DateTimeISO!, $interval: Interval!, $name: String) {
       eventCounts(projectId: $p, environment: live, from: $from, to: $to, interval: $interval, eventName: $name) {
         total intervals { at count } } }`,
    { p: world.projectId, from: new Date(from), to: new Date(to), interval, name },
  );
  assert.is(
    eventCounts.total,
    eventCounts.intervals.reduce((sum, { count: n }) => sum + n, 0),
  );
  return eventCounts.intervals.map(({ count: n }) => n);
}

/** What counting the events one by one says. */
async function plainTotal(from: number, to: number, name?: string): Promise<number> {
  const { rows } = await test.app.pool.query<{ n: number }>(
    `select count(*)::int as n from event where project_id = $1 and environment = 'live'
        and occurred_at >= $2 and occurred_at < $3 and ($4::text is null or event_name = $4)`,
    [world.projectId, new Date(from), new Date(to), name ?? null],
  );
  return rows[0]?.n ?? 0;
}

async function listed(
  name: string,
  first = 100,
  after?: string,
): Promise<{ ids: string[]; total: number; end: string }> {
  const { events } = await world.owner.client.graphql<{
    events: { nodes: { id: string }[]; totalCount: number; pageInfo: { endCursor: string } };
  }>(
    `query($p: ID!, $name: String, $first: Int!, $after: String) { events(projectId: $p, environment: live, eventName: $name, first: $first, after: $after) {
       totalCount nodes { id } pageInfo { endCursor } } }`,
    { p: world.projectId, name, first, after },
  );
  return { ids: events.nodes.map(({ id }) => id), total: events.totalCount, end: events.pageInfo.endCursor };
}

/** Numbers that look random and are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

x('are those of the events, whatever comes, goes and is counted in which order', async () => {
  const random = numbers(18);
  const span = () => {
    const from = hour(30) + random(28 * HOUR_MS);
    return [from, from + 1 + random(10 * HOUR_MS)] as const;
  };
  for (let step = 0; step < 60; step += 1) {
    const action = random(6);
    if (action < 3) {
      const receivedAt = hour(1 + random(26)) + random(HOUR_MS);
      await store(
        Array.from({ length: 1 + random(20) }, () => ({
          receivedAt,
          occurredAt: receivedAt - random(3) * random(5 * HOUR_MS),
          name: NAMES[random(3)] as string,
          distinctId: `person ${random(6)}`,
        })),
      );
    } else if (action === 3) await count();
    else if (action === 4 && step % 3 === 0) {
      const distinctId = `person ${random(6)}`;
      await world.owner.client
        .graphql('mutation($input: PersonInput!) { deletePerson(input: $input) { id } }', {
          input: { projectId: world.projectId, environment: 'live', distinctId },
        })
        .catch((error: Error) => assert.match(error.message, /person/i));
    }
    const [from, to] = span();
    const name = random(2) === 0 ? undefined : NAMES[random(4)];
    const found = await counts(from, to, 'hour', name);
    assert.is(
      found.reduce((sum, n) => sum + n, 0),
      await plainTotal(from, to, name),
      `step ${step}: ${name} from ${new Date(from).toISOString()} to ${new Date(to).toISOString()}`,
    );
  }
});

x('wait for writers who began before the hour ended', async () => {
  await store([{ receivedAt: hour(5), name: 'opened' }]);
  const finish = await store([{ receivedAt: hour(2), name: 'opened' }], { commit: false });
  await new EventHours(test.app.pool, 300).count();
  assert.is(await plainTotal(hour(10), hour(0)), 1);
  await finish();
  assert.equal(await counts(hour(6), hour(0), 'hour'), [0, 1, 0, 0, 1, 0]);
  await count();
  assert.equal(await counts(hour(6), hour(0), 'hour'), [0, 1, 0, 0, 1, 0]);
});

x('are read instead of the events', async () => {
  await store(Array.from({ length: 50 }, (_, at) => ({ receivedAt: hour(3 + (at % 9)), name: 'opened' })));
  await count();
  await test.app.pool.query('delete from event where project_id = $1', [world.projectId]);
  assert.is(
    (await counts(hour(20), hour(0), 'day')).reduce((sum, n) => sum + n),
    50,
  );
  assert.is(
    (await counts(hour(20), hour(0), 'day', 'closed')).reduce((sum, n) => sum + n),
    0,
  );
});

x('leave an hour of too many kinds to be counted when somebody asks', async () => {
  await store(Array.from({ length: 5_001 }, (_, at) => ({ receivedAt: hour(3), name: `kind ${at}` })));
  await store([{ receivedAt: hour(2), name: 'kind 7' }]);
  await count();
  const { rows } = await test.app.pool.query('select from event_hour where project_id = $1', [world.projectId]);
  assert.is(rows.length, 1);
  assert.equal(await counts(hour(4), hour(1), 'hour'), [0, 5_001, 1]);
  assert.is((await listed('kind 7')).ids.length, 2);
});

x('leave an hour of a name too long for the table to be counted when somebody asks, and count the others', async () => {
  const long = unshrinkable(3_000);
  const neighbour = await buildProject(world);
  await store([
    { receivedAt: hour(3), name: long },
    { receivedAt: hour(3), name: 'opened' },
    { receivedAt: hour(2), name: 'opened' },
  ]);
  const own = world;
  world = neighbour;
  await store([{ receivedAt: hour(3), name: 'opened' }]);
  await count();
  const countedOf = async ({ projectId }: World) =>
    (await test.app.pool.query('select from event_hour where project_id = $1', [projectId])).rows.length;
  assert.equal([await countedOf(own), await countedOf(neighbour)], [1, 1]);
  world = own;
  assert.equal(await counts(hour(4), hour(1), 'hour'), [0, 2, 1]);
  assert.equal(await counts(hour(4), hour(1), 'hour', long), [0, 1, 0]);
  assert.equal(await counts(hour(4), hour(1), 'hour', 'opened'), [0, 1, 1]);
});

x('of others go on where those of one environment cannot be counted', async () => {
  const neighbours = [await buildProject(world), await buildProject(world), await buildProject(world)];
  for (world of neighbours) await store([{ receivedAt: hour(3), name: 'opened' }]);
  const broken = neighbours[1] as World;
  await test.app.pool.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
     create trigger refuse before insert on event_hour for each row when (new.project_id = '${broken.projectId}') execute function refuse()`,
  );
  const failed = await count().then(
    () => '',
    (error: Error) => error.message,
  );
  await test.app.pool.query('drop function refuse cascade');
  assert.match(failed, /refused/);
  const { rows } = await test.app.pool.query(
    'select project_id as id from event_hour where project_id = any($1) order by 1',
    [neighbours.map(({ projectId }) => projectId)],
  );
  const counted = neighbours.filter((neighbour) => neighbour !== broken).map(({ projectId }) => projectId);
  assert.equal(
    rows.map(({ id }) => id),
    counted.toSorted(),
  );
});

x('lead to the events of a name, page by page, in the order of all', async () => {
  const random = numbers(5);
  await store(
    Array.from({ length: 200 }, (_, at) => ({
      receivedAt: hour(1 + random(20)) + random(HOUR_MS),
      name: at % 40 === 0 ? 'rare' : 'opened',
    })),
  );
  await count();
  await store([{ receivedAt: hour(4) + 1, name: 'rare' }]);
  await world.live.post('/api/v1/track', { event_name: 'rare', distinct_id: 'now' });
  const { rows } = await test.app.pool.query<{ id: string }>(
    `select id from event where project_id = $1 and event_name = 'rare' order by id desc`,
    [world.projectId],
  );
  const whole = await listed('rare');
  assert.equal(
    whole.ids,
    rows.map(({ id }) => id),
  );
  assert.is(whole.total, 7);
  const first = await listed('rare', 3);
  const second = await listed('rare', 3, first.end);
  const third = await listed('rare', 3, second.end);
  assert.equal([...first.ids, ...second.ids, ...third.ids], whole.ids);
  assert.is(third.total, 7);
});

x('lead to the events of several names, in either order, from either end', async () => {
  const random = numbers(7);
  await store(
    Array.from({ length: 150 }, (_, at) => ({
      receivedAt: hour(1 + random(20)) + random(HOUR_MS),
      name: at % 30 === 0 ? 'rare' : at % 45 === 1 ? 'closed' : 'opened',
    })),
  );
  await count();
  await store([{ receivedAt: hour(4) + 1, name: 'closed' }]);
  const { rows } = await test.app.pool.query<{ id: string }>(
    `select id from event where project_id = $1 and event_name in ('rare', 'closed') order by id`,
    [world.projectId],
  );
  const ids = rows.map(({ id }) => id);
  for (const direction of ['asc', 'desc'])
    for (const [size, cursor, start] of [
      ['first', 'after', 'endCursor'],
      ['last', 'before', 'startCursor'],
    ] as const) {
      const found: string[] = [];
      for (let at: string | null = null, more = true; more; ) {
        const { result, statements } = await recordReads(() =>
          world.owner.client.graphql<{
            events: { totalCount: number; nodes: { id: string }[]; pageInfo: Record<string, string | null> };
          }>(
            `query($p: ID!, $at: String) { events(projectId: $p, ${size}: 3, ${cursor}: $at, filter: { eventName: { in: ["rare", "closed", "never"] } },
               orderBy: { field: receivedAt, direction: ${direction} }) { totalCount nodes { id } pageInfo { startCursor endCursor } } }`,
            { p: world.projectId, at },
          ),
        );
        const { events } = result;
        assert.is(events.totalCount, ids.length);
        assert.ok(statements.some(({ text }) => /from event\b/.test(text) && /starts, ends/.test(text)));
        const page = events.nodes.map(({ id }) => id);
        if (size === 'first') found.push(...page);
        else found.unshift(...page);
        more = page.length === 3;
        at = events.pageInfo[start] ?? null;
      }
      assert.equal(found, direction === 'asc' ? ids : [...ids].reverse(), `${size}, ${direction}`);
    }
});

x('are looked at in the minutes that hold the name', async () => {
  const received = [
    hour(3),
    hour(3) + 60_000,
    hour(3) + 59 * 60_000 + 59_999,
    hour(4) + 1_800_000,
    hour(5) + 7,
    hour(6) + 8,
  ];
  await store(received.map((receivedAt) => ({ receivedAt, name: 'rare' })));
  await store(received.map((receivedAt) => ({ receivedAt: receivedAt + 120_000, name: 'opened' })));
  await count();
  const { result, statements } = await recordReads(() => listed('rare'));
  assert.is(result.ids.length, received.length);
  const lists = statements.map(({ text }) => /left join lateral.*unnest\('\{([^}]*)\}'[^']*'\{([^}]*)\}'/s.exec(text));
  const [, starts = '', ends = ''] = lists.find((found) => found !== null) ?? [];
  const minutes = (text: string) => text.split(',').map((instant) => (Date.parse(instant) - hour(6)) / 60_000);
  assert.equal(minutes(starts).slice(1), [180, 239, 150, 60, 0], 'behind what is not counted yet');
  assert.equal(minutes(ends).slice(1), [182, 240, 151, 61, 1]);
});

x('know that a name is absent without a look at old events', async () => {
  await store(Array.from({ length: 100 }, (_, at) => ({ receivedAt: hour(1 + (at % 20)), name: 'opened' })));
  await count();
  const { result, statements } = await recordReads(() => listed(randomUUID()));
  assert.equal(result.ids, []);
  const reads = statements.filter(({ text }) => /from event\b/.test(text) && /starts, ends/.test(text));
  assert.ok(reads.length > 0);
  for (const { text } of reads) assert.match(text, /unnest\('\{[^,]*\}'/, 'the hours that are not counted yet');
  assert.ok((await recordReads(() => listed('opened', 10))).statements.length <= 12);
});

x('go with the events that have had their time', async () => {
  await store([
    { receivedAt: hour(50), name: 'opened' },
    { receivedAt: hour(30), name: 'opened' },
    { receivedAt: hour(30) + HOUR_MS / 2, name: 'opened' },
  ]);
  await count();
  const before = new Date(hour(30) + 1);
  await test.app.services.eventHours.forget(before, world.projectId);
  await test.app.pool.query('delete from event where project_id = $1 and id < event_id_floor($2)', [
    world.projectId,
    before,
  ]);
  for (const round of ['before', 'after']) {
    assert.is(
      (await counts(hour(60), hour(0), 'day')).reduce((sum, n) => sum + n),
      1,
      `${round} the next run`,
    );
    await count();
  }
});

x.run();
