import { getIntrospectionQuery } from 'graphql';
import * as assert from 'uvu/assert';
import { worldSuite } from '../support/factories/world-suite.js';
import { ownMilliseconds } from '../support/processor-time.js';

const hostile = worldSuite('hostile GraphQL');
const { here } = hostile;

const nested = (levels: number, inner: string) => `${'{ me '.repeat(levels)}${inner}${' }'.repeat(levels)}`;
const fragmentBomb = (doublings: number) =>
  `{ me { ...F0 } } ${Array.from({ length: doublings }, (_, at) => `fragment F${at} on User { ...F${at + 1} ...F${at + 1} }`).join(' ')} fragment F${doublings} on User { id }`;
const listBreadth = (levels: number): string =>
  levels === 0 ? 'id' : `versions(first: 100) { nodes { ${listBreadth(levels - 1)} } }`;

const many = (count: number, part: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => part(at)).join(' ');

const refused: readonly [title: string, query: string][] = [
  ['nesting beyond the schema', nested(2_000, '{ id }')],
  ['ten thousand times the same field', `{ me { ${'id '.repeat(10_000)} } }`],
  ['thousands of aliases', `{ ${Array.from({ length: 2_000 }, (_, at) => `a${at}: me { id }`).join(' ')} }`],
  ['fifty-one aliases', `{ ${Array.from({ length: 51 }, (_, at) => `a${at}: me { id }`).join(' ')} }`],
  ['directives without end', `{ me ${'@include(if: true) '.repeat(3_000)} { id } }`],
  ['a circle of fragments', '{ me { ...A } } fragment A on User { ...B } fragment B on User { ...A }'],
  ['tokens without end', `{ ${'{'.repeat(100_000)}`],
  [
    'fifty aliases of the whole schema',
    `{ ${many(50, (at) => `a${at}: __schema { types { fields { type { fields { name } } } } }`)} }`,
  ],
  ['fields of fields of every type', '{ __schema { types { fields { type { fields { name } } } } } }'],
  ['types inside types without end', `{ __type(name: "User") ${'{ ofType '.repeat(14)}{ name } ${'}'.repeat(14)} }`],
  [
    'three hundred fragments that overlap',
    `{ me { ${many(300, (at) => `...F${at}`)} } } ${many(300, (at) => `fragment F${at} on User { id email }`)}`,
  ],
  ['the same field in many places', `{ ${many(400, () => 'projects { nodes { id name } }')} }`],
  ['the same field with long arguments', `{ ${many(120, () => `project(id: [${'1 '.repeat(20)}]) { id }`)} }`],
  ['four hundred operations', many(400, (at) => `query A${at} { me { id } }`)],
  ['a thousand variables', `query(${many(1_000, (at) => `$v${at}: Int`)}) { me { id } }`],
  ['a thousand directives', `{ me { ${many(1_000, () => 'id @include(if: true)')} } }`],
  ['a literal nested two thousand deep', `{ project(id: ${'['.repeat(2_000)}${']'.repeat(2_000)}) { id } }`],
  ['an object nested two thousand deep', `{ project(id: ${'{a:'.repeat(1_500)}1${'}'.repeat(1_500)}) { id } }`],
  ['a string of 900 kB', `{ project(id: "${'x'.repeat(900_000)}") { id } }`],
  ['an endless list value', `{ project(id: [${'1,'.repeat(50_000)}]) { id } }`],
  ['nested lists a hundred wide', `{ configItems(projectId: "P", first: 100) { nodes { ${listBreadth(2)} } } }`],
  [
    'lists a hundred wide by variable',
    'query($n: Int! = 100) { configItems(projectId: "P", first: $n) { nodes { versions(first: $n) { nodes { id note action actorId actorEmail createdAt } } } } }',
  ],
];

for (const [title, query] of refused) {
  hostile(`refuses ${title}, once and with little work`, async () => {
    const took = await ownMilliseconds(async () => {
      const answer = await here.world.owner.client.post('/graphql', {
        query: query.replace('"P"', `"${here.world.projectId}"`),
      });
      const { errors, data } = answer.body as { errors?: unknown[]; data?: unknown };
      assert.is(answer.status, 400, answer.text.slice(0, 300));
      assert.not.ok(data);
      assert.is(errors?.length, 1, answer.text.slice(0, 300));
    });
    assert.ok(took < 500, `${Math.round(took)} ms of processor time`);
  });
}

hostile('accepts the introspection of common tools, with all its options', async () => {
  const everything = {
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  };
  for (const options of [{}, everything, { ...everything, descriptions: false }]) {
    const answer = await here.world.owner.client.post('/graphql', { query: getIntrospectionQuery(options) });
    const { data, errors } = answer.body as { data?: { __schema: { types: unknown[] } }; errors?: unknown };
    assert.is(errors, undefined, answer.text.slice(0, 300));
    assert.ok((data?.__schema.types.length ?? 0) > 100);
  }
});

hostile('survives a fragment that doubles itself forty times', async () => {
  const answer = await here.world.owner.client.post('/graphql', { query: fragmentBomb(40) });
  assert.ok(answer.status === 200 || answer.status === 400);
});

hostile('refuses batches', async () => {
  const answer = await here.world.owner.client.post('/graphql', [
    { query: '{ me { id } }' },
    { query: '{ me { id } }' },
  ]);
  assert.is(answer.status, 400);
});

hostile('refuses mutations by GET and simple requests from other sites', async () => {
  const query = 'mutation { createProject(input: { name: "by GET" }) { id } }';
  const byGet = await here.world.owner.client.get(`/graphql?query=${encodeURIComponent(query)}`, {
    'apollo-require-preflight': '1',
  });
  assert.is(byGet.status, 405);
  const byPut = await here.world.owner.client.send('PUT', '/graphql', '{}', { 'content-type': 'application/json' });
  const { __type: known } = await here.world.owner.client.graphql<{ __type: { enumValues: { name: string }[] } }>(
    '{ __type(name: "ErrorCode") { enumValues { name } } }',
  );
  const [{ extensions }] = (byPut.body as { errors: [{ extensions: { code: string } }] }).errors;
  assert.ok(
    known.enumValues.some(({ name }) => name === extensions.code),
    extensions.code,
  );
  const simple = await here.world.owner.client.get(`/graphql?query=${encodeURIComponent('{ me { id } }')}`);
  assert.is(simple.status, 400);
  const form = await here.world.owner.client.send('POST', '/graphql', 'query={me{id}}', {
    'content-type': 'application/x-www-form-urlencoded',
  });
  assert.is(form.status, 400);
});

hostile('shows no stack and no SQL in any refusal', async () => {
  for (const [, query] of refused) {
    const { text } = await here.world.owner.client.post('/graphql', { query });
    assert.not.match(text, /node_modules|\.js:\d+|select |stacktrace/i);
  }
});

hostile.run();
