import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import type { World } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { worldSuite } from '../support/factories/world-suite.js';
import type { TestApp } from '../support/test-app.js';

const repeated = worldSuite('repeated queries');

repeated.before(async (context) => {
  for (const description of ['grün', 'of 3 €, "paid" by 🚩', 'plain']) await buildFlag(context.world, { description });
});

const LIST =
  'query List($id: ID!, $first: Int = 2) { flags(projectId: $id, first: $first) { nodes { id key createdAt } totalCount pageInfo { endCursor } } }';
const DESCRIBED = 'query D($id: ID!, $first: Int!) { flags(projectId: $id, first: $first) { nodes { description } } }';
const TWO = 'query A { __typename } query B { b: __typename viewer { role } }';

interface Case {
  name: string;
  body: object;
  headers?: Record<string, string>;
  anonymous?: true;
  /** Goes to Apollo each time, because it asks for more than data, or fails. */
  byApollo?: true;
}

const CASES: readonly Case[] = [
  { name: 'a list', body: { query: LIST, variables: { id: 'here' } } },
  { name: 'a page size', body: { query: LIST, variables: { id: 'here', first: 1 } } },
  { name: 'letters of Latin', body: { query: DESCRIBED, variables: { id: 'here', first: 1 } } },
  { name: 'letters of any kind', body: { query: DESCRIBED, variables: { id: 'here', first: 3 } } },
  { name: 'nobody', body: { query: '{ __typename }' }, anonymous: true },
  { name: 'the first of two', body: { query: TWO, operationName: 'A' } },
  { name: 'the second of two', body: { query: TWO, operationName: 'B' } },
  { name: 'neither of two', body: { query: TWO }, byApollo: true },
  { name: 'a foreign name', body: { query: TWO, operationName: 'C' }, byApollo: true },
  { name: 'extensions', body: { query: LIST, variables: { id: 'here' }, extensions: {} } },
  { name: 'extensions of another kind', body: { query: '{ __typename }', extensions: [] }, byApollo: true },
  { name: 'variables of another kind', body: { query: '{ __typename }', variables: [] }, byApollo: true },
  { name: 'a page that is too large', body: { query: LIST, variables: { id: 'here', first: 500 } }, byApollo: true },
  { name: 'a missing variable', body: { query: LIST }, byApollo: true },
  { name: 'a project of nobody', body: { query: LIST, variables: { id: 'nowhere' } }, byApollo: true },
  { name: 'a caller of nobody', body: { query: LIST, variables: { id: 'here' } }, anonymous: true, byApollo: true },
  { name: 'the schema', body: { query: '{ __schema { queryType { name } } }' }, byApollo: true },
  ...['*/*', 'application/json', 'application/graphql-response+json, application/json;q=0.5', 'text/html'].map(
    (accept) => ({
      name: `accept ${accept}`,
      body: { query: LIST, variables: { id: 'here' } },
      headers: { accept },
      ...(accept === 'text/html' ? { byApollo: true as const } : {}),
    }),
  ),
  {
    name: 'the cost',
    body: { query: LIST, variables: { id: 'here' } },
    headers: { 'graphql-cost': '1' },
    byApollo: true,
  },
];

/** Everything in an answer but its time, with the headers as sent. */
async function answerOf({ test, world }: { test: TestApp; world: World }, { body, headers, anonymous }: Case) {
  const text = JSON.stringify(body).replace('"here"', JSON.stringify(world.projectId));
  const credentials = anonymous ? {} : { authorization: `Bearer ${world.owner.token}` };
  const outgoing = request(`${test.baseUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': 'repeated', ...credentials, ...headers },
  });
  outgoing.end(text);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  const told = answer.rawHeaders.map((part, at, all) => (all[at - 1] === 'Date' ? 'now' : part));
  return { status: answer.statusCode, headers: told, text: (await buffer(answer)).toString() };
}

/** How many requests the server has answered without Apollo. */
async function answeredPast({ baseUrl }: TestApp): Promise<number> {
  const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
  return Number(/^quarterdeck_graphql_operations_total\{way="repeated"\} (\d+)$/m.exec(metrics)?.[1]);
}

repeated(
  'get the same answer as the first time, byte for byte, whoever asks and whatever is requested',
  async (given) => {
    for (const asked of CASES) {
      const first = await answerOf(given, asked);
      const past = await answeredPast(given.test);
      for (let again = 0; again < 3; again += 1) assert.equal(await answerOf(given, asked), first, asked.name);
      assert.is((await answeredPast(given.test)) - past, asked.byApollo ? 0 : 3, asked.name);
    }
  },
);

repeated('fail as they would the first time, and are answered again afterwards', async (given) => {
  const good = { name: 'good', body: { query: LIST, variables: { id: 'here' } } };
  const answer = await answerOf(given, good);
  for (const variables of [{ id: 'here', first: 500 }, { id: 'here', first: 'two' }, { id: 'nowhere' }, {}]) {
    const bad = { ...good, body: { query: LIST, variables } };
    // Worded differently, so that this is its first time.
    const first = await answerOf(given, { ...bad, body: { query: `${LIST} `, variables } });
    assert.equal(await answerOf(given, bad), first);
    assert.equal(await answerOf(given, good), answer);
  }
});

repeated.run();
