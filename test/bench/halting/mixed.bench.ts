import pg from 'pg';
import { fillProject, makeKeys } from '../../harness/decision-project.js';
import { type LoadRequest, sendLoad } from '../../harness/load.js';
import { pgbenchLatencies } from '../../harness/pgbench.js';
import { alternate, median } from '../../harness/rounds.js';
import { Client } from '../../support/client.js';
import { type BenchContext, type BenchRow, type Goal, row } from '../bench.js';
import { ingestProject, sampleBody } from '../ingest/ingest-project.js';
import { storeFlags } from './many-flags.js';

export const name = 'mixed';

const KEYS = 1_500;
const OPERATIONS = 100;
const HALTS_A_SECOND = 200;
const HANDSHAKES_A_SECOND = 300;
const LISTS_A_SECOND = 50;
/** Minimum length in seconds: with fewer halts, a 99th percentile says little. */
const LEAST_SECONDS = 5;

const CHANGE = `\\set id random(1, 1000)
update changed set times = times + 1 where id = :id;
`;

interface Quantiles {
  p50Ms: number;
  p99Ms: number;
}

/**
 * How long halts take while the same server ingests events at half its capacity, answers handshakes and serves survey
 * lists, compared with halts alone. Each halts a flag that nobody has halted before, in a project of its own. The same
 * number of changes to one row through pgbench shows how long a durable commit takes under the same conditions: the
 * disk is writing the events, and the generators, the server and PostgreSQL share the cores.
 */
export async function run(bench: BenchContext): Promise<BenchRow[]> {
  const seconds = Math.max(LEAST_SECONDS, bench.seconds);
  const halted = HALTS_A_SECOND * (seconds + 1) * 2 * (bench.rounds + 1);
  const databaseUrl = await bench.createDatabase();
  const server = await bench.startServer({ env: { DATABASE_URL: databaseUrl } });
  const { projectId, keys } = await ingestProject(server, databaseUrl, KEYS);
  const owner = new Client(server.url).withToken((await server.firstRun()).tokens.owner);
  await fillProject(owner, projectId, 10);
  const { createProject } = await owner.graphql<{ createProject: { id: string } }>(
    'mutation($i: CreateProjectInput!) { createProject(input: $i) { id } }',
    { i: { name: 'Halted' } },
  );
  const [haltKey = ''] = await makeKeys(owner, createProject.id, 1);
  const database = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  await storeFlags(database, createProject.id, halted);
  await database.query('create table changed (id int primary key, times int not null)');
  await database.query('insert into changed select id, 0 from generate_series(1, 1000) id');
  await database.end();
  const json = { 'content-type': 'application/json' };
  const body = sampleBody(OPERATIONS);
  const batches = keys.map((key) => ({
    path: '/api/v1/batch',
    method: 'POST',
    headers: { ...json, 'x-api-key': key },
    body,
  }));
  const handshakes = keys.map((key, turn) => ({
    path: `/api/v1/handshake?distinct_id=user-${turn}&app_version=2.4.0&platform=ios`,
    headers: { 'x-api-key': key },
  }));
  const lists = keys.map((key) => ({ path: '/api/pulse/surveys', headers: { 'x-api-key': key } }));
  const flags = Array.from({ length: halted }, (_, index) => ({
    path: '/api/switch/halt-webhook',
    method: 'POST',
    headers: { ...json, 'x-api-key': haltKey },
    body: JSON.stringify({
      flag_key: `bench.${index + 1}`,
      reason: 'error rate',
      evidence_url: 'https://example.com/1',
    }),
  }));
  const load = (requests: LoadRequest[], connections: number, seconds: number, perSecond?: number) =>
    sendLoad({
      url: server.url,
      requests,
      connections,
      seconds,
      ...(perSecond === undefined ? {} : { perSecond }),
      expectedStatuses: [200],
    });
  const { perSecond: most } = await load(batches, 64, seconds);
  bench.log(`at most ${Math.round(most * OPERATIONS)} events a second`);
  const halts = () => load(flags.splice(0, HALTS_A_SECOND * (seconds + 1)), 8, seconds, HALTS_A_SECOND);
  const changes = async (): Promise<Quantiles> => {
    const took = await pgbenchLatencies({
      databaseUrl,
      script: CHANGE,
      clients: 8,
      seconds,
      perSecond: HALTS_A_SECOND,
    });
    const at = (share: number) => took?.[Math.floor(took.length * share)] ?? Number.NaN;
    return { p50Ms: at(0.5), p99Ms: at(0.99) };
  };
  const eventsBeside: number[] = [];
  const beside = (work: () => Promise<Quantiles>) => async () => {
    const others = [
      load(batches, 64, seconds + 2, most / 2),
      load(handshakes, 16, seconds + 2, HANDSHAKES_A_SECOND),
      load(lists, 4, seconds + 2, LISTS_A_SECOND),
    ];
    const own = await work();
    const [taken] = await Promise.all(others);
    eventsBeside.push((taken?.perSecond ?? Number.NaN) * OPERATIONS);
    return own;
  };
  const sides = await alternate(bench.rounds, {
    beside: beside(halts),
    alone: halts,
    changesBeside: beside(changes),
    changesAlone: changes,
  });
  const made = (quantile: keyof Quantiles, what: string, loaded: Quantiles[], alone: Quantiles[], goal?: Goal) =>
    row({
      path: `${quantile.slice(0, 3)} of ${HALTS_A_SECOND} ${what}/s beside ingestion at half its maximum, ${HANDSHAKES_A_SECOND} handshakes/s and ${LISTS_A_SECOND} survey lists/s`,
      unit: 'ms',
      values: loaded.map((count) => count[quantile]),
      peer: { what: 'the same alone', values: alone.map((count) => count[quantile]) },
      ...(goal ? { goal } : {}),
      more: { 'events/s': median(eventsBeside), connections: 92 },
    });
  const bare = 'one-row changes by pgbench';
  return [
    made('p50Ms', 'halts', sides.beside, sides.alone),
    made('p99Ms', 'halts', sides.beside, sides.alone, { atMost: 1.5 }),
    made('p50Ms', bare, sides.changesBeside, sides.changesAlone),
    made('p99Ms', bare, sides.changesBeside, sides.changesAlone),
  ];
}
