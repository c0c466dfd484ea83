import { fillProject } from '../contract/filled-project.js';
import { copyRows } from '../harness/many-rows.js';
import { buildWorld, type World } from '../support/factories/factories.js';
import { buildSurvey } from '../support/factories/survey-factory.js';
import type { TestApp } from '../support/test-app.js';
import { type BenchContext, type BenchRow, row } from './bench.js';

export const name = 'grow';

/** Scales down the full sizes, for a trial run. */
const PART = Number(process.env.BENCH_GROW ?? 1);
const REQUESTS_A_ROUND = 5;
const DAYS = 30;
/** With ten times the rows, a query may take this much longer. */
const MOST_GROWTH = 1.5;

interface Sizes {
  events: number;
  persons: number;
  responses: number;
  /** Crash events, audit log entries, delivery attempts and symbol files. */
  records: number;
}

const LARGE: Sizes = {
  events: 10_000_000 * PART,
  persons: 1_000_000 * PART,
  responses: 1_000_000 * PART,
  records: 200_000 * PART,
};
const SMALL: Sizes = {
  events: LARGE.events / 10,
  persons: LARGE.persons / 10,
  responses: LARGE.responses / 10,
  records: LARGE.records / 10,
};

interface Question {
  path: string;
  /** The maximum milliseconds at the full size. */
  atMost: number;
  query: string;
  variables?: Record<string, unknown>;
}

/**
 * What people look up in old projects, with 10 million events, a million persons and responses, and 200,000 records of
 * other kinds, compared with a tenth of them (BENCH_GROW scales both). Measures milliseconds of one GraphQL request
 * after another, with the client in the server's process. The ratio is the growth.
 */
export async function run(bench: BenchContext): Promise<BenchRow[]> {
  process.env.TEST_DATABASE_URL = bench.databaseUrl;
  // The test support code reads the setting when it is loaded.
  const { openTestApp } = await import('../support/test-app.js');
  const settings = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', GRAPHQL_COST_PER_SECOND: '0' };
  const measure = async (sizes: Sizes): Promise<Map<Question, number[]>> => {
    const test = await openTestApp({ worker: true, unwatched: true, settings });
    try {
      const world = await buildWorld(test);
      bench.log(`making ${sizes.events} events and what goes with them`);
      const surveyId = await fill(test, world, sizes);
      const found = new Map<Question, number[]>();
      for (const question of questionsOf(surveyId)) {
        const ask = () => world.owner.client.graphql(question.query, { p: world.projectId, ...question.variables });
        await ask();
        const values: number[] = [];
        for (let round = 0; round < bench.rounds; round += 1) values.push(await millisecondsOf(ask));
        found.set(question, values);
      }
      return found;
    } finally {
      await test.close();
    }
  };
  const small = [...(await measure(SMALL)).values()];
  const large = [...(await measure(LARGE))];
  return large.map(([{ path, atMost }, values], index) =>
    row({
      path,
      unit: 'ms',
      values,
      peer: { what: 'with a tenth of the rows', values: small[index] ?? [] },
      goal: { atMost: MOST_GROWTH },
      more: { 'wanted at most, ms': atMost },
    }),
  );
}

function questionsOf(surveyId: string): Question[] {
  const to = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000);
  const from = (days: number) => new Date(to.getTime() - days * 86_400_000);
  const counts = (path: string, days: number, more: Record<string, unknown> = {}): Question => ({
    path: `eventCounts, ${path}`,
    atMost: 100,
    query: `query($p: ID!, $from: DateTimeISO!, $to: DateTimeISO!, $name: String, $interval: Interval! = day) {
      eventCounts(projectId: $p, from: $from, to: $to, eventName: $name, interval: $interval) { total } }`,
    variables: { from: from(days), to, ...more },
  });
  const list = (path: string, root: string, atMost = 15): Question => ({
    path,
    atMost,
    query: `query($p: ID!) { ${root.replace('(', '(projectId: $p, ')} { nodes { __typename } } }`,
  });
  return [
    list('events of a rare name', 'events(eventName: "rare")', 20),
    list('events of an absent name', 'events(eventName: "absent")', 20),
    list('the newest 25 events', 'events(first: 25)', 20),
    counts('30 days by day', 30),
    counts('30 days of one name', 30, { name: 'event 7' }),
    counts('one day by hour', 1, { interval: 'hour' }),
    {
      path: 'surveyResults',
      atMost: 100,
      query: 'query($s: ID!) { surveyResults(surveyId: $s, environment: live) { responses overTime { day } } }',
      variables: { s: surveyId },
    },
    list('audit log of a kind without entries', 'auditLog(filter: { kind: { eq: "absent" } })'),
    list('audit log of an object without entries', 'auditLog(filter: { objectId: { eq: "absent" } })'),
    list('audit log of an actor without entries', 'auditLog(filter: { actorId: { eq: "absent" } })'),
    list('crash events of a release without any', 'crashEvents(release: "absent")'),
    { path: 'missing symbols', atMost: 15, query: 'query($p: ID!) { missingSymbols(projectId: $p) { events } }' },
    list('deliveries of a kind without any', 'webhookDeliveries(kind: "absent")'),
    list('the newest 25 persons', 'people(first: 25)', 20),
    list('persons by the beginning of an e-mail', 'people(search: "person77")', 20),
    {
      path: 'a person by an id',
      atMost: 15,
      query: 'query($p: ID!) { person(projectId: $p, distinctId: "person 77") { id } }',
    },
  ];
}

/** Creates the rows as they would be after a month, and runs the counting jobs. Returns the survey's id. */
async function fill(test: TestApp, world: World, sizes: Sizes): Promise<string> {
  const { pool, services } = test.app;
  await fillProject(test, world);
  const { id: surveyId } = await buildSurvey(world);
  await copyRows(pool, world.projectId, sizes.records, [
    'event_log',
    'webhook_attempt',
    'webhook_dead_letter',
    'symbol_artifact',
    'crash_event',
  ]);
  // Each lacks one of 64 libraries.
  await pool.query(
    `update crash_event set missing = array['android_ndk:' || lpad(to_hex(hashtext(event_id::text) & 63), 32, '0')] where project_id = $1`,
    [world.projectId],
  );
  const at = (count: number) => `now() - interval '${DAYS} days' + n * (interval '${DAYS} days' / ${count + 1})`;
  await pool.query(`select ensure_event_partition(date_trunc('month', now() - interval '${DAYS} days')::date)`);
  await pool.query(
    `insert into event (id, project_id, environment, event_name, distinct_id, occurred_at, properties)
     select (left(event_id_floor(at)::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid, $1, 'live',
            case when n % ${sizes.events / 10} = 0 then 'rare' else 'event ' || n % 100 end, 'person ' || n % ${sizes.persons}, at, '{"plan":"pro"}'
       from (select n, ${at(sizes.events)} as at from generate_series(1, ${sizes.events}) n) s`,
    [world.projectId],
  );
  await pool.query(
    `insert into person (id, project_id, environment, properties, created_at, updated_at)
     select 'prs_' || n, $1, 'live', jsonb_build_object('email', 'person' || n || '@example.com', 'plan', n % 3), at, at
       from (select n, ${at(sizes.persons)} as at from generate_series(1, ${sizes.persons}) n) s`,
    [world.projectId],
  );
  await pool.query(
    `insert into person_id (project_id, environment, distinct_id, person_id, created_at)
     select $1, 'live', 'person ' || n, 'prs_' || n, now() from generate_series(1, ${sizes.persons}) n`,
    [world.projectId],
  );
  await pool.query(
    `insert into survey_response (id, project_id, survey_id, survey_version, environment, score, context, submitted_at, created_at)
     select 'res_' || n, $1, $2, 1, 'live', n % 11, '{}', ${at(sizes.responses)}, now() from generate_series(1, ${sizes.responses}) n`,
    [world.projectId, surveyId],
  );
  await pool.query(
    `insert into survey_answer (response_id, question_id, value)
     select 'res_' || n, a.question, a.value from generate_series(1, ${sizes.responses}) n cross join lateral (values
       ('nps', to_jsonb(n % 11)), ('stars', to_jsonb(1 + n % 5)), ('mood', to_jsonb(1 + n % 5)), ('why', to_jsonb('because ' || n)),
       ('colour', to_jsonb(case n % 2 when 0 then 'red' else 'blue' end)), ('tags', '["red","blue"]'::jsonb)) a(question, value)`,
  );
  await services.responseCounts.count();
  await pool.query('vacuum analyze');
  // Events older than those that the worker has already counted have no note, because only the server's own writers
  // leave one.
  await pool.query('truncate event_hours, event_hour');
  await services.eventHours.count();
  await pool.query('vacuum analyze event_hour');
  await checkCounts(world, sizes);
  return surveyId;
}

/** Fails unless all events are counted, because a wrong answer may be fast. */
async function checkCounts({ owner, projectId }: World, { events }: Sizes): Promise<void> {
  const [from, to] = [new Date(Date.now() - (DAYS + 1) * 86_400_000), new Date(Date.now() + 86_400_000)];
  const { eventCounts } = await owner.client.graphql<{ eventCounts: { total: number } }>(
    'query($p: ID!, $from: DateTimeISO!, $to: DateTimeISO!) { eventCounts(projectId: $p, from: $from, to: $to, interval: day) { total } }',
    { p: projectId, from, to },
  );
  if (eventCounts.total < events) throw new Error(`${eventCounts.total} of ${events} events are counted`);
}

async function millisecondsOf(ask: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  for (let sent = 0; sent < REQUESTS_A_ROUND; sent += 1) await ask();
  return (performance.now() - begun) / REQUESTS_A_ROUND;
}
