import pg from 'pg';
import { startBareKoa } from '../../harness/bare-koa.js';
import { commitsOf } from '../../harness/commits.js';
import { cpuMicrosOfTree, memoryMib } from '../../harness/cpu.js';
import { COHORTS, fillProject, makeKeys } from '../../harness/decision-project.js';
import { type LoadRequest, sendLoad } from '../../harness/load.js';
import { copyRows } from '../../harness/many-rows.js';
import { alternate, median } from '../../harness/rounds.js';
import { Client } from '../../support/client.js';
import { type BenchContext, type BenchRow, row } from '../bench.js';

export const name = 'million';

const PERSONS = 1_000_000;
const AT_ONCE = 50_000;
/** Each key is limited to 500 requests a minute, and everyone asks within two. */
const KEYS = 2_000;
const CONNECTIONS = 32;
const CACHE_BYTES = 512 * 1024 * 1024;
/** How many of them poll afterwards: consecutive persons, so that every key has some. */
const POLLING = AT_ONCE / 10;

/**
 * A million stored persons who all ask once, in the fleet's project, and a tenth of them repeatedly: how much memory
 * they take, and whether they are still cached.
 */
export async function run(bench: BenchContext): Promise<BenchRow[]> {
  const databaseUrl = await bench.createDatabase();
  const server = await bench.startServer({
    env: { DATABASE_URL: databaseUrl, DECISION_CACHE_BYTES: String(CACHE_BYTES) },
  });
  const { tokens } = await server.firstRun();
  const owner = new Client(server.url).withToken(tokens.owner);
  const { createProject } = await owner.graphql<{ createProject: { id: string } }>(
    'mutation($i: CreateProjectInput!) { createProject(input: $i) { id } }',
    { i: { name: 'Million' } },
  );
  await fillProject(owner, createProject.id, COHORTS.length);
  const keys = await makeKeys(owner, createProject.id, KEYS);
  const first = { distinct_id: 'user-', properties: { group: 'beta', name: 'Person', visits: 1 } };
  const stored = await new Client(server.url).withKey(keys[0] as string).post('/api/v1/people', first);
  if (stored.status !== 200) throw new Error(`a person was answered ${stored.status}: ${stored.text}`);
  const database = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const bareKoa = await startBareKoa({ status: 304, headers: { etag: '"x"', 'cache-control': 'private, no-cache' } });
  try {
    bench.log(`storing ${PERSONS} persons`);
    await copyRows(database, createProject.id, PERSONS, ['person', 'person_id']);
    const ask = (person: number, headers: Record<string, string> = {}): LoadRequest => ({
      path: `/api/v1/handshake?distinct_id=user-${person}&app_version=2.4.0&platform=ios&os_version=17.1&locale=de-DE`,
      headers: { 'x-api-key': keys[person % KEYS] as string, ...headers },
    });
    const everybody = async (requests: LoadRequest[]) =>
      sendLoad({ url: server.url, requests, connections: CONNECTIONS, seconds: 0, expectedStatuses: [200] });
    // The heap that a load leaves behind must be there before the persons are.
    await everybody(Array.from({ length: AT_ONCE }, (_, at) => ask(1 + (at % KEYS))));
    const warm = memoryMib(server.pid).now;
    const polls: LoadRequest[] = [];
    let seconds = 0;
    for (let from = 1; from <= PERSONS; from += AT_ONCE) {
      bench.log(`persons from ${from} ask`);
      const persons = Array.from({ length: AT_ONCE }, (_, at) => from + at);
      const answered = await everybody(persons.map((person) => ask(person)));
      seconds += answered.seconds;
      for (const [at, person] of persons.entries())
        if (at < POLLING) polls.push(ask(person, { 'if-none-match': answered.tags?.[at] ?? '' }));
    }
    const full = memoryMib(server.pid).now;
    const measure = async (to: { url: string; pid: number }) => {
      const commits = await commitsOf(database);
      const before = cpuMicrosOfTree(to.pid);
      const count = await sendLoad({
        url: to.url,
        requests: polls,
        connections: CONNECTIONS,
        seconds: bench.seconds,
        warmUpSeconds: 0,
        expectedStatuses: [304],
      });
      const micros = (cpuMicrosOfTree(to.pid) - before) / count.requests;
      return { ...count, micros, statements: ((await commitsOf(database)) - commits) / count.requests };
    };
    const { server: ours, bare } = await alternate(bench.rounds, {
      server: () => measure(server),
      bare: () => measure(bareKoa),
    });
    const middle = (pick: (one: (typeof ours)[number]) => number, of = ours) => median(of.map(pick));
    return [
      row({
        path: 'a million persons and their answers in memory: RSS more than after a load by few',
        unit: 'MiB',
        values: [full - warm],
        goal: { atMost: 512 },
        more: { 'RSS MiB': full, 'seconds for the first time': seconds },
      }),
      row({
        path: 'handshake 304, 100,000 of a million persons in turn',
        unit: 'requests/s',
        values: ours.map(({ perSecond }) => perSecond),
        peer: { what: 'bare Koa, 304', values: bare.map(({ perSecond }) => perSecond) },
        more: {
          connections: CONNECTIONS,
          'p99 ms': middle(({ p99Ms }) => p99Ms),
          'server µs/op': middle(({ micros }) => micros),
          'statements/op': middle(({ statements }) => statements),
          'Koa µs/op': middle(({ micros }) => micros, bare),
        },
      }),
    ];
  } finally {
    await database.end();
    bareKoa.stop();
  }
}
