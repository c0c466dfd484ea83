import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { execute, GraphQLObjectType, GraphQLSchema, GraphQLString, getOperationAST, parse, validate } from 'graphql';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { plannedExecutor } from '../../../src/graphql/plan/planned-executor.js';
import { planQuery } from '../../../src/graphql/plan/query-plan.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';
import { type QueryShape, queryShapes } from './query-shapes.js';
import { answerByShape, ShapeAnswers } from './shape-answers.js';

const MOST_SHAPES = 300;

let test: TestApp;

const shapes = suite('query shapes');

shapes.before(async () => {
  test = await openTestApp({ unwatched: true });
});
shapes.after(() => test.close());

/** Executes queries as the server does. */
function executorOf(schema: GraphQLSchema, plans: boolean) {
  const executor = plannedExecutor(schema, { plans, tracer: undefined });
  const askedOf = (document: ReturnType<typeof parse>, { query, operationName, variables }: QueryShape) => ({
    document,
    operation: getOperationAST(document, operationName) ?? undefined,
    operationName,
    source: query,
    context: {},
    variables,
  });
  return {
    run: (...asked: Parameters<typeof askedOf>) => executor.execute(askedOf(...asked)),
    /** The text of the answer, built from that of the data. */
    write: async (...asked: Parameters<typeof askedOf>) => {
      const { errors, data } = await executor.write(askedOf(...asked));
      const parts = [
        ...(errors ? [`"errors":${JSON.stringify(errors)}`] : []),
        ...(data === undefined ? [] : [`"data":${data}`]),
      ];
      return `{${parts.join(',')}}`;
    },
  };
}

/** Answers arrive up to one turn of the event loop later per level. Failures after their place was nulled come as late. */
async function allSettled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
}

interface Answer {
  data?: unknown;
  errors?: { path?: (string | number)[] }[];
}

/**
 * An answer with only the first error of each place that is null. While another root is still being answered, graphql-js also
 * keeps errors that arrive after their place was nulled; a plan never does.
 */
function withoutLateErrors(text: string): string {
  const answer = JSON.parse(text) as Answer;
  const seen = new Set<string>();
  const errors = answer.errors?.filter(({ path = [] }) => {
    const place = nullIn(answer.data, path);
    const isFirst = !seen.has(place);
    seen.add(place);
    return isFirst;
  });
  return JSON.stringify({ ...answer, errors });
}

/** The prefix of a path at which the data becomes null. */
function nullIn(data: unknown, path: readonly (string | number)[]): string {
  let value = data;
  for (const [depth, key] of path.entries()) {
    if (value === null || value === undefined) return JSON.stringify(path.slice(0, depth));
    value = (value as Record<string | number, unknown>)[key];
  }
  return JSON.stringify(path);
}

shapes('a plan and graphql-js answer a query of any shape alike, byte for byte', async () => {
  const { schema } = test.app;
  const { run, write } = executorOf(schema, true);
  let answers = new ShapeAnswers(0);
  answerByShape(schema, () => answers);
  let asked = 0;
  let planned = 0;
  let failed = 0;
  // graphql-js itself leaves rejections unhandled if a list fails at once after an item that fails later.
  const leftUnhandled: unknown[] = [];
  const note = (reason: unknown) => leftUnhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    await fc.assert(
      fc.asyncProperty(queryShapes(schema), fc.integer(), async (shape, seed) => {
        const { query, operationName, variables } = shape;
        const document = parse(query);
        assert.equal(validate(schema, document), [], query);
        const hasPlan = planQuery(schema, document, getOperationAST(document, operationName) as never) !== null;
        asked += 1;
        planned += Number(hasPlan);
        answers = new ShapeAnswers(seed);
        const expected = JSON.stringify(
          await execute({ schema, document, contextValue: {}, variableValues: variables, operationName }),
        );
        failed += Number(expected.includes('"errors":'));
        await run(document, shape);
        await allSettled();
        const again = async () => JSON.stringify(await run(document, shape));
        for (const [time, answerAgain] of [
          ['second time', again],
          ['third time', again],
          ['time as text', () => write(document, shape)],
        ] as const) {
          leftUnhandled.length = 0;
          const answer = await answerAgain();
          await allSettled();
          if (hasPlan) assert.equal(leftUnhandled, [], `${query}\n${answer}`);
          const told = `graphql-js: ${expected}\nthe ${time}: ${answer}`;
          if (answer !== expected) assert.is(withoutLateErrors(answer), withoutLateErrors(expected), told);
        }
      }),
      { numRuns: MOST_SHAPES, includeErrorInReport: true, endOnFailure: true },
    );
  } finally {
    process.off('unhandledRejection', note);
  }
  assert.ok(planned > asked / 2, `only ${planned} of ${asked} queries have a plan`);
  assert.ok(failed > 0 && failed < asked, `${failed} of ${asked} queries fail somewhere`);
});

shapes('without plans every query is left to graphql-js', async () => {
  const by = {
    type: GraphQLString,
    resolve: () => (new Error().stack?.includes('plan-run') ? 'plan' : 'graphql-js'),
  };
  const schema = new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields: { by } }) });
  const shape = { query: '{ by }', operationName: undefined, variables: {} };
  const document = parse(shape.query);
  for (const plans of [true, false]) {
    const { run } = executorOf(schema, plans);
    await run(document, shape);
    assert.is((await run(document, shape))?.data?.by, plans ? 'plan' : 'graphql-js');
  }
});

shapes.run();
