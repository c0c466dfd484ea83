import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import {
  buildSchema,
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getOperationAST,
  parse,
  validate,
} from 'graphql';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runPlan } from '../../../src/graphql/plan/plan-run.js';
import { planQuery, type QueryPlan } from '../../../src/graphql/plan/query-plan.js';

const plans = suite('query plans');

const schema = buildSchema(`
  enum Color { RED GREEN }
  type Query { node(id: ID = "none", colors: [Color!], first: Int): Node strict: Node! nodes: [Node] all: [Node!]! grid: [[Int!]]! }
  type Node {
    id: ID! name: String count: Int! ratio: Float isOpen: Boolean! color: Color tags: [String!] scores: [Int]!
    child: Node kin: Node! kids: [Node!] others: [Node]! echo(text: String!, first: Int = 3, more: [String]): String
  }
`);

const QUERY = `query Q($id: ID, $first: Int! = 2, $text: String!) {
  node(id: $id, colors: [RED], first: $first) { ...Full child { ...Full kin { id name echo(text: $text) } } }
  again: node(id: "literal", first: $first) { id ...Full }
  strict { kin { count } ... on Node { kin { name __typename } id } }
  nodes { id kids { id count } tags others { name } }
  all { scores echo(text: "t", first: 7, more: ["a", null]) }
  grid
  __typename
}
fragment Full on Node { __typename id name count ratio isOpen color tags scores kids { name color } short: echo(text: $text, first: $first) }`;

/** What a property may hold at its worst: a value, a promise, a method's result, or an error in any of these forms. */
function held(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(
      value,
      fc.constantFrom('value', 'value', 'value', 'promise', 'method', 'late method', 'error', 'rejection', 'throws'),
    )
    .map(([plain, form]) => {
      switch (form) {
        case 'promise':
          return Promise.resolve(plain);
        case 'method':
          return () => plain;
        case 'late method':
          return () => Promise.resolve(plain);
        case 'error':
          return new Error('an error as a value');
        case 'rejection':
          return () => Promise.reject(new Error('a rejection'));
        case 'throws':
          return () => {
            throw new Error('thrown');
          };
        default:
          return plain;
      }
    });
}

const leaf = fc.constantFrom<unknown>('text', 'RED', '', 7, 1.5, 2 ** 31, Number.NaN, true, null, undefined, ['a'], {
  a: 1,
});

const node: fc.Memo<unknown> = fc.memo((depth) => {
  const inner = depth > 1 ? fc.oneof({ weight: 4, arbitrary: node(depth - 1) }, { weight: 1, arbitrary: leaf }) : leaf;
  const list = fc.oneof(fc.array(held(inner), { maxLength: 3 }), leaf);
  const good = { id: fc.constant('id'), count: fc.constant(1), isOpen: fc.constant(true), scores: fc.constant([1, 2]) };
  const any = held(leaf);
  const echo = fc.constant((given: object) => JSON.stringify(given));
  return fc.record({
    id: fc.oneof({ weight: 5, arbitrary: good.id }, any),
    count: fc.oneof({ weight: 5, arbitrary: good.count }, any),
    isOpen: fc.oneof({ weight: 5, arbitrary: good.isOpen }, any),
    scores: fc.oneof({ weight: 5, arbitrary: good.scores }, held(fc.array(held(leaf), { maxLength: 3 }))),
    name: any,
    ratio: any,
    color: any,
    echo,
    tags: held(fc.array(held(leaf), { maxLength: 3 })),
    child: held(inner),
    kin: held(inner),
    kids: held(list),
    others: held(list),
  });
});

const root = fc.record({
  node: held(node(3)),
  strict: fc.oneof({ weight: 3, arbitrary: node(3) }, held(node(2))),
  nodes: held(fc.array(held(node(2)), { maxLength: 3 })),
  all: fc.oneof(fc.constant([]), held(fc.array(held(node(1)), { maxLength: 2 }))),
  grid: fc.oneof(
    fc.constant([[1], null]),
    held(fc.array(held(fc.array(held(leaf), { maxLength: 2 })), { maxLength: 2 })),
  ),
});

/** What the fields of the query return. */
let answers: Record<string, unknown> = {};
for (const [name, field] of Object.entries(schema.getQueryType()?.getFields() ?? {})) {
  field.resolve = () => {
    const value = answers[name];
    return typeof value === 'function' ? value() : value;
  };
}

const document = parse(QUERY);

function planOf(of: GraphQLSchema, text: string | DocumentNode, name?: string): QueryPlan | null {
  const parsed = typeof text === 'string' ? parse(text) : text;
  assert.equal(validate(of, parsed), []);
  const operation = getOperationAST(parsed, name);
  return operation ? planQuery(of, parsed, operation) : null;
}

const plain = ({ data, errors }: ExecutionResult): unknown => JSON.parse(JSON.stringify({ data, errors }));

plans('answer as graphql-js does: data, errors, paths and nulls, whatever the resolvers do', async () => {
  const plan = planOf(schema, document) as QueryPlan;
  const variables = { text: 'hello', id: 'of a variable' };
  // graphql-js itself leaves rejections unhandled if a list fails at once after an item that fails later.
  const leftUnhandled: unknown[] = [];
  const note = (reason: unknown) => leftUnhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    await fc.assert(
      fc.asyncProperty(root, async (source) => {
        answers = source;
        const planned = await runPlan(plan, {}, variables);
        await setImmediate();
        assert.equal(leftUnhandled, []);
        const expected = await execute({ schema, document, variableValues: variables });
        await setImmediate();
        leftUnhandled.length = 0;
        assert.equal(plain(planned), plain(expected));
      }),
      { numRuns: 300 },
    );
  } finally {
    process.off('unhandledRejection', note);
  }
});

plans('report a throwing property at its own path, and leave no unhandled rejection when a list fails', async () => {
  const thrown = () => {
    throw new Error('thrown');
  };
  const sources = [
    () => ({ all: [], node: Object.defineProperty({}, 'id', { get: thrown }) }),
    () => ({ all: [null, Promise.reject(new Error('a rejection')), { id: 'id' }] }),
  ];
  const leftUnhandled: unknown[] = [];
  const note = (reason: unknown) => leftUnhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    const text = '{ node { id } all { id } }';
    for (const source of sources) {
      answers = source();
      const planned = await runPlan(planOf(schema, text) as QueryPlan, {}, {});
      await setImmediate();
      assert.equal(plain(planned), plain(await execute({ schema, document: parse(text) })));
      assert.ok(planned.errors?.length);
    }
    assert.equal(leftUnhandled, []);
  } finally {
    process.off('unhandledRejection', note);
  }
});

plans('refuse invalid variables with the same messages', async () => {
  const plan = planOf(schema, document) as QueryPlan;
  for (const variables of [{}, { text: 7 }, { text: 'a', first: null }, { text: 'a', first: 2 ** 40, id: [] }]) {
    const expected = await execute({ schema, document, variableValues: variables });
    const planned = await runPlan(plan, {}, variables);
    assert.ok(expected.errors?.length);
    assert.is('data' in planned, false);
    assert.equal(plain(planned), plain(expected));
  }
});

plans('give each call its own arguments', async () => {
  const spoil = (given: Record<string, unknown>) => {
    const text = JSON.stringify(given);
    given.text = 'spoilt';
    return text;
  };
  answers = {
    nodes: [
      { id: '1', echo: spoil },
      { id: '2', echo: spoil },
    ],
  };
  const query = 'query($text: String!) { nodes { id a: echo(text: $text) b: echo(text: "literal") } }';
  const plan = planOf(schema, query) as QueryPlan;
  for (let time = 0; time < 2; time += 1) {
    const { data } = await runPlan(plan, {}, { text: 'mine' });
    const a = '{"text":"mine","first":3}';
    const b = '{"text":"literal","first":3}';
    assert.equal(plain({ data: data ?? null }), {
      data: {
        nodes: [
          { id: '1', a, b },
          { id: '2', a, b },
        ],
      },
    });
  }
});

plans('are not made for anything that graphql-js must execute', () => {
  const wide = Array.from({ length: 26 }, (_, at) => `a${at}: node { ...F }`).join(' ');
  const fields =
    'id name count ratio isOpen color tags scores child { id } kin { id } kids { id } others { id } echo(text: "") b: name c: name';
  const refused = [
    '{ __schema { types { name } } }',
    '{ node { id __proto__: name } }',
    '{ node @include(if: true) { id } }',
    '{ node { id name @skip(if: false) } }',
    '{ node { ... @include(if: true) { id } } }',
    `{ ${wide} } fragment F on Node { ${fields} }`,
  ];
  for (const query of refused) assert.is(planOf(schema, query), null, query.slice(0, 80));
  assert.ok(planOf(schema, 'query A { node { id } } query B { strict { id } }', 'B'));
});

plans.run();
