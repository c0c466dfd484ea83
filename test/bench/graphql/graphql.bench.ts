import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { circleThroughGraph } from '../../harness/list-questions.js';
import { startMemoryApollo } from '../../harness/memory-apollo.js';
import { alternate, median } from '../../harness/rounds.js';
import { Client } from '../../support/client.js';
import { type BenchContext, type BenchRow, type Goal, row } from '../bench.js';
import { ITEM_LIST, ITEMS, makeItems, measure, sideOf } from './item-list.js';

export const name = 'graphql';

const SAMPLED_REQUESTS = 200;
/** Idle PostgreSQL backends report their statistics within ten seconds. */
const STATISTICS_DELAY_MS = 12_000;

/** An ordinary list that the server does not optimize for. */
const PLAIN_LIST = `query Flags($projectId: ID!) {
  flags(projectId: $projectId, environment: live, first: ${ITEMS}) {
    nodes { id key kind description isArchived currentVersion defaultVariant variants { key value } haltedAt createdAt updatedAt }
    pageInfo { hasNextPage endCursor }
  }
}`;

/**
 * Lists of 20 from the database, compared with Apollo answering the same objects from memory: config items with rule
 * and newest versions, and flags.
 */
export async function run(bench: BenchContext): Promise<BenchRow[]> {
  const databaseUrl = await bench.createDatabase();
  const server = await bench.startServer({ env: { DATABASE_URL: databaseUrl, ROLE: 'api' } });
  const { tokens } = await server.firstRun();
  const owner = new Client(server.url).withToken(tokens.owner);
  const variables = { projectId: await makeItems(owner) };
  await makeFlags(owner, variables.projectId);
  const ground = { bench, server, databaseUrl, owner, token: tokens.owner, variables };
  return [
    ...(await measureList(ground, `GraphQL list of ${ITEMS} config items with rule and newest versions`, ITEM_LIST, {
      ratio: { atLeast: 1 },
      statements: { atMost: 4 },
    })),
    ...(await measureList(ground, `GraphQL list of ${ITEMS} flags`, PLAIN_LIST)),
    await measureRefusal(ground),
  ];
}

interface Ground {
  bench: BenchContext;
  server: { url: string; pid: number };
  databaseUrl: string;
  owner: Client;
  token: string;
  variables: Record<string, unknown>;
}

async function measureList(
  { bench, server, databaseUrl, owner, token, variables }: Ground,
  path: string,
  query: string,
  goals?: { ratio: Goal; statements: Goal },
): Promise<BenchRow[]> {
  const answer = await owner.graphql<Record<string, { nodes: unknown[] }>>(query, variables);
  for (const { nodes } of Object.values(answer)) {
    if (nodes.length !== ITEMS) throw new Error(`${path}: ${nodes.length} nodes`);
  }
  const ask = { query, variables };
  const product = sideOf(server, ask, { authorization: `Bearer ${token}` });
  const apollo = await startMemoryApollo(answer);
  try {
    const peer = sideOf(apollo, ask, {});
    const measured = await alternate(bench.rounds, {
      product: () => measure(product, bench.seconds),
      peer: () => measure(peer, bench.seconds),
    });
    const statements = await statementsOf(databaseUrl, () => owner.graphql(query, variables));
    return [
      row({
        path,
        unit: 'requests/s',
        values: measured.product.map(({ perSecond }) => perSecond),
        peer: { what: 'Apollo, the same from memory', values: measured.peer.map(({ perSecond }) => perSecond) },
        ...(goals ? { goal: goals.ratio } : {}),
        more: {
          'p99 ms': median(measured.product.map(({ p99Ms }) => p99Ms)),
          'server µs/op': median(measured.product.map(({ serverMicros }) => serverMicros)),
          'Apollo µs/op': median(measured.peer.map(({ serverMicros }) => serverMicros)),
        },
      }),
      row({
        path: `${path}: SQL statements, the caller included, those of the idle server taken off`,
        unit: 'statements',
        values: [statements],
        ...(goals ? { goal: goals.statements } : {}),
      }),
    ];
  } finally {
    apollo.stop();
  }
}

/** CPU time until a query of twelve rounds between a project and its flags is rejected. */
async function measureRefusal({ bench, server, token, variables }: Ground): Promise<BenchRow> {
  const query = circleThroughGraph(String(variables.projectId), 12);
  const side = sideOf(server, { query }, { authorization: `Bearer ${token}` });
  const values: number[] = [];
  for (let round = 0; round < bench.rounds; round += 1)
    values.push((await measure(side, bench.seconds, 400)).serverMicros / 1_000);
  return row({
    path: 'a circle of 12 rounds through the graph, until it is refused: processor time',
    unit: 'ms',
    values,
    goal: { atMost: 50 },
  });
}

async function makeFlags(owner: Client, projectId: string): Promise<void> {
  for (let index = 0; index < ITEMS; index += 1) {
    await owner.graphql('mutation($input: CreateFlagInput!) { createFlag(input: $input) { id } }', {
      input: { projectId, environment: 'live', key: `flag.${index}` },
    });
  }
}

/**
 * Statements per request, as counted by the database: outside a transaction, each commits by itself. What the server
 * sends on its own, for jobs and keys, is counted afterwards over the same time without requests, and subtracted.
 */
async function statementsOf(databaseUrl: string, ask: () => Promise<unknown>): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const commits = async () => {
    await sleep(STATISTICS_DELAY_MS);
    const { rows } = await client.query<{ commits: string }>(
      'select xact_commit as commits from pg_stat_database where datname = current_database()',
    );
    return Number(rows[0]?.commits);
  };
  try {
    const before = await commits();
    const began = performance.now();
    for (let asked = 0; asked < SAMPLED_REQUESTS; asked += 1) await ask();
    const askedMs = performance.now() - began;
    const busy = await commits();
    await sleep(askedMs);
    const idle = await commits();
    return Math.round((10 * (busy - before - (idle - busy))) / SAMPLED_REQUESTS) / 10;
  } finally {
    await client.end();
  }
}
