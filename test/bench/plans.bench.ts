import { fillProject } from '../contract/filled-project.js';
import { inEachOrder, plainLists, withEachFilter } from '../harness/list-questions.js';
import { copyRows, readsPage, rowsReadInVain, settleEvents } from '../harness/many-rows.js';
import { median } from '../harness/rounds.js';
import { buildWorld } from '../support/factories/factories.js';
import { recordReads } from '../support/statements.js';
import { type BenchContext, type BenchRow, row } from './bench.js';

export const name = 'plans';

const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000);
const PAGE = 25;

interface Answered {
  list: string;
  /** The order or the filter. */
  asked: string;
  /** Milliseconds by round. */
  values: number[];
  /** Rows that its statements read only to discard them. */
  inVain: number;
}

/**
 * Every list in the schema, in every order (or its only one), and with every filter and search for a value that no row
 * has, in a project whose tables have a million rows each (BENCH_ROWS): milliseconds per request, and the rows that its
 * statements read only to discard them.
 */
export async function run(bench: BenchContext): Promise<BenchRow[]> {
  process.env.TEST_DATABASE_URL = bench.databaseUrl;
  // The test support code reads the setting when it is loaded.
  const { openTestApp } = await import('../support/test-app.js');
  const settings = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', GRAPHQL_COST_PER_SECOND: '0' };
  const test = await openTestApp({ worker: true, unwatched: true, settings });
  try {
    const world = await buildWorld(test);
    const filled = await fillProject(test, world);
    bench.log(`making ${ROWS} rows of each kind`);
    await copyRows(test.app.pool, world.projectId, ROWS);
    await settleEvents(test.app);
    const { schema } = test.app;
    const answers: Answered[] = [];
    const lists = plainLists(schema, filled, PAGE);
    const questions = [...lists.flatMap(inEachOrder), ...lists.flatMap(withEachFilter)];
    const offering = new Set(questions.map(({ list }) => list));
    const plain = lists.filter(({ list }) => !offering.has(list));
    for (const { list, asked, query, variables } of [...plain, ...questions]) {
      const ask = () => world.owner.client.graphql(query, variables);
      const { statements } = await recordReads(ask);
      const values: number[] = [];
      for (let round = 0; round < bench.rounds; round += 1) {
        const begun = performance.now();
        await ask();
        values.push(performance.now() - begun);
      }
      const pages = statements.filter(readsPage);
      let inVain = 0;
      for (const page of pages) inVain += await rowsReadInVain(test.app.pool, page);
      answers.push({ list, asked, values, inVain });
      bench.log(`${list} ${asked}: ${median(values).toFixed(1)} ms, ${inVain} rows in vain`);
    }
    return slowestOfEach(answers);
  } finally {
    await test.close();
  }
}

/** A row for each list: its slowest order or filter, and the most rows that any of them read in vain. */
function slowestOfEach(answers: readonly Answered[]): BenchRow[] {
  const lists = Map.groupBy(answers, ({ list }) => list);
  return [...lists].map(([list, asked]) => {
    const slowest = asked.reduce((a, b) => (median(a.values) >= median(b.values) ? a : b));
    return row({
      path: `${list}, ${ROWS} rows: ${slowest.asked || 'as it is'}, the slowest of its orders and filters`,
      unit: 'ms',
      values: slowest.values,
      more: {
        'orders and filters': asked.length,
        'rows read in vain at most': Math.max(...asked.map((one) => one.inVain)),
      },
    });
  });
}
