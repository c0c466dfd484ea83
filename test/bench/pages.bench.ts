import { parse } from 'graphql';
import { type FilledProject, fillProject } from '../contract/filled-project.js';
import { pageDocuments, pageVariables } from '../graphql/pages/page-documents.js';
import { plainLists } from '../harness/list-questions.js';
import { copyRows, tablesScanned } from '../harness/many-rows.js';
import { buildWorld } from '../support/factories/factories.js';
import { recordReads, type Statement } from '../support/statements.js';
import type { TestApp } from '../support/test-app.js';
import { type BenchContext, type BenchRow, row } from './bench.js';

export const name = 'pages';

const ROWS = Number(process.env.BENCH_ROWS ?? 100_000);
const REQUESTS_A_ROUND = 10;
const MOST_STATEMENTS = 8;

/**
 * The pages of a dashboard, and every list of 100, for a project whose tables have 100,000 rows each (BENCH_ROWS):
 * milliseconds of one request after another, with the client in the server's process, the statements of each, and
 * whether a list scans a large table.
 */
export async function run(bench: BenchContext): Promise<BenchRow[]> {
  process.env.TEST_DATABASE_URL = bench.databaseUrl;
  // The test support code reads the setting when it is loaded.
  const { openTestApp } = await import('../support/test-app.js');
  const settings = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', GRAPHQL_COST_PER_SECOND: '0' };
  const filling = await openTestApp({ worker: true, unwatched: true, settings });
  try {
    const world = await buildWorld(filling);
    const filled = await fillProject(filling, world);
    bench.log(`making ${ROWS} rows of each kind`);
    await copyRows(filling.app.pool, world.projectId, ROWS);
    // As PostgreSQL does on its own a minute after this many inserts.
    await filling.app.pool.query('vacuum');
    const rows: BenchRow[] = [];
    for (const { path, query, variables, isPage } of questionsOf(filling, filled)) {
      const ask = () => world.owner.client.graphql<Record<string, unknown>>(query, variables);
      const values: number[] = [];
      const refusal = await ask().then(
        () => null,
        (error: unknown) => String(error),
      );
      if (refusal) bench.log(`${path} is refused: ${refusal}`);
      if (refusal) continue;
      for (let round = 0; round < bench.rounds; round += 1) values.push(await millisecondsOf(ask));
      const statements = await fewestStatements(ask);
      const scanned = isPage ? [] : await scannedBy(filling, statements);
      if (scanned.length > 0) bench.log(`${path} reads ${scanned.join(', ')} from end to end`);
      rows.push(
        row({
          path: `${path}, ${ROWS} rows of each kind`,
          unit: 'ms',
          values,
          ...(isPage ? { goal: { atMost: 30 } } : {}),
          more: { statements: statements.length, ...(isPage ? {} : { 'whole tables read': scanned.length }) },
        }),
      );
      if (isPage && statements.length > MOST_STATEMENTS) bench.log(`${path} takes ${statements.length} statements`);
    }
    return rows;
  } finally {
    await filling.close();
  }
}

interface Question {
  path: string;
  query: string;
  variables: Record<string, unknown>;
  isPage: boolean;
}

function questionsOf({ app }: Pick<TestApp, 'app'>, filled: FilledProject): Question[] {
  const pages = pageDocuments().map(({ name: page, text }) => ({
    path: `page ${page}`,
    query: text,
    variables: pageVariables(parse(text), filled),
    isPage: true,
  }));
  const lists = plainLists(app.schema, filled, 100).map(({ list, query, variables }) => ({
    path: `list of 100 ${list}`,
    query,
    variables,
    isPage: false,
  }));
  return [...pages, ...lists];
}

async function millisecondsOf(ask: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  for (let sent = 0; sent < REQUESTS_A_ROUND; sent += 1) await ask();
  return (performance.now() - begun) / REQUESTS_A_ROUND;
}

/** The fewest statements of several attempts, because in some attempts the worker's own are included. */
async function fewestStatements(ask: () => Promise<unknown>): Promise<Statement[]> {
  let fewest: Statement[] = [];
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const { statements } = await recordReads(ask);
    if (attempt === 0 || statements.length < fewest.length) fewest = statements;
  }
  return fewest;
}

async function scannedBy({ app }: Pick<TestApp, 'app'>, statements: readonly Statement[]): Promise<string[]> {
  const scanned = await Promise.all(statements.map(({ text, values }) => tablesScanned(app.pool, text, values)));
  return [...new Set(scanned.flat())];
}
