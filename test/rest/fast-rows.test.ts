import { randomUUID } from 'node:crypto';
import { createServer, request, type Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { laneOf } from '../../rest/face/lane.js';
import type { Route } from '../../rest/route.js';
import { restRoutes } from '../../rest/routes.js';
import { securityHeadersOfData } from '../../src/http/security-headers.js';
import { BodyBudget } from '../../src/kernel/bodies/body-budget.js';
import { ClientAddresses } from '../../src/kernel/requests/client-address.js';
import { KEY_SCOPES } from '../../src/modules/access/keys/key-scopes.js';
import { bodyOf } from '../support/event-stream.js';
import { buildKey, buildProject, buildWorld, type World } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { buildSurvey } from '../support/factories/survey-factory.js';
import { openLocally } from '../support/receivers/open-locally.js';
import { openTestApp, type TestApp } from '../support/test-app.js';

interface Sent {
  /** Path with its query; defaults to the row's own path. */
  readonly path?: string;
  readonly body?: string | Buffer;
  readonly headers?: Record<string, string>;
  /** Sends half of the body and never the rest. */
  readonly half?: true;
  /** Address whose current tag is sent along. */
  readonly knows?: string;
}

type Case = readonly [what: string, status: number, sent: Sent];

/** An answer as received over the wire. */
interface Seen {
  readonly status: number;
  /** Alternating names and values, in the order and spelling received. */
  readonly headers: string[];
  readonly body: string;
  /** What the metrics counted: method, route, status and refusal. */
  readonly counted: string[];
}

const NOT_TAKEN = 599;
const NO_KEY = { 'x-api-key': '' };
const track = { type: 'track', payload: { event_name: 'e', distinct_id: 'user', properties: { a: 1 } } };
const event = (more: object): string => JSON.stringify({ distinct_id: 'user', ...more });
const batch = (...operations: unknown[]): string => JSON.stringify({ operations });

let test: TestApp;
let world: World;
let rows: Route[];
let cases: Map<Route, Case[]>;
let laneOnly: Server;
let laneUrl: string;

const x = suite('fast rows');

x.before(async () => {
  test = await openTestApp();
  world = await buildWorld(test);
  // Knowledge about a key expires; the clock is reset so that the test may take any time.
  test.clock.set(new Date());
  const { app } = test;
  rows = restRoutes(app).filter(({ fast }) => fast);
  const addresses = new ClientAddresses([]);
  const lane = laneOf(restRoutes(app), {
    tx: app.tx,
    counters: app.parts.shared.counters,
    metrics: app.parts.metrics,
    logger: app.options.logger,
    maxBodyBytes: app.options.env.maxBodyBytes,
    bodies: new BodyBudget(),
    headers: securityHeadersOfData(app.options.env.publicUrl),
    keys: app.services.keys,
    keysById: app.services.keysById,
    tickets: app.services.streamTickets,
    passes: app.services.refetchPasses,
    identifyToken: app.identifyToken.bind(app),
    addressOf: (message) => addresses.ofRequest(message),
  });
  laneOnly = createServer({ keepAliveTimeout: 65_000, optimizeEmptyRequests: true }, (message, response) => {
    if (!lane(message, response)) response.writeHead(NOT_TAKEN, { connection: 'close' }).end();
  });
  cases = new Map();
  for (const row of rows) cases.set(row, await casesOf(row));
  laneUrl = await openLocally(laneOnly);
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

async function send(baseUrl: string, path: string, method: string, key: string, sent: Sent): Promise<Seen> {
  const before = await series();
  const body = sent.body === undefined ? null : Buffer.from(sent.body);
  const seen = await new Promise<Omit<Seen, 'counted'>>((resolve, reject) => {
    const { hostname: host, port } = new URL(baseUrl);
    const outgoing = request({
      host,
      port,
      path,
      method,
      agent: false,
      headers: {
        connection: 'keep-alive',
        'x-api-key': key,
        'x-request-id': 'request-0123456789',
        ...(body && !sent.headers?.['transfer-encoding'] ? { 'content-length': String(body.length) } : {}),
        ...sent.headers,
      },
    });
    outgoing.once('error', reject);
    outgoing.once('response', async (response) => {
      const text = await bodyOf(response);
      const headers = response.rawHeaders.map((part, at, all) => (all[at - 1] === 'Date' ? 'now' : part));
      // Ids differ in each request, but all of one kind have the same length.
      resolve({ status: response.statusCode ?? 0, headers, body: text.replace(/resp_\w+/, 'resp_') });
      outgoing.destroy();
    });
    if (sent.half) outgoing.write(body?.subarray(0, body.length >> 1));
    else outgoing.end(body);
  });
  const after = await series();
  const counted = [...after].filter(([labels, count]) => count !== (before.get(labels) ?? 0)).map(([labels]) => labels);
  return { ...seen, counted };
}

/** The tag is requested right before, because other cases change the answer. */
async function withTag({ knows, ...sent }: Sent): Promise<Sent> {
  if (!knows) return sent;
  const tag = (await world.live.get(knows)).headers.get('etag') ?? '';
  return { ...sent, headers: { ...sent.headers, 'if-none-match': tag } };
}

/** Sends a request the fast way, then the common way: a fragment, which no client sends, keeps it off the fast one. */
async function bothWays(row: Route, key: string, sent: Sent): Promise<Seen> {
  const path = sent.path ?? row.path;
  const fast = await send(laneUrl, path, row.method, key, sent);
  const common = await send(test.baseUrl, `${path}#`, row.method, key, sent);
  assert.is.not(fast.status, NOT_TAKEN, path);
  assert.equal(fast, common, `${row.method} ${path}`);
  return fast;
}

/** Each row's own test cases; with a parameter, the row's path is a pattern. */
async function casesOf({ method, path }: Route): Promise<Case[]> {
  const decisions = (url: string): Case[] => [
    ['the decisions', 200, { path: `${url}?distinct_id=user&installed=switch&app_version=1.2` }],
    ['what is known', 304, { path: url, knows: url }],
    ['another tag', 200, { path: url, headers: { 'if-none-match': '"other", W/"old"' } }],
    ['odd queries', 200, { path: `${url}?distinct_id=%00%zz&distinct_id=a&&=&installed=nothing` }],
    ['a body that nobody asked for', 200, { path: url, body: '{}' }],
  ];
  const single = (good: object, bad: object): Case[] => [
    ['one operation', 200, { body: event(good) }],
    ['a query that nobody asked for', 200, { path: `${path}?a=1`, body: event(good) }],
    ['a garbage id', 202, { body: JSON.stringify({ ...good, distinct_id: '0' }) }],
    ['a bad payload', 400, { body: event(bad) }],
  ];
  const evaluation: Case[] = [
    ['a context', 200, { body: '{"context":{"targetingKey":"user","plan":"pro"}}' }],
    ['a context that is not one', 400, { body: '{"context":7}' }],
  ];
  switch (`${method} ${path}`) {
    case 'GET /api/v1/handshake':
      return decisions(path);
    case 'POST /api/v1/handshake':
      return [
        ['the decisions', 200, { body: '{"distinct_id":"user","context":{"plan":"pro"},"installed":["switch"]}' }],
        ['its further path', 200, { path: '/api/handshake', body: '{}' }],
        ['what is known', 304, { body: '{}', knows: '/api/v1/handshake' }],
        ['a context that is none', 400, { body: '{"context":[]}' }],
        ['a list', 400, { body: '[]' }],
      ];
    case 'POST /api/v1/batch':
      return [
        ['a batch', 200, { body: batch(track, track) }],
        ['people and aliases', 200, { body: batch({ type: 'people', payload: { distinct_id: 'p' } }, track) }],
        ['garbage ids alone', 202, { body: batch({ type: 'people', payload: { distinct_id: 'nil' } }) }],
        ['a clock that is off', 200, { path: `${path}?sent_at=2020-01-01T00:00:00.000Z`, body: batch(track) }],
        ['a report', 200, { path: `${path}?validate=1`, body: batch(track, { type: 'page' }) }],
        ['a report of nothing', 400, { path: `${path}?validate=1`, body: batch() }],
        ['a remembered key', 200, { body: batch(track), headers: { 'idempotency-key': 'again' } }],
        ['an empty list', 400, { body: batch() }],
        ['an unknown type', 400, { body: batch({ type: 'page', payload: {} }) }],
      ];
    case 'POST /api/v1/track':
      return single({ event_name: 'e' }, { event_name: 7 });
    case 'POST /api/v1/people':
      return single({ properties: { a: 1 } }, { properties: 1 });
    case 'POST /api/v1/alias':
      return single({ alias_id: 'other' }, {});
    case 'POST /api/switch/halt-webhook': {
      const { key } = await buildFlag(world);
      const halt = (more: object): Sent => ({ body: JSON.stringify({ flag_key: key, reason: 'errors', ...more }) });
      return [
        ['a halt', 200, halt({})],
        ['its further path', 200, { ...halt({}), path: '/api/v1/switch/halt-webhook' }],
        ['no flag', 404, halt({ flag_key: 'none' })],
        ['no reason', 400, halt({ reason: '' })],
        ['a bad environment', 400, halt({ environment: 'prod' })],
        ['a list', 400, { body: '[]' }],
      ];
    }
    case 'GET /api/pulse/surveys':
      return [
        ['the list', 200, {}],
        ['its further path', 200, { path: '/api/v1/pulse/surveys' }],
        ['what is known', 304, { knows: path }],
        ['anything known', 304, { headers: { 'if-none-match': '*' } }],
      ];
    case 'GET /api/pulse/surveys/:survey_id': {
      const { id, slug } = await buildSurvey(world);
      const draft = await buildSurvey(world, {}, 'draft');
      return [
        ['a survey', 200, { path: `/api/pulse/surveys/${id}` }],
        ['its slug and further path', 200, { path: `/api/v1/pulse/surveys/${slug}` }],
        ['what is known of it', 304, { path: `/api/pulse/surveys/${id}`, knows: `/api/pulse/surveys/${id}` }],
        ['a respondent', 200, { path: `/api/pulse/surveys/${id}?external_id=someone` }],
        ['a draft', 422, { path: `/api/pulse/surveys/${draft.id}` }],
        ['none', 404, { path: '/api/pulse/surveys/none' }],
      ];
    }
    case 'POST /api/pulse/responses': {
      const { id } = await buildSurvey(world);
      const response = (more: object): Sent => ({
        body: JSON.stringify({ survey_id: id, answers: { nps: 9 }, ...more }),
      });
      return [
        ['a response', 201, response({ respondent: { email: 'a@example.com' }, submitted_at: '2026-01-01' })],
        ['wrong answers', 400, response({ answers: { nps: 11 } })],
        ['answers that are none', 400, response({ answers: [] })],
        ['a wrong shape', 400, response({ survey_id: 7 })],
        ['another survey', 404, response({ survey_id: 'none' })],
      ];
    }
    case 'GET /api/v1/stream':
    case 'GET /ofrep/v1/stream':
    case 'POST /api/v1/stream/ticket':
      return ['', 'a.b.c.d.e.f'].map((id): Case => [`from ${id}`, 200, { headers: { 'last-event-id': id } }]);
    case 'POST /ofrep/v1/evaluate/flags':
      return evaluation;
    case 'POST /ofrep/v1/evaluate/flags/:key': {
      const { key } = await buildFlag(world, { key: `flag-${randomUUID()}` });
      const at = (flag: string) =>
        evaluation.map(
          ([what, status, sent]): Case => [what, status, { ...sent, path: `/ofrep/v1/evaluate/flags/${flag}` }],
        );
      return [
        ...at(key),
        ['no flag', 404, { path: '/ofrep/v1/evaluate/flags/none', body: '{"context":{"targetingKey":"u"}}' }],
      ];
    }
    default:
      return path.endsWith('/decision') ? decisions(path) : [];
  }
}

/** Test cases for every row with a body. */
function bodyCases({ body, path }: Route, good: Sent): Case[] {
  if (!body) return [];
  const at = good.path ?? path;
  const whole = good.body as string;
  return [
    ['no JSON', 400, { path: at, body: '{"operations":' }],
    ['no body', 400, { path: at }],
    ['bytes that are no UTF-8', 400, { path: at, body: Buffer.from([0x22, 0xff, 0x22]) }],
    [
      'a body that is not compressed as it says',
      400,
      { path: at, body: whole, headers: { 'content-encoding': 'gzip' } },
    ],
    ['an unknown compression', 400, { path: at, body: whole, headers: { 'content-encoding': 'zstd' } }],
    [
      'too large a body',
      413,
      { path: at, body: '{', half: true, headers: { 'content-length': String(600 * 1024 * 1024) } },
    ],
  ];
}

x('exist, and each has test cases', async () => {
  assert.ok(rows.length > 10);
  for (const row of rows) assert.ok((cases.get(row)?.length ?? 0) > 1, `${row.method} ${row.path} has no cases`);
});

x('answer every request like the common way, byte for byte', async () => {
  for (const row of rows) {
    const own = cases.get(row) as Case[];
    const [, , good] = own[0] as Case;
    for (const [what, status, sent] of [...own, ...bodyCases(row, good)]) {
      const seen = await bothWays(row, world.keys.live, await withTag(sent));
      assert.is(seen.status, status, `${row.method} ${row.path}, ${what}: ${seen.body}`);
    }
  }
});

x('read bodies as the common way does, however they arrive', async () => {
  for (const row of rows.filter(({ body }) => body)) {
    const [, status, good] = (cases.get(row) as Case[])[0] as Case;
    const forms: Partial<Sent>[] = [
      { headers: { 'transfer-encoding': 'chunked' } },
      { body: gzipSync(good.body as string), headers: { 'content-encoding': 'gzip' } },
      { body: `${good.body}${' '.repeat(50_000)}` },
    ];
    for (const form of forms)
      assert.is((await bothWays(row, world.keys.live, { ...good, ...form })).status, status, row.path);
  }
});

x('refuse callers as the common way does, with the body read or not', async () => {
  const closed = await buildProject(world);
  await world.owner.client.graphql('mutation($input: UpdateProjectInput!) { updateProject(input: $input) { id } }', {
    input: { id: closed.projectId, authorizedOrigins: ['https://app.example.com'], authorizedAddresses: ['10.0.0.1'] },
  });
  const keyWithout = new Map<string, string>();
  for (const scope of KEY_SCOPES)
    keyWithout.set(
      scope,
      await buildKey(
        world.owner,
        world.projectId,
        'live',
        KEY_SCOPES.filter((one) => one !== scope),
      ),
    );
  for (const row of rows) {
    const [, , good] = (cases.get(row) as Case[])[0] as Case;
    const refused: [key: string, status: number, more: Partial<Sent>][] = [
      ['', 401, { headers: NO_KEY }],
      ['sk_live_nothing', 401, {}],
      [closed.keys.live, 403, { headers: { origin: 'https://evil.example.com' } }],
      [closed.keys.live, 403, {}],
      [keyWithout.get(row.scope ?? '') ?? '', 403, {}],
    ];
    for (const [key, status, more] of refused) {
      const seen = await bothWays(row, key, { ...good, ...more });
      assert.is(seen.status, status, `${row.path} ${status}`);
      if (!row.body) {
        assert.not.ok(seen.headers.includes('close'), `${row.path} leaves nothing unread`);
        continue;
      }
      const large = { ...good.headers, ...more.headers, 'content-length': '200000' };
      const unread = await bothWays(row, key, { ...good, ...more, headers: large, half: true });
      assert.is(unread.status, status);
      assert.is(unread.headers[unread.headers.indexOf('connection') + 1], 'close');
    }
  }
});

x('count towards the same limits and quotas and refuse alike', async () => {
  const spent = await buildProject(world);
  await world.owner.client.graphql('mutation($i: SetProjectPlanInput!) { setProjectPlan(input: $i) { plan } }', {
    i: { projectId: spent.projectId, plan: 'hobby', overrides: { events: 1, decisions: 0, responses: 0 } },
  });
  for (const row of rows) {
    const [, status, good] = (cases.get(row) as Case[])[0] as Case;
    const key = await buildKey(world.owner, world.projectId, 'live');
    if (row.limit) {
      const { bucket, perMinute } = row.limit;
      for (let n = 0; n < perMinute - 2; n++) await test.app.parts.shared.counters.increment(`${bucket}:key:${key}`);
      assert.is((await bothWays(row, key, good)).status, status);
      assert.is((await bothWays(row, key, good)).status, 429, row.path);
    }
    if ((row.scope === 'decide' && !row.path.includes('/stream')) || row.path === '/api/v1/batch') {
      const over = await bothWays(row, spent.keys.live, good);
      assert.is(over.status, 429, row.path);
      assert.match(over.body, 'quota_exceeded');
    }
  }
});

x('leave other methods and paths that need decoding to the common way', async () => {
  const { slug } = await buildSurvey(world);
  const others: [method: string, path: string][] = [
    ['HEAD', '/api/v1/handshake'],
    ['OPTIONS', '/api/v1/batch'],
    ['PUT', '/api/v1/batch'],
    ['GET', '/api/v1/batch/'],
    ['GET', '/api/pulse/surveys/'],
    ['GET', `/api/pulse/surveys/%61${slug}`],
    ['GET', `/api/v1/pulse/surveys/${slug}/responses.csv`],
    ['GET', '/api/v1/handshake#fragment'],
    ['GET', '/healthz'],
    ['POST', '/graphql'],
  ];
  for (const [method, path] of others)
    assert.is((await send(laneUrl, path, method, world.keys.live, {})).status, NOT_TAKEN, `${method} ${path}`);
});

x.run();
