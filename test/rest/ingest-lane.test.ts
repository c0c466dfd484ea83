import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ingestLane } from '../../rest/ingest/ingest-lane.js';
import { securityHeadersOfData } from '../../src/http/security-headers.js';
import { BodyBudget } from '../../src/kernel/bodies/body-budget.js';
import { ClientAddresses } from '../../src/kernel/client-address.js';
import { buildKey, buildProject, buildWorld, setPlan, type World } from '../support/factories/factories.js';
import { openTestApp, type TestApp } from '../support/test-app.js';

interface Sent {
  path?: string;
  method?: string;
  body?: string | Buffer;
  headers?: Record<string, string>;
  /** Sends the body's first half, and the rest this much later, or never. */
  rest?: number | 'never';
}

/** An answer as it came over the wire; of the headers only the date is left out. */
interface Seen {
  status: number;
  headers: string[];
  body: string;
  /** What the metrics counted: method, route, status and refusal. */
  counted: string[];
}

const NOT_TAKEN = 599;
const track = { type: 'track', payload: { event_name: 'e', distinct_id: 'user', properties: { a: 1 } } };
const batch = (...operations: unknown[]): string => JSON.stringify({ operations });

let test: TestApp;
let world: World;
let laneOnly: Server;
let laneUrl: string;

const x = suite('the fast lane of ingestion');

x.before(async () => {
  test = await openTestApp();
  world = await buildWorld(test);
  // What is known of a key grows old; the test is to be independent of how long it takes.
  test.clock.set(new Date());
  const { app } = test;
  const { env, logger } = app.options;
  const addresses = new ClientAddresses([]);
  const lane = ingestLane({
    keys: app.services.keys,
    metrics: app.parts.metrics,
    headers: securityHeadersOfData(env.publicUrl),
    logger,
    counters: app.parts.shared.counters,
    tx: app.tx,
    ingestion: app.services.ingestion,
    maxBodyBytes: env.maxBodyBytes,
    bodies: new BodyBudget(),
    addressOf: (message) => addresses.ofRequest(message),
  });
  laneOnly = createServer({ keepAliveTimeout: 65_000 }, (message, response) => {
    if (!lane(message, response)) response.writeHead(NOT_TAKEN, { connection: 'close' }).end();
  });
  await new Promise<void>((resolve) => laneOnly.listen(0, '127.0.0.1', resolve));
  laneUrl = `http://127.0.0.1:${(laneOnly.address() as AddressInfo).port}`;
});
x.after(async () => {
  laneOnly?.closeAllConnections();
  laneOnly?.close();
  await test?.close();
});

async function series(): Promise<Map<string, number>> {
  const { values } = await test.app.parts.metrics.requests.get();
  const counts = values.filter(({ metricName }) => metricName.endsWith('_count'));
  return new Map(counts.map(({ labels, value }) => [JSON.stringify(labels), value]));
}

async function send(baseUrl: string, key: string, sent: Sent): Promise<Seen> {
  const before = await series();
  const body = Buffer.from(sent.body ?? '');
  const seen = await new Promise<Omit<Seen, 'counted'>>((resolve, reject) => {
    const outgoing = request(baseUrl + (sent.path ?? '/api/v1/batch'), {
      method: sent.method ?? 'POST',
      agent: false,
      headers: {
        connection: 'keep-alive',
        'x-api-key': key,
        'x-request-id': 'request-0123456789',
        ...(sent.headers?.['transfer-encoding'] ? {} : { 'content-length': String(body.length) }),
        ...sent.headers,
      },
    });
    outgoing.once('error', reject);
    outgoing.once('response', async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const { rawHeaders } = response;
      const headers = rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${rawHeaders[i + 1]}`] : []));
      resolve({
        status: response.statusCode ?? 0,
        headers: headers.filter((line) => !line.startsWith('Date: ')).sort(),
        body: Buffer.concat(chunks).toString(),
      });
      outgoing.destroy();
    });
    if (sent.rest === undefined) {
      outgoing.end(body);
      return;
    }
    const half = body.length >> 1;
    outgoing.write(body.subarray(0, half));
    if (sent.rest !== 'never') setTimeout(() => outgoing.end(body.subarray(half)), sent.rest);
  });
  const after = await series();
  const counted = [...after].filter(([labels, count]) => count !== (before.get(labels) ?? 0)).map(([labels]) => labels);
  return { ...seen, counted };
}

/** Sends it through the lane, then through Koa: a query, which these routes ignore, keeps a request out of the lane. */
async function bothWays(key: string, sent: Sent): Promise<Seen> {
  await test.app.services.keys.find(key);
  const taken = await send(laneUrl, key, sent);
  const common = await send(test.baseUrl, key, { ...sent, path: `${sent.path ?? '/api/v1/batch'}?through=koa` });
  assert.is.not(taken.status, NOT_TAKEN);
  assert.equal(taken, common);
  return taken;
}

const payload = (more: object): string => JSON.stringify({ distinct_id: 'user', ...more });

const alike: [what: string, status: number, sent: Sent][] = [
  ['a batch', 200, { body: batch(track, track) }],
  ['a batch with people and aliases', 200, { body: batch({ type: 'people', payload: { distinct_id: 'p' } }, track) }],
  [
    'a batch of garbage ids alone',
    202,
    { body: batch({ ...track, payload: { event_name: 'e', distinct_id: 'nil' } }) },
  ],
  ['a body that comes in two parts', 200, { body: batch(track), rest: 30 }],
  ['an event', 200, { path: '/api/v1/track', body: payload({ event_name: 'e' }) }],
  ['an event of a garbage id', 202, { path: '/api/v1/track', body: '{"event_name":"e","distinct_id":"0"}' }],
  ['a person', 200, { path: '/api/v1/people', body: payload({ properties: { a: 1 } }) }],
  ['an alias', 200, { path: '/api/v1/alias', body: payload({ alias_id: 'other' }) }],
  ['no JSON', 400, { body: '{"operations":' }],
  ['no body', 400, {}],
  ['an empty list', 400, { body: batch() }],
  ['an unknown type', 400, { body: batch({ type: 'page', payload: {} }) }],
  ['a bad payload', 400, { path: '/api/v1/track', body: payload({ event_name: 7 }) }],
];
for (const [what, status, sent] of alike) {
  x(`answers ${what} as Koa does, byte for byte`, async () => {
    assert.is((await bothWays(world.keys.live, sent)).status, status);
  });
}

x('answers a repeated Idempotency-Key as Koa does', async () => {
  const sent = { body: batch(track), headers: { 'idempotency-key': 'again' } };
  assert.is((await bothWays(world.keys.test, sent)).status, 200);
});

x('answers a used up quota as Koa does', async () => {
  const full = await buildProject(world);
  await setPlan(full, { events: 1 });
  const seen = await bothWays(full.keys.live, { body: batch(track, track) });
  assert.is(seen.status, 429);
  assert.match(seen.body, '"error":"quota_exceeded"');
});

x('counts on the same limit and refuses as Koa does, with the body read or not', async () => {
  const key = await buildKey(world.owner, world.projectId, 'live');
  for (let n = 0; n < 498; n++) await test.app.parts.shared.counters.increment(`ingest:key:${key}`);
  assert.is((await bothWays(key, { body: batch(track) })).status, 200);
  const refused = await bothWays(key, { body: batch(track) });
  assert.is(refused.status, 429);
  assert.is(refused.body, '{"error":"Rate limit exceeded. Please wait a moment."}');
  const unread = await bothWays(key, { body: batch(track), rest: 'never' });
  assert.is(unread.status, 429);
  assert.ok(unread.headers.includes('connection: close'));
});

x('leaves whatever is out of the ordinary to the common way', async () => {
  const { live } = world.keys;
  const unknown = await buildKey(world.owner, world.projectId, 'live');
  const decides = await buildKey(world.owner, world.projectId, 'live', ['decide']);
  const { projectId, keys } = await buildProject(world);
  await world.owner.client.graphql('mutation($input: UpdateProjectInput!) { updateProject(input: $input) { id } }', {
    input: { id: projectId, authorizedOrigins: ['https://app.example.com'] },
  });
  for (const key of [live, decides, keys.live]) await test.app.services.keys.find(key);
  const body = batch(track);
  const cases: [key: string, sent: Sent][] = [
    [unknown, { body }],
    ['sk_live_nothing', { body }],
    [decides, { body }],
    [keys.live, { body }],
    [live, { body, path: '/api/v1/batch?a=1' }],
    [live, { path: '/api/v1/handshake', method: 'GET' }],
    [live, { method: 'OPTIONS' }],
    [live, { body: gzipSync(body), headers: { 'content-encoding': 'gzip' } }],
    [live, { body, headers: { 'transfer-encoding': 'chunked' } }],
    [live, { body: body + ' '.repeat(1024 * 1024) }],
  ];
  for (const [key, sent] of cases)
    assert.is((await send(laneUrl, key, sent)).status, NOT_TAKEN, JSON.stringify(sent).slice(0, 200));
});

x.run();
