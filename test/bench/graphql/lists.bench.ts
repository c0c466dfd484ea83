import { fillProject } from '../../contract/filled-project.js';
import { type ListQuestion, plainLists } from '../../harness/list-questions.js';
import { copyRows } from '../../harness/many-rows.js';
import { alternate } from '../../harness/rounds.js';
import { buildWorld, type World } from '../../support/factories/factories.js';
import { signIn } from '../../support/sign-in.js';
import { type BenchContext, type BenchRow, row } from '../bench.js';
import { ITEM_LIST, ITEMS, makeItems, measure, sideOf } from './item-list.js';

export const name = 'lists';

const COPIES = 100;
const MOST_OF_ITEM_LIST = 1.5;

/**
 * What a row costs the server in each root list of the schema, with all fields that lead to no other object, compared
 * with a row in the list of config items with rule and newest versions. Lists of fewer than 20 rows, such as members,
 * are skipped and named.
 */
export async function run(bench: BenchContext): Promise<BenchRow[]> {
  process.env.TEST_DATABASE_URL = bench.databaseUrl;
  // The test support code reads the setting when it is loaded.
  const { openTestApp } = await import('../../support/test-app.js');
  const filling = await openTestApp({
    worker: true,
    unwatched: true,
    settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
  });
  try {
    const world = await buildWorld(filling);
    const filled = await fillProject(filling, world);
    await copyRows(filling.app.pool, world.projectId, COPIES);
    const projectOfItems = await makeItems(world.owner.client);
    const server = await bench.startServer({
      env: { DATABASE_URL: filling.databaseUrl, ROLE: 'api', FIRST_RUN: 'off', GRAPHQL_COST_PER_SECOND: '0' },
    });
    const { token } = await signIn(server.url, world.owner);
    const sideOfQuery = (query: string, variables: object) =>
      sideOf(server, { query, variables }, { authorization: `Bearer ${token}` });
    const ofItems = sideOfQuery(ITEM_LIST, { projectId: projectOfItems });
    const lists = await fullLists(bench, plainLists(filling.app.schema, filled, ITEMS), world);
    const sides = lists.map(({ list, query, variables }) => [list, sideOfQuery(query, variables)] as const);
    const measured = await alternate(
      bench.rounds,
      Object.fromEntries(
        [['', ofItems] as const, ...sides].map(([list, side]) => [
          list,
          async () => (await measure(side, bench.seconds)).serverMicros / ITEMS,
        ]),
      ),
    );
    const peer = {
      what: 'a row of the list of config items with rule and newest versions',
      values: measured[''] ?? [],
    };
    return sides.map(([list]) =>
      row({
        path: `GraphQL list ${list}, a row of ${ITEMS}`,
        unit: 'server µs',
        values: measured[list] ?? [],
        peer,
        goal: { atMost: MOST_OF_ITEM_LIST },
      }),
    );
  } finally {
    await filling.close();
  }
}

async function fullLists(
  bench: BenchContext,
  questions: readonly ListQuestion[],
  { owner }: World,
): Promise<ListQuestion[]> {
  const full: ListQuestion[] = [];
  for (const question of questions) {
    const { [question.list]: answer } = await owner.client.graphql<Record<string, { nodes: unknown[] }>>(
      question.query,
      question.variables,
    );
    if (answer?.nodes.length === ITEMS) full.push(question);
    else bench.log(`${question.list} has ${answer?.nodes.length} rows`);
  }
  return full;
}
