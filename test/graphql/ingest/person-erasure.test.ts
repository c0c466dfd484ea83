import { randomBytes, randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { systemCaller } from '../../../src/kernel/context.js';
import { crashesCameWith, eraseFromCrashes } from '../../../src/modules/catch/crashes/crash-erasure.sql.js';
import { PersonErasureService } from '../../../src/modules/ingest/people/person-erasure.service.js';
import { refusalOf } from '../../support/client.js';
import { buildProject, buildWorld, type World } from '../../support/factories/factories.js';
import { appSuite } from '../../support/factories/world-suite.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';
import { until } from '../../support/until.js';

const erasure = appSuite<{ first: World }>('deletion of a person', { worker: true });

erasure.before(async (context) => {
  context.first = await buildWorld(context.test);
});

/** Permanently keeps what was audited: the titles of crash issues, and which alias was split off. */
const APPEND_ONLY = 'event_log';

/** Columns anywhere in the database, including partitions and the job queue, that contain one of the texts. */
async function placesOf({ app }: TestApp, texts: string[]): Promise<string[]> {
  const { rows: columns } = await app.pool.query<{ place: string; table: string; column: string }>(
    `select format('%I.%I', c.table_schema, c.table_name) as "table", format('%I', c.column_name) as "column",
            c.table_name || '.' || c.column_name as place
       from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where t.table_type = 'BASE TABLE' and c.table_schema not in ('pg_catalog', 'information_schema')
        and c.data_type in ('text', 'character varying', 'character', 'json', 'jsonb', 'ARRAY', 'bytea', 'xml', 'USER-DEFINED')`,
  );
  const places: string[] = [];
  for (const { place, table, column } of columns) {
    const { rowCount } = await app.pool.query(
      `select from ${table} where exists (select from unnest($1::text[]) as t where strpos(${column}::text, t) > 0) limit 1`,
      [texts],
    );
    if (rowCount) places.push(place);
  }
  return places;
}

async function symbolicated({ app }: TestApp, { projectId }: World): Promise<void> {
  await until('every crash is symbolicated', async () => {
    const waiting = await app.pool.query(`select from crash_event where project_id = $1 and status = 'pending'`, [
      projectId,
    ]);
    return waiting.rowCount === 0;
  });
}

const mutate = (world: World, name: string, type: string, input: object, selection: string) =>
  world.owner.client.graphql<Record<string, Record<string, unknown>>>(
    `mutation($i: ${type}!) { ${name}(input: $i) { ${selection} } }`,
    { i: { projectId: world.projectId, ...input } },
  );

const send = async (world: World, path: string, body: object) => {
  const { status, text } = await world.live.post(path, body);
  assert.is(status, 200, text);
};

const crash = (fields: object) => ({ event_id: randomUUID(), platform: 'python', ...fields });

interface ShownEvent {
  id: string;
  distinctId: string | null;
  title: string;
  tags: object;
  extra: object;
  breadcrumbs: object[];
  /** Compressed in the database, so {@link placesOf} cannot see into them. */
  frames: object[];
}

async function crashesOf(world: World): Promise<ShownEvent[]> {
  const { crashEvents } = await world.owner.client.graphql<{ crashEvents: { nodes: ShownEvent[] } }>(
    `query($p: ID!) { crashEvents(projectId: $p, first: 100) { nodes { id distinctId title tags extra breadcrumbs frames { function file } } } }`,
    { p: world.projectId },
  );
  return crashEvents.nodes;
}

/** Plants a person's ids wherever clients and Editors may put them. */
async function plant(world: World, [kept, alias, split]: [string, string, string]): Promise<void> {
  const operations = [
    { type: 'people', payload: { distinct_id: kept, properties: { name: kept } } },
    { type: 'people', payload: { distinct_id: split, properties: { was: split } } },
    { type: 'alias', payload: { alias_id: alias, distinct_id: kept } },
    { type: 'alias', payload: { alias_id: split, distinct_id: kept } },
    { type: 'track', payload: { event_name: 'e', distinct_id: kept } },
    { type: 'track', payload: { event_name: 'e', distinct_id: alias, properties: { of: alias } } },
  ];
  await send(world, '/api/v1/batch', { operations });
  await mutate(world, 'splitPerson', 'PersonInput', { distinctId: split }, 'kept { id }');
  await mutate(
    world,
    'createCohort',
    'CreateCohortInput',
    { name: 'listed', distinctIds: [kept, 'stays', alias] },
    'id',
  );
  const frames = [{ function: `open(${kept})`, file: `/home/${alias}/a.py`, line: 7 }];
  await send(world, '/api/catch/events', {
    events: [
      crash({
        distinct_id: kept,
        exception: { type: 'E', value: `no ${kept}`, frames },
        extra: { kept },
        tags: { [kept]: alias },
      }),
      crash({ distinct_id: alias, message: `told "${alias}" so`, breadcrumbs: [{ data: [kept] }], release: kept }),
      crash({ raw_stacktrace: `E: ${kept}\n\tat a.b.c(${alias}:1)`, platform: 'android' }),
      crash({
        distinct_id: 'stays',
        message: 'x',
        tags: { peer: kept, own: 'tag' },
        extra: { n: 7, deep: [{ [alias]: 1 }] },
      }),
    ],
  });
}

erasure('leaves no id anywhere in the database', async ({ test, first }) => {
  const world = await buildProject(first);
  const ids: [string, string, string] = ['kept', 'alias', 'split'].map((name) => `${name}-"\\${randomUUID()}`) as never;
  const [kept, alias, split] = ids;
  // PostgreSQL escapes the quotes of an id in an array or JSON, but not its UUID.
  const traces = [kept, alias].map((id) => id.slice(-36));
  await plant(world, ids);
  await symbolicated(test, world);
  const before = await placesOf(test, traces);
  for (const place of ['crash_event.payload', 'crash_issue.title', 'cohort.distinct_ids', 'person_merge.distinct_id'])
    assert.ok(before.includes(place), `${place} has something to forget`);
  await mutate(world, 'deletePerson', 'PersonInput', { distinctId: alias }, 'id');
  const after = (await placesOf(test, traces)).filter((place) => !place.startsWith(APPEND_ONLY));
  assert.equal(after, []);
  const { rows } = await test.app.pool.query(
    `select e::text as entry from event_log e where kind in ('ingest.person.deleted', 'ingest.cohort.changed')`,
  );
  assert.ok(rows.length >= 2);
  for (const { entry } of rows)
    assert.not.ok(
      traces.some((trace) => entry.includes(trace)),
      entry,
    );
  const shown = await crashesOf(world);
  assert.is(shown.length, 4, 'the crashes stay');
  const frames = JSON.stringify(shown.map((event) => event.frames));
  assert.ok(frames.includes('open([deleted])'), frames);
  assert.not.ok(
    traces.some((trace) => frames.includes(trace)),
    frames,
  );
  const other = shown.find(({ distinctId }) => distinctId === 'stays');
  assert.equal(other?.tags, { peer: '[deleted]', own: 'tag' });
  assert.equal(other?.extra, { n: 7, deep: [{ '[deleted]': 1 }] });
  const own = shown.filter(({ title }) => /^(?:E: no|told)/.test(title));
  assert.is(own.length, 2);
  for (const { tags, extra, breadcrumbs, title } of own) assert.equal([tags, extra, breadcrumbs], [{}, {}, []], title);
  const { cohorts } = await world.owner.client.graphql<{ cohorts: { nodes: { distinctIds: string[] }[] } }>(
    'query($p: ID!) { cohorts(projectId: $p) { nodes { distinctIds } } }',
    { p: world.projectId },
  );
  assert.equal(cohorts.nodes, [{ distinctIds: ['stays'] }]);
  const stays = await placesOf(test, [split.slice(-36)]);
  assert.ok(stays.includes('person_id.distinct_id'), 'an id that was split off before belongs to another person');
});

erasure('a short id is removed where it stands alone, and other people’s sevens stay', async ({ test, first }) => {
  const world = await buildProject(first);
  await send(world, '/api/v1/people', { distinct_id: '7', properties: {} });
  await send(world, '/api/catch/events', {
    events: [
      crash({ distinct_id: '7', message: 'user 7 of 17' }),
      crash({ distinct_id: '8', message: 'index 7 of 17', extra: { count: 7, user: '7' } }),
    ],
  });
  await symbolicated(test, world);
  await mutate(world, 'deletePerson', 'PersonInput', { distinctId: '7' }, 'id');
  const shown = await crashesOf(world);
  const facts = shown.map(({ distinctId, title, extra }) => ({ distinctId, title, extra }));
  assert.equal(
    facts.toSorted((a, b) => (a.title < b.title ? -1 : 1)),
    [
      { distinctId: '8', title: 'index 7 of 17', extra: { count: 7, user: '[deleted]' } },
      { distinctId: null, title: 'user [deleted] of 17', extra: {} },
    ],
  );
});

erasure('an id that only events or crashes had is forgotten like a person', async ({ test, first }) => {
  const world = await buildProject(first);
  const [seen, crashed] = ['seen', 'crashed'].map((name) => `${name}-${randomUUID()}`) as [string, string];
  await send(world, '/api/v1/track', { event_name: 'e', distinct_id: seen });
  await send(world, '/api/catch/events', { events: [crash({ distinct_id: crashed, message: `no ${crashed}` })] });
  await symbolicated(test, world);
  for (const distinctId of [seen, crashed]) {
    assert.ok((await placesOf(test, [distinctId])).length > 0);
    const remove = () => mutate(world, 'deletePerson', 'PersonInput', { distinctId }, 'id');
    await remove();
    const left = (await placesOf(test, [distinctId])).filter((place) => !place.startsWith(APPEND_ONLY));
    assert.equal(left, [], distinctId);
    assert.is((await refusalOf(remove())).code, 'PERSON_NOT_FOUND');
  }
});

/** An erasure of a person with many crashes and an event each day, as the deletion's transaction leaves it. One slice per run. */
async function slowErasure({ app }: TestApp, world: World, id: string) {
  for (let batch = 0; batch < 3; batch++) {
    const events = Array.from({ length: 600 }, () => crash({ distinct_id: id, message: `no ${id}`, extra: { id } }));
    await send(world, '/api/catch/events', { events });
  }
  const operations = Array.from({ length: 50 }, (_, at) => ({
    type: 'track',
    payload: { event_name: `e${at % 3}`, distinct_id: id, properties: { id } },
  }));
  await send(world, '/api/v1/batch', { operations });
  const { tx, parts } = app;
  const service = new PersonErasureService({
    tx,
    jobs: parts.jobs,
    step: eraseFromCrashes,
    isKnown: crashesCameWith,
    recorded: async () => false,
    turnMs: 0,
    promptMs: 0,
  });
  const begin = () =>
    tx.write(systemCaller('test'), (ctx) =>
      service.begin(ctx, { projectId: world.projectId, environment: 'live', ids: [id] }),
    );
  return { service, begin };
}

async function waitingErasures({ app }: TestApp): Promise<{ id: string; progress: string }[]> {
  const { rows } = await app.pool.query<{ id: string; progress: string }>('select id, progress from person_erasure');
  return rows;
}

erasure('a job finishes what is not done at once, alongside symbolication', async ({ test, first }) => {
  const world = await buildProject(first);
  const id = `many-${randomUUID()}`;
  const { begin } = await slowErasure(test, world, id);
  await begin();
  await until('the job has finished the erasure', async () => (await waitingErasures(test)).length === 0);
  await symbolicated(test, world);
  assert.equal(
    (await placesOf(test, [id])).filter((place) => !place.startsWith(APPEND_ONLY)),
    [],
  );
});

erasure('looks at no more crashes at once than fit in memory', async ({ test, first }) => {
  const world = await buildProject(first);
  const id = `large-${randomUUID()}`;
  const extra = { kept: randomBytes(100_000).toString('base64') };
  const events = Array.from({ length: 12 }, () => crash({ message: `of ${id}`, extra }));
  await send(world, '/api/catch/events', { events });
  await symbolicated(test, world);
  const ctx = (after: string | null) =>
    test.app.tx.write(systemCaller('test'), (own) =>
      eraseFromCrashes(own, { projectId: world.projectId, environment: 'live', ids: [id] }, after),
    );
  const left: number[] = [];
  for (let after = await ctx(null); after !== null; after = await ctx(after)) {
    const { rows } = await test.app.pool.query<{ n: number }>(
      'select count(*)::int as n from crash_event where project_id = $1 and payload::text like $2',
      [world.projectId, `%${id}%`],
    );
    left.push(rows[0]?.n ?? -1);
  }
  assert.equal(left, [9, 6, 3, 0], 'three of 140 kB are within the bytes of a slice');
});

erasure('an erasure interrupted after any slice resumes from there', async () => {
  // Without a worker, so that nobody else continues it.
  const test = await openTestApp();
  try {
    const world = await buildWorld(test);
    const id = `cut-${randomUUID()}`;
    const { service, begin } = await slowErasure(test, world, id);
    await begin();
    const places = new Set<string>();
    let cuts = 0;
    for (let [row] = await waitingErasures(test); row; [row] = await waitingErasures(test), cuts++) {
      places.add(row.progress);
      assert.ok((await placesOf(test, [id])).length > 0, 'something is left');
      // Like a worker that stops once its first slice is committed.
      const ending = new AbortController();
      const cut = service.finish(row.id, ending.signal).catch((error: Error) => assert.is(error.name, 'AbortError'));
      ending.abort();
      await cut;
    }
    assert.ok(cuts > 2, `it was cut ${cuts} times`);
    assert.is(places.size, cuts, 'every slice makes progress');
    assert.equal(
      (await placesOf(test, [id])).filter((place) => !place.startsWith(APPEND_ONLY)),
      [],
    );
  } finally {
    await test.close();
  }
});

erasure('nothing waits for the events of a deleted person, and later ones stay', async ({ test, first }) => {
  const world = await buildProject(first);
  const [gone, other] = [`gone-${randomUUID()}`, `other-${randomUUID()}`];
  await send(world, '/api/v1/people', { distinct_id: gone, properties: { n: 1 } });
  await send(world, '/api/v1/track', { event_name: 'before', distinct_id: gone });
  const client = await test.app.pool.connect();
  let deletion: Promise<unknown> | undefined;
  try {
    await client.query('begin');
    const held = await client.query('select from event where project_id = $1 for update', [world.projectId]);
    assert.is(held.rowCount, 1);
    deletion = mutate(world, 'deletePerson', 'PersonInput', { distinctId: gone }, 'id');
    await until('the person is gone', async () => {
      const known = await test.app.pool.query('select from person_id where distinct_id = $1', [gone]);
      return known.rowCount === 0;
    });
    await send(world, '/api/v1/people', { distinct_id: other, properties: { n: 2 } });
    await send(world, '/api/v1/people', { distinct_id: gone, properties: { n: 3 } });
    await send(world, '/api/v1/track', { event_name: 'after', distinct_id: gone });
  } finally {
    await client.query('commit');
    client.release();
  }
  await deletion;
  await until('the erasure is done', async () => (await waitingErasures(test)).length === 0);
  const { rows } = await test.app.pool.query('select event_name from event where project_id = $1', [world.projectId]);
  assert.equal(rows, [{ event_name: 'after' }]);
  const { rows: persons } = await test.app.pool.query(
    'select properties from person where project_id = $1 order by properties->>$2',
    [world.projectId, 'n'],
  );
  assert.equal(
    persons.map(({ properties }) => properties.n),
    [2, 3],
  );
});

/** Holds up a person's deletion at its first statement that writes to a table, until something else is done. */
async function holdUp(
  { app }: TestApp,
  table: string,
  deletion: () => Promise<unknown>,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const client = await app.pool.connect();
  let held: Promise<unknown> | undefined;
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await client.query('begin');
    await client.query(`lock table ${table} in exclusive mode`);
    held = deletion();
    await until(`the deletion waits for ${table}`, async () => {
      const blocked = 'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
      return (await app.pool.query(blocked, [rows[0]?.pid])).rowCount !== 0;
    });
    await meanwhile();
  } finally {
    await client.query('commit');
    client.release();
  }
  await held;
}

erasure('others can change identities while a deletion waits for any of its other writes', async ({ test, first }) => {
  const world = await buildProject(first);
  for (const table of ['cohort', 'person_erasure', 'pgboss.job_common', 'event_log']) {
    const distinctId = `gone-${randomUUID()}`;
    await send(world, '/api/v1/people', { distinct_id: distinctId, properties: { n: 1 } });
    await mutate(world, 'createCohort', 'CreateCohortInput', { name: distinctId, distinctIds: [distinctId] }, 'id');
    const remove = () => mutate(world, 'deletePerson', 'PersonInput', { distinctId }, 'id');
    await holdUp(test, table, remove, () =>
      send(world, '/api/v1/people', { distinct_id: 'other', properties: { n: 2 } }),
    );
  }
  const left = await test.app.pool.query('select properties from person where project_id = $1', [world.projectId]);
  assert.equal(left.rows, [{ properties: { n: 2 } }]);
});

erasure('an id that joins a person during the deletion is forgotten with the others', async ({ test, first }) => {
  const world = await buildProject(first);
  const [gone, late] = [`gone-${randomUUID()}`, `late-${randomUUID()}`];
  await send(world, '/api/v1/people', { distinct_id: gone, properties: { n: 1 } });
  await send(world, '/api/v1/track', { event_name: 'e', distinct_id: late });
  const remove = () => mutate(world, 'deletePerson', 'PersonInput', { distinctId: gone }, 'id');
  await holdUp(test, 'person_erasure', remove, () =>
    send(world, '/api/v1/alias', { alias_id: late, distinct_id: gone }),
  );
  await until('the erasure is done', async () => (await waitingErasures(test)).length === 0);
  const places = (await placesOf(test, [gone, late])).filter((place) => !place.startsWith(APPEND_ONLY));
  assert.equal(places, []);
});

erasure.run();
