import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isCompositeType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import * as assert from 'uvu/assert';
import { type FilledProject, fillProject } from '../../contract/filled-project.js';
import { readDocumentBlock, writeDocumentBlock } from '../../harness/document-block.js';
import {
  inEachOrder,
  type ListQuestion,
  ownedList,
  ownedLists,
  plainLists,
  withEachFilter,
} from '../../harness/list-questions.js';
import {
  BROUGHT_TOGETHER,
  copyRows,
  readsPage,
  rowsReadInVain,
  settleEvents,
  sortsRows,
} from '../../harness/many-rows.js';
import type { World } from '../../support/factories/factories.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { recordReads } from '../../support/statements.js';
import type { TestApp } from '../../support/test-app.js';

const ROWS = 100;
/** Enough for the planner to prefer an index, if there is one. */
const MANY_ROWS = 2_000;

const statements = worldSuite<{ filled: FilledProject }>('statements of edges', {
  worker: true,
  settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', GRAPHQL_COST_PER_SECOND: '0' },
});

statements.before(async (context) => {
  context.filled = await fillProject(context.test, context.world);
  await copyRows(context.test.app.pool, context.world.projectId, ROWS);
});

type AnyField = GraphQLField<unknown, unknown>;

const isList = ({ type }: AnyField): boolean => getNamedType(type).name.endsWith('Connection');

/** The type of a list's nodes. */
function nodesOf({ type }: AnyField): GraphQLObjectType {
  const connection = getNamedType(type) as GraphQLObjectType;
  return getNamedType(connection.getFields().nodes?.type) as GraphQLObjectType;
}

/** Fields of a type that can be selected without arguments or subfields. */
const fieldsOf = (type: GraphQLObjectType): AnyField[] =>
  Object.values(type.getFields()).filter(({ args }) => !args.some(isRequiredArgument));

const leavesOf = (type: GraphQLObjectType): string[] =>
  fieldsOf(type)
    .filter((field) => !isCompositeType(getNamedType(field.type)))
    .map(({ name }) => name);

/** The selection below an edge: everything that is not an object itself. */
function below(field: AnyField): string {
  if (isList(field)) return `(first: 2) { totalCount nodes { ${leavesOf(nodesOf(field)).join(' ') || '__typename'} } }`;
  const type = getNamedType(field.type);
  return `{ ${(isObjectType(type) ? leavesOf(type).join(' ') : '') || '__typename'} }`;
}

/** There may be fewer where an edge leads back to rows of the list, because those are not read again. */
statements(
  'are as many for many rows as for one, on every edge of every list of a project',
  async ({ test, world }) => {
    const project = test.app.schema.getType('Project') as GraphQLObjectType;
    const more: string[] = [];
    let edges = 0;
    for (const list of fieldsOf(project).filter(isList)) {
      const node = nodesOf(list);
      const compositeEdges = fieldsOf(node).filter((field) => isCompositeType(getNamedType(field.type)));
      for (const edge of [
        leavesOf(node).join(' '),
        ...compositeEdges.map((field) => `${field.name} ${below(field)}`),
      ]) {
        const query = `query($p: ID!, $first: Int!) { project(id: $p) { ${list.name}(first: $first) { nodes { ${edge} } } } }`;
        const { few, many, rows } = await compared(world, query);
        if (rows > 1 && many > few) more.push(`${list.name} { ${edge} }: ${few} and ${many}`);
        if (rows > 1) edges += 1;
      }
    }
    assert.equal(more, []);
    assert.ok(edges > 60, `${edges} edges were followed from more than one row`);
  },
);

/** The statements for one row and for many. The worker's own statements show up in only some of the attempts, and are dropped. */
async function compared(world: World, query: string): Promise<{ few: number; many: number; rows: number }> {
  let [few, many, rows] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
  for (let attempt = 0; attempt < 10 && (attempt === 0 || few !== many); attempt += 1) {
    few = Math.min(few, (await read(world, query, 1)).count);
    const all = await read(world, query, 100);
    [many, rows] = [Math.min(many, all.count), all.rows];
  }
  return { few, many, rows };
}

async function read(
  { owner, projectId }: World,
  query: string,
  first: number,
): Promise<{ count: number; rows: number }> {
  const { result, statements: sent } = await recordReads(() =>
    owner.client.graphql<{ project: Record<string, { nodes: unknown[] }> }>(query, { p: projectId, first }),
  );
  return { count: sent.length, rows: Object.values(result.project)[0]?.nodes.length ?? 0 };
}

/** Lists that are always short: a caller's organizations, up to a hundred subscriptions per project, one firing of an issue per rule. */
const FEW = new Set(['organizations', 'webhookSubscriptions', 'crashIssue firings']);

statements('have an index for every order that a list offers', async ({ test, world, filled }) => {
  const questions = plainLists(test.app.schema, filled, 10).flatMap(inEachOrder);
  assert.equal(await sorted(test, world, questions), []);
  assert.ok(questions.length > 30);
});

/** Those whose pages have to be sorted. */
async function sorted(test: TestApp, world: World, questions: readonly ListQuestion[]): Promise<string[]> {
  const found: string[] = [];
  for (const { list, asked, query, variables } of questions) {
    if (FEW.has(list) || BROUGHT_TOGETHER.has(list)) continue;
    const { statements: sent } = await recordReads(() => world.owner.client.graphql(query, variables));
    const pages = sent.filter(readsPage);
    assert.ok(pages.length > 0, `${list} ${asked} reads no page`);
    for (const page of pages) if (await sortsRows(test.app.pool, page)) found.push(`${list} ${asked}`);
  }
  return found;
}

const ATTEMPTS = 5;

/** APPROVE=1 writes the table instead: run `APPROVE=1 npm test -- graph/statements`, then look at the diff. */
statements(
  'of a list of 100 of each type are those of the table in docs/graphql.md',
  async ({ test, world, filled }) => {
    const counts: [string, number][] = [];
    for (const { list, query, variables } of plainLists(test.app.schema, filled, 100)) {
      let fewest = Number.POSITIVE_INFINITY;
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const { statements: sent } = await recordReads(() => world.owner.client.graphql(query, variables));
        fewest = Math.min(fewest, sent.length);
      }
      counts.push([list, fewest]);
    }
    const rows = counts
      .sort(([a], [b]) => a.localeCompare(b, 'en'))
      .map(([list, count]) => `| \`${list}\` | ${count} |`);
    const table = ['| list of 100 | statements |', '| --- | --- |', ...rows].join('\n');
    if (process.env.APPROVE === '1') writeDocumentBlock('graphql.md', 'list-statements', () => table);
    assert.fixture(readDocumentBlock('graphql.md', 'list-statements'), table);
  },
);

/** Lists of objects that people define one by one, which the server holds in memory completely. */
const DEFINITIONS = new Set(['changelogEntries', 'configItems', 'flags', 'surveys']);
const OF_FEW_VALUES = / eq \w+$/;

/** A page is first looked for among this many rows in order, however many there are (docs/decisions/0013-one-engine-of-lists.md). */
const WALKED = 1_000;

/** Those that read rows only to discard them, and how many. */
async function walked(test: TestApp, world: World, questions: readonly ListQuestion[]): Promise<string[]> {
  const found: string[] = [];
  for (const { list, asked, query, variables } of questions) {
    if (OF_FEW_VALUES.test(asked) && (DEFINITIONS.has(list) || BROUGHT_TOGETHER.has(list))) continue;
    const { statements: sent } = await recordReads(() => world.owner.client.graphql(query, variables));
    for (const page of sent.filter(readsPage)) {
      const vain = await rowsReadInVain(test.app.pool, page);
      if (vain > WALKED + ROWS) found.push(`${list} ${asked}: ${vain}`);
    }
  }
  return found;
}

statements(
  'with a filter that no row satisfies read hardly any row in vain, on every list that grows',
  async ({ test, world, filled }) => {
    await copyRows(test.app.pool, world.projectId, MANY_ROWS, undefined, ROWS + 1);
    await settleEvents(test.app);
    const questions = plainLists(test.app.schema, filled, 25).flatMap(withEachFilter);
    assert.equal(await walked(test, world, questions), []);
    assert.ok(questions.length > 200, `${questions.length} filters were asked for`);
  },
);

/** One owner has many rows of these after `copyRows`. The owners-lists test covers those of persons, rules and distributions. */
const GROWING = [
  'board tickets',
  'configItem versions',
  'crashIssue events',
  'flag versions',
  'personById events',
  'survey responses',
  'survey versions',
  'webhookSubscription deadLetters',
  'webhookSubscription deliveries',
];

statements("of an object's lists have indexes behind their orders and filters, too", async ({ test, world }) => {
  const questions: ListQuestion[] = [];
  const growing: string[] = [];
  for (const list of ownedLists(test.app.schema)) {
    const all: { id: string; list: { totalCount: number } }[] = [];
    for (const end of ['first', 'last']) {
      const { project } = await world.owner.client.graphql<{ project: { owners: { nodes: typeof all } } }>(
        `query($p: ID!) { project(id: $p) { owners: ${list.owners}(${end}: 100) { nodes { id list: ${list.field.name}(first: 1) { totalCount } } } } }`,
        { p: world.projectId },
      );
      all.push(...project.owners.nodes);
    }
    const [longest] = all.sort((a, b) => b.list.totalCount - a.list.totalCount);
    assert.ok(longest, `no ${list.owners}`);
    const question = ownedList(list, longest.id, 25);
    questions.push(question);
    if (longest.list.totalCount >= MANY_ROWS) growing.push(question.list);
  }
  assert.equal(growing.sort(), GROWING);
  assert.equal(await sorted(test, world, questions.flatMap(inEachOrder)), []);
  assert.equal(await walked(test, world, questions.flatMap(withEachFilter)), []);
});

statements.run();
