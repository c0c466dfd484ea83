import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BodyBudget, type BudgetLimits } from '../../src/kernel/bodies/body-budget.js';
import { noise, type RawAnswer, type RawExchange, sendRaw } from '../support/body-forms.js';
import { buildProject, buildWorld, type World } from '../support/factories/factories.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const KIB = 1024;
const SOON_MS = 1_500;

const RUNGS: BudgetLimits['rungs'] = [
  { bodies: 4 * KIB, room: 16 * KIB },
  { bodies: 95 * KIB, room: 200 * KIB },
  { bodies: Number.POSITIVE_INFINITY, room: 200 * KIB },
];

/** A server with little memory for bodies, and two projects. */
interface Place {
  test: TestApp;
  budget: BodyBudget;
  world: World;
  other: World;
}

/** Hangs up quickly. */
let impatient: TestApp;
/** Lets bodies wait for memory as long as it takes. */
let patient: Place;
/** Lets them wait only briefly. */
let brief: Place;
/** Lets them wait, but hangs up quickly. */
let crowded: Place;

const x = suite('patience with bodies');

x.before(async () => {
  impatient = await openTestApp({ patience: { stalledMs: SOON_MS } });
  patient = await openPlace(3_600_000);
  brief = await openPlace(300);
  crowded = await openPlace(3_600_000, SOON_MS);
});
x.after(async () => {
  await impatient?.close();
  for (const place of [patient, brief, crowded]) await place?.test.close();
});

async function openPlace(waitMs: number, stalledMs = 3_600_000): Promise<Place> {
  const budget = new BodyBudget({ waitMs, rungs: RUNGS });
  const test = await openTestApp({ patience: { stalledMs, budget } });
  const world = await buildWorld(test);
  return { test, budget, world, other: await buildProject(world) };
}

const isHeld = ({ budget }: Place, kib: number) => until(`${kib} KiB are held`, () => budget.held === kib * KIB);

const outcome = (exchange: RawExchange): Promise<RawAnswer | null> => exchange.answered.catch(() => null);

function openAt({ baseUrl }: TestApp, path: string, headers: Record<string, string>, ...parts: string[]): RawExchange {
  return sendRaw(baseUrl + path, { headers: { 'content-type': 'application/json', ...headers }, parts, open: true });
}

x('a stalled body is disconnected on every route, and a slow one is not', async () => {
  const there = await buildWorld(impatient);
  const key = { 'x-api-key': there.keys.live };
  const token = { authorization: `Bearer ${there.owner.token}` };
  const routes: [path: string, headers: Record<string, string>][] = [
    ['/api/v1/batch', key],
    ['/api/v1/track', key],
    ['/api/switch/halt-webhook', key],
    ['/api/pulse/responses', key],
    ['/api/catch/events', key],
    ['/api/catch/profiles', key],
    ['/ofrep/v1/evaluate/flags', key],
    ['/api/v1/config/items/x/rollback', token],
    ['/api/v1/catch/symbols', { ...token, 'content-type': 'multipart/form-data; boundary=A' }],
    ['/graphql', token],
    ['/graphql', { ...token, 'content-type': 'multipart/form-data; boundary=A', 'apollo-require-preflight': '1' }],
    ['/api/catch/profiles', { ...key, 'content-encoding': 'gzip' }],
  ];
  const length = { 'content-length': '1000' };
  const stalled = routes.flatMap(([path, headers]) => [
    openAt(impatient, path, { ...headers, ...length }, '{'),
    openAt(impatient, path, { ...headers, 'transfer-encoding': 'chunked' }, '{'),
  ]);
  const slow = openAt(impatient, '/api/catch/profiles', { ...key, 'content-length': '40' }, '"');
  const outcomes = Promise.all(stalled.map(outcome));
  for (let n = 0; n < 38; n++) {
    await sleep(100);
    slow.outgoing.write('x');
  }
  slow.outgoing.end('"');
  for (const [n, answer] of (await outcomes).entries()) assert.is(answer, null, routes[n >> 1]?.[0]);
  assert.is((await slow.answered).status, 202);
});

/** Sends a little again and again, until disconnected. */
function trickle({ outgoing, answered }: RawExchange): void {
  const writing = setInterval(() => outgoing.write(' '), 50);
  answered.catch(() => undefined).finally(() => clearInterval(writing));
}

/**
 * Waits until they count as slow and asserts that none is disconnected. Then sends a quick request and asserts that
 * they are.
 */
async function makeWayFor(slow: readonly RawExchange[], sendQuick: () => Promise<RawAnswer>): Promise<void> {
  const ended: (RawAnswer | null)[] = [];
  for (const exchange of slow) {
    trickle(exchange);
    void outcome(exchange).then((answer) => ended.push(answer));
  }
  await sleep(2 * SOON_MS);
  assert.is(ended.length, 0, 'nobody is waiting for their memory');
  const { status, text } = await sendQuick();
  assert.ok(status < 300, `${status} ${text}`);
  await until('a slow one is hung up', () => ended.length > 0);
  assert.ok(ended.every((answer) => answer === null));
  for (const { outgoing } of slow) outgoing.destroy();
}

x('trickling bodies continue until others wait for the memory they hold', async () => {
  const { test, world, other } = crowded;
  const third = await buildProject(world);
  const open = ({ keys }: World, body: string) =>
    openAt(test, '/api/catch/profiles', { 'x-api-key': keys.live, 'content-length': String(95 * KIB) }, body);
  const slow = [world, other].map((project) => open(project, '"'));
  await isHeld(crowded, 2 * 95);
  await makeWayFor(slow, () => open(third, `"${noise(95 * KIB - 2)}"`).answered);
});

x('large trickling ingestion bodies continue until others wait for their places', async () => {
  const world = await buildWorld(impatient);
  const [last, ...others] = await Promise.all(Array.from({ length: 9 }, () => buildProject(world)));
  const open = ({ keys }: World, ...parts: string[]) =>
    openAt(impatient, '/api/v1/batch', { 'x-api-key': keys.live, 'transfer-encoding': 'chunked' }, ...parts);
  const begun = `{"operations":[${' '.repeat(1100 * KIB)}`;
  const slow = others.map((project) => open(project, begun));
  await makeWayFor(slow, () => {
    const operation = JSON.stringify({ type: 'track', payload: { event_name: 'e', distinct_id: 'd' } });
    const quick = open(last as World, begun, `${operation}]}`);
    quick.outgoing.end();
    return quick.answered;
  });
});

x('a request that does not fit into the memory for bodies waits, and continues when there is room', async () => {
  const { test, world } = patient;
  const key = { 'x-api-key': world.keys.live };
  const first = openAt(test, '/api/catch/profiles', { ...key, 'content-length': String(90 * KIB) }, '"');
  await isHeld(patient, 90);
  const second = openAt(
    test,
    '/api/catch/profiles',
    { ...key, 'transfer-encoding': 'chunked' },
    `"${noise(60 * KIB)}"`,
  );
  second.outgoing.end();
  let isAnswered = false;
  void second.answered.then(() => {
    isAnswered = true;
  });
  // Small bodies are answered meanwhile.
  for (let n = 0; n < 20; n++) await world.live.post('/api/switch/halt-webhook', { flag_key: 'none', reason: 'r' });
  assert.is(isAnswered, false);
  first.outgoing.end(`${'x'.repeat(90 * KIB - 2)}"`);
  assert.is((await first.answered).status, 202);
  assert.is((await second.answered).status, 202);
});

x(
  'a request that waits too long gets the route’s own error, even while still sending, and does not block others',
  async () => {
    const { test, world, other } = brief;
    const key = { 'x-api-key': world.keys.live };
    const token = { authorization: `Bearer ${world.owner.token}` };
    const held = [world, other].map(({ keys }) =>
      openAt(test, '/api/catch/profiles', { 'x-api-key': keys.live, 'content-length': String(95 * KIB) }, '"'),
    );
    await isHeld(brief, 2 * 95);
    const busy = { error: 'Service temporarily unavailable' };
    for (const path of [
      '/api/catch/events',
      '/api/catch/profiles',
      '/api/v1/batch',
      '/api/v1/track',
      '/api/pulse/responses',
    ]) {
      const sending = openAt(test, path, { ...key, 'transfer-encoding': 'chunked' }, `"${noise(50 * KIB)}`);
      const writing = setInterval(() => sending.outgoing.write(noise(8 * KIB)), 20);
      const answer = await sending.answered.finally(() => clearInterval(writing));
      assert.is(answer.status, 503, path);
      assert.equal(JSON.parse(answer.text), busy, path);
      assert.match(String(answer.headers['x-request-id']), /^[\w-]{8,}$/);
    }
    const query = JSON.stringify({ query: `{ __typename } # ${noise(90 * KIB)}` });
    const graphql = openAt(test, '/graphql', { ...token, 'content-length': String(query.length) }, query);
    const refused = await graphql.answered;
    assert.is(refused.status, 503, refused.text);
    assert.is(JSON.parse(refused.text).errors[0].extensions.code, 'UNAVAILABLE');
    const ofrep = openAt(
      test,
      '/ofrep/v1/evaluate/flags',
      { ...key, 'transfer-encoding': 'chunked' },
      `"${noise(50 * KIB)}`,
    );
    assert.is((await ofrep.answered).status, 503);
    const small = await world.live.post('/api/switch/halt-webhook', { flag_key: 'none', reason: 'r' });
    assert.is(small.status, 404, 'small bodies never wait behind large ones');
    for (const { outgoing } of held) outgoing.destroy();
  },
);

x('one caller never has more than half of the memory', async () => {
  const { test, world, other } = patient;
  const key = { 'x-api-key': world.keys.live };
  const held = [60, 60].map((kib) =>
    openAt(test, '/api/catch/profiles', { ...key, 'content-length': String(kib * KIB) }, '"'),
  );
  await isHeld(patient, 60);
  const another = { 'x-api-key': other.keys.live, 'transfer-encoding': 'chunked' };
  const passes = openAt(test, '/api/catch/profiles', another, `"${noise(80 * KIB)}"`);
  passes.outgoing.end();
  assert.is((await passes.answered).status, 202);
  assert.is(patient.budget.held, 60 * KIB);
  for (const { outgoing } of held) outgoing.destroy();
  await isHeld(patient, 0);
});

x('memory held by a disconnected client is released', async () => {
  const { test, world, budget } = patient;
  const key = { 'x-api-key': world.keys.live };
  for (let n = 0; n < 20; n++) {
    const gone = openAt(test, '/api/catch/profiles', { ...key, 'content-length': String(95 * KIB) }, noise(50 * KIB));
    await until('its room', () => budget.held > 0);
    gone.outgoing.destroy();
  }
  await isHeld(patient, 0);
});

x.run();
