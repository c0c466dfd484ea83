import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startBareKoa } from '../../harness/bare-koa.js';
import { commitsOf } from '../../harness/commits.js';
import { cpuMicrosOfTree, memoryMib } from '../../harness/cpu.js';
import { COHORTS, fillProject, makeKeys, unleashFlags } from '../../harness/decision-project.js';
import { type LoadRequest, sendLoad } from '../../harness/load.js';
import { alternate, median } from '../../harness/rounds.js';
import { startUnleash, type Unleash } from '../../harness/unleash.js';
import { Client } from '../../support/client.js';
import { type BenchContext, type BenchRow, type Goal, row } from '../bench.js';

export const name = 'fleet';

const PERSONS = 50_000;
const KEYS = 2_000;
const CONNECTIONS = 32;
const PERSONS_A_BATCH = 2_500;

interface Measured {
  perSecond: number;
  p99Ms: number;
  serverMicros: number;
  databaseMicros: number;
  generatorMicros: number;
  statements: number;
}

/**
 * A fleet: 50,000 stored persons ask in turn, in a project with 50 flags (20 of them partly rolled out), 50 items and
 * 10 cohorts. Hardly any two answers are the same. Many keys stand for many apps, because a key is limited to 500
 * requests a minute. Unleash, if it can be installed, has the same 50 flags; it stores no persons, so its requests
 * carry what is known about them.
 */
export async function run(bench: BenchContext): Promise<BenchRow[]> {
  const databaseUrl = await bench.createDatabase();
  const server = await bench.startServer({ env: { DATABASE_URL: databaseUrl } });
  const { api_keys: otherKeys, sample, tokens } = await server.firstRun();
  const owner = new Client(server.url).withToken(tokens.owner);
  const idle = memoryMib(server.pid).now;
  const { createProject } = await owner.graphql<{ createProject: { id: string } }>(
    'mutation($i: CreateProjectInput!) { createProject(input: $i) { id } }',
    { i: { name: 'Fleet' } },
  );
  const fleet = createProject.id;
  await fillProject(owner, fleet, COHORTS.length);
  bench.log(`making ${KEYS} keys and ${PERSONS} persons`);
  const keys = await makeKeys(owner, fleet, KEYS);
  await storePersons(new Client(server.url).withKey(keys[0] as string));
  const database = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const ask = (person: number, headers: Record<string, string> = {}): LoadRequest => ({
    path: `/api/v1/handshake?distinct_id=user-${person}&app_version=2.4.0&platform=ios&os_version=17.1&locale=de-DE`,
    headers: { 'x-api-key': keys[person % KEYS] as string, ...headers },
  });
  const askOfrep = (person: number): LoadRequest => ({
    path: '/ofrep/v1/evaluate/flags',
    method: 'POST',
    headers: { 'x-api-key': keys[person % KEYS] as string, 'content-type': 'application/json' },
    body: JSON.stringify({ context: { targetingKey: `user-${person}`, app_version: '2.4.0', platform: 'ios' } }),
  });
  const persons = Array.from({ length: PERSONS }, (_, person) => person);
  const everybody = (requests: LoadRequest[]) =>
    sendLoad({ url: server.url, requests, connections: CONNECTIONS, seconds: 0, expectedStatuses: [200] });
  const cold = await everybody(persons.map((person) => ask(person)));
  const polls = persons.map((person) => ask(person, { 'if-none-match': cold.tags?.[person] ?? '' }));
  const answer = await new Client(server.url).withKey(keys[0] as string).get(ask(0).path);
  const headers = { etag: answer.headers.get('etag') ?? '', 'cache-control': 'private, no-cache' };
  const [bareEmpty, bareFull] = [
    await startBareKoa({ status: 304, headers }),
    await startBareKoa({
      status: 200,
      headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
      body: answer.text,
    }),
  ];
  const plain = persons.map((person) => ask(person));
  const unleash = await startUnleash(await bench.createDatabase(), unleashFlags());
  if (!unleash) bench.log('Unleash cannot be installed here: without it');
  const measure = async (
    to: { url: string; pid: number },
    requests: LoadRequest[],
    status: number,
  ): Promise<Measured> => {
    const commits = await commitsOf(database);
    const [serverBefore, databaseBefore] = [to.pid, bench.databasePid].map(cpuMicrosOfTree) as [number, number];
    const count = await sendLoad({
      url: to.url,
      requests,
      connections: CONNECTIONS,
      seconds: bench.seconds,
      warmUpSeconds: 0,
      expectedStatuses: [status],
    });
    const [serverAfter, databaseAfter] = [to.pid, bench.databasePid].map(cpuMicrosOfTree) as [number, number];
    return {
      ...count,
      serverMicros: (serverAfter - serverBefore) / count.requests,
      databaseMicros: (databaseAfter - databaseBefore) / count.requests,
      statements: ((await commitsOf(database)) - commits) / count.requests,
    };
  };
  try {
    const unleashPolls = unleash ? [await unleashPoll(unleash)] : [];
    const unleashAsks = unleash ? persons.map((person) => askUnleash(unleash, person)) : [];
    const polling = await alternate(bench.rounds, {
      polls: () => measure(server, polls, 304),
      plain: () => measure(server, plain, 200),
      bareEmpty: () => measure(bareEmpty, polls, 304),
      bareFull: () => measure(bareFull, plain, 200),
      unleashList: unleash && (() => measure(unleash, unleashPolls, 304)),
    });
    // Measured separately, because the memory they use would push out what the others ask for.
    const asking = await alternate(bench.rounds, {
      ofrep: () => measure(server, persons.map(askOfrep), 200),
      unknown: () =>
        measure(
          server,
          plain.map(({ path, headers }) => ({ path: path.replace('user-', '{{n}}-'), headers: headers ?? {} })),
          200,
        ),
      bareAgain: () => measure(bareFull, plain, 200),
      unleashPersons: unleash && (() => measure(unleash, unleashAsks, 200)),
    });
    const made = (path: string, side: Measured[], against: Measured[], what: string, goal?: Goal) =>
      row({
        path,
        unit: 'requests/s',
        values: side.map(({ perSecond }) => perSecond),
        peer: { what, values: against.map(({ perSecond }) => perSecond) },
        ...(goal ? { goal } : {}),
        more: {
          connections: CONNECTIONS,
          'p99 ms': median(side.map(({ p99Ms }) => p99Ms)),
          'server µs/op': median(side.map(({ serverMicros }) => serverMicros)),
          'database µs/op': median(side.map(({ databaseMicros }) => databaseMicros)),
          'generator µs/op': median(side.map(({ generatorMicros }) => generatorMicros)),
          'statements/op': median(side.map(({ statements }) => statements)),
          'peer µs/op': median(against.map(({ serverMicros }) => serverMicros)),
        },
      });
    const besideUnleash = (path: string, side: Measured[], against: Measured[], what: string, goal: Goal) =>
      against.length > 0 ? [made(path, side, against, `Unleash, ${what}`, goal)] : [];
    const [polled, evaluated] = ['handshake 304, 50,000 persons in turn', 'OFREP, all flags, 50,000 persons in turn'];
    const sameBytes = 'bare Koa, same bytes';
    const herd = await measureHerd(bench, {
      polls,
      everybody,
      change: (key) =>
        new Client(server.url)
          .withKey(keys[0] as string)
          .post('/api/switch/halt-webhook', { flag_key: key, reason: 'bench' }),
      halt: () =>
        new Client(server.url)
          .withKey(otherKeys.live)
          .post('/api/switch/halt-webhook', { flag_key: sample.flag_key, reason: 'bench' }),
    });
    return [
      made(polled, polling.polls, polling.bareEmpty, 'bare Koa, 304', { atLeast: 0.5 }),
      ...besideUnleash(polled, polling.polls, polling.unleashList, 'list of flags, 304', { atLeast: 4 }),
      made('handshake 200, 50,000 persons in turn', polling.plain, polling.bareFull, sameBytes, { atLeast: 0.35 }),
      made('handshake 200, every request a person nobody knows', asking.unknown, asking.bareAgain, sameBytes),
      made(evaluated, asking.ofrep, asking.bareAgain, 'bare Koa, handshake bytes'),
      ...besideUnleash(evaluated, asking.ofrep, asking.unleashPersons, 'evaluation for a page', { atLeast: 3 }),
      ...herd,
      row({ path: 'all 50,000 persons for the first time', unit: 's', values: [cold.seconds], goal: { atMost: 10 } }),
      row({
        path: 'RSS above idle with all of them in memory, after the loads',
        unit: 'MiB',
        values: [memoryMib(server.pid).now - idle],
      }),
    ];
  } finally {
    await database.end();
    bareEmpty.stop();
    bareFull.stop();
    unleash?.stop();
  }
}

/** A server library asking whether the flags have changed since its last read. */
async function unleashPoll({ url, backend }: Unleash): Promise<LoadRequest> {
  const path = '/api/client/features';
  const answer = await fetch(url + path, { headers: backend });
  await answer.arrayBuffer();
  return { path, headers: { ...backend, 'if-none-match': answer.headers.get('etag') ?? '' } };
}

/** A page asking which flags are on for a person. */
function askUnleash({ frontend }: Unleash, person: number): LoadRequest {
  const query = new URLSearchParams({
    userId: `user-${person}`,
    appVersion: '2.4.0',
    'properties[platform]': 'ios',
    'properties[group]': groupOf(person),
  });
  return { path: `/api/frontend?${query}`, headers: frontend };
}

interface Herd {
  polls: LoadRequest[];
  everybody: (requests: LoadRequest[]) => Promise<{ seconds: number }>;
  /** Changes a flag in the fleet's project. */
  change: (flagKey: string) => Promise<{ status: number }>;
  /** Halts a flag in another project. */
  halt: () => Promise<{ status: number }>;
}

/** Everyone asks at once after a flag change, while someone else halts a flag every 20 ms. */
async function measureHerd(bench: BenchContext, herd: Herd): Promise<BenchRow[]> {
  const [seconds, halts]: [number[], number[]] = [[], []];
  for (let round = 0; round < bench.rounds; round += 1) {
    const changed = await herd.change(`flag-${round}`);
    if (changed.status !== 200) throw new Error(`a halt was answered ${changed.status}`);
    let isOver = false;
    const latencies: number[] = [];
    const halting = (async () => {
      while (!isOver) {
        const began = performance.now();
        await herd.halt();
        latencies.push(performance.now() - began);
        await sleep(20);
      }
    })();
    seconds.push((await herd.everybody(herd.polls)).seconds);
    isOver = true;
    await halting;
    halts.push(latencies.sort((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? Number.NaN);
  }
  return [
    row({ path: 'all 50,000 at once after a flag change', unit: 's', values: seconds, goal: { atMost: 10 } }),
    row({ path: 'p99 of halts meanwhile', unit: 'ms', values: halts, goal: { atMost: 100 } }),
  ];
}

function groupOf(person: number): string {
  return COHORTS[person % COHORTS.length] as string;
}

async function storePersons(ingestion: Client): Promise<void> {
  for (let from = 0; from < PERSONS; from += PERSONS_A_BATCH) {
    const operations = Array.from({ length: PERSONS_A_BATCH }, (_, at) => ({
      type: 'people',
      payload: {
        distinct_id: `user-${from + at}`,
        properties: { group: groupOf(from + at), name: `Person ${from + at}`, visits: at },
      },
    }));
    const { status, text } = await ingestion.post('/api/v1/batch', { operations });
    if (status !== 200) throw new Error(`a batch was answered ${status}: ${text}`);
  }
}
