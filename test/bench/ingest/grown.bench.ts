import pg from 'pg';
import { cpuMicrosOfTree } from '../../harness/cpu.js';
import { type LoadCount, type LoadRequest, sendLoad } from '../../harness/load.js';
import { alternate, median } from '../../harness/rounds.js';
import { Client } from '../../support/client.js';
import { type BenchContext, type BenchRow, row } from '../bench.js';
import { ingestProject, sampleBody } from './ingest-project.js';
import { copyFor, copyOnce, encodedRows } from './raw-copy.js';

export const name = 'grown';

const EVENTS = Number(process.env.BENCH_ROWS ?? 10_000_000);
const PERSONS = EVENTS / 20;
const ROWS_A_COPY = 1_000;
const KEYS = 1_500;
const CONNECTIONS = 64;
const OPERATIONS = 100;
/** Events of each person who is deleted. */
const EVENTS_OF_DELETED = 10_000;

interface Measured extends LoadCount {
  serverMicros: number;
  databaseMicros: number;
}

/**
 * Ingestion into tables that already hold ten million events and half a million persons (BENCH_ROWS events): batches of
 * events compared with COPY into the same tables, and changes of persons by themselves and while others, each with ten
 * thousand events, are being deleted.
 */
export async function run(bench: BenchContext): Promise<BenchRow[]> {
  const databaseUrl = await bench.createDatabase();
  const server = await bench.startServer({ env: { DATABASE_URL: databaseUrl, GRAPHQL_COST_PER_SECOND: '0' } });
  const { projectId, keys } = await ingestProject(server, databaseUrl, KEYS);
  const owner = new Client(server.url).withToken((await server.firstRun()).tokens.owner);
  const rows = encodedRows(projectId, sampleBody(ROWS_A_COPY));
  bench.log(`storing ${EVENTS.toLocaleString('en')} events and ${PERSONS.toLocaleString('en')} persons`);
  await copyOnce(databaseUrl, rows, EVENTS / ROWS_A_COPY);
  const deleted = await storePersons(databaseUrl, projectId, bench.rounds + 1);
  const send = async (bodies: readonly string[]): Promise<Measured> => {
    const [before, databaseBefore] = [cpuMicrosOfTree(server.pid), cpuMicrosOfTree(bench.databasePid)];
    const count = await sendLoad({
      url: server.url,
      requests: keys.map((key, turn) => batchOf(key, bodies[turn % bodies.length] ?? '')),
      connections: CONNECTIONS,
      seconds: bench.seconds,
      warmUpSeconds: 0,
      expectedStatuses: [200],
    });
    return {
      ...count,
      serverMicros: (cpuMicrosOfTree(server.pid) - before) / count.requests,
      databaseMicros: (cpuMicrosOfTree(bench.databasePid) - databaseBefore) / count.requests,
    };
  };
  const figures = (measured: readonly Measured[], operations: number) => ({
    connections: CONNECTIONS,
    'p50 ms': median(measured.map(({ p50Ms }) => p50Ms)),
    'p99 ms': median(measured.map(({ p99Ms }) => p99Ms)),
    'server µs/op': median(measured.map(({ serverMicros }) => serverMicros / operations)),
    'database µs/op': median(measured.map(({ databaseMicros }) => databaseMicros / operations)),
    'generator µs/op': median(measured.map(({ generatorMicros }) => generatorMicros / operations)),
  });

  const eventBody = sampleBody(OPERATIONS);
  const stored: Measured[] = [];
  const speeds = await alternate(bench.rounds, {
    stored: async () => {
      const measured = await send([eventBody]);
      stored.push(measured);
      return measured.perSecond * OPERATIONS;
    },
    copied: () => copyFor(databaseUrl, rows, bench.seconds),
  });
  const batches = Array.from({ length: 200 }, () => personChanges(OPERATIONS));
  const single = Array.from({ length: KEYS }, () => personChanges(1));
  const people = await alternate(bench.rounds, {
    changed: () => send(batches),
    alone: () => send(single),
    beside: async () => {
      const deleting = deletePerson(owner, projectId, deleted.pop() ?? '');
      const measured = await send(single);
      await deleting;
      return measured;
    },
  });
  const perSecond = (measured: readonly Measured[], operations: number) =>
    measured.map((each) => each.perSecond * operations);
  const there = `with ${EVENTS.toLocaleString('en')} events there`;
  const besideEvents = stored.slice(1);
  return [
    row({
      path: `batch, ${OPERATIONS} operations, durable, ${there}`,
      unit: 'events/s',
      values: speeds.stored,
      peer: { what: 'raw binary COPY into the same tables, two connections', values: speeds.copied },
      goal: { atLeast: 0.8 },
      more: figures(besideEvents, OPERATIONS),
    }),
    row({
      path: 'p99 of these batches',
      unit: 'ms',
      values: besideEvents.map(({ p99Ms }) => p99Ms),
      goal: { atMost: 60 },
    }),
    row({
      path: `changes of ${PERSONS.toLocaleString('en')} persons, ${OPERATIONS} a request`,
      unit: 'operations/s',
      values: perSecond(people.changed, OPERATIONS),
      more: figures(people.changed, OPERATIONS),
    }),
    row({
      path: `changes of persons one by one while a person with ${EVENTS_OF_DELETED.toLocaleString('en')} events is deleted`,
      unit: 'operations/s',
      values: perSecond(people.beside, 1),
      peer: { what: 'the same without a deletion', values: perSecond(people.alone, 1) },
      more: figures(people.beside, 1),
    }),
    row({
      path: 'the longest wait of these',
      unit: 'ms',
      values: people.beside.map(({ mostMs }) => mostMs),
      peer: { what: 'without a deletion', values: people.alone.map(({ mostMs }) => mostMs) },
      more: { 'wanted at most, ms': 50 },
    }),
  ];
}

function batchOf(key: string, body: string): LoadRequest {
  return {
    path: '/api/v1/batch',
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body,
  };
}

/** This many changes of randomly chosen persons. */
function personChanges(count: number): string {
  const operations = Array.from({ length: count }, () => ({
    type: 'people',
    payload: {
      distinct_id: `person ${Math.floor(Math.random() * PERSONS)}`,
      properties: { plan: 'pro', visits: Math.floor(Math.random() * 1_000) },
    },
  }));
  return JSON.stringify({ operations });
}

async function deletePerson(owner: Client, projectId: string, distinctId: string): Promise<void> {
  await owner.graphql('mutation($i: PersonInput!) { deletePerson(input: $i) { id } }', {
    i: { projectId, environment: 'live', distinctId },
  });
}

/** Stores half a million persons, and some with many events who are to be deleted. Returns the ids of the latter. */
async function storePersons(databaseUrl: string, projectId: string, count: number): Promise<string[]> {
  const deleted = Array.from({ length: count }, (_, index) => `deleted ${index}`);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const ids = `(select 'person ' || n as id, n from generate_series(0, ${PERSONS - 1}) n
    union all select 'deleted ' || n, ${PERSONS} + n from generate_series(0, ${count - 1}) n) s`;
  await client.query(
    `insert into person (id, project_id, environment, properties, created_at, updated_at)
     select 'prs_' || n, $1, 'live', jsonb_build_object('email', 'person' || n || '@example.com'), now(), now() from ${ids}`,
    [projectId],
  );
  await client.query(
    `insert into person_id (project_id, environment, distinct_id, person_id, created_at)
     select $1, 'live', id, 'prs_' || n, now() from ${ids}`,
    [projectId],
  );
  await client.query(
    `insert into event (id, project_id, environment, event_name, distinct_id, occurred_at, properties)
     select uuidv7(), $1, 'live', 'opened', id, now(), '{}' from unnest($2::text[]) id cross join generate_series(1, ${EVENTS_OF_DELETED})`,
    [projectId, deleted],
  );
  await client.query('vacuum analyze');
  await client.end();
  return deleted;
}
