import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Metrics } from '../../src/kernel/metrics.js';
import { buildConfigItem } from '../support/factories/config-factory.js';
import { buildWorld } from '../support/factories/factories.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const x = suite('metrics');
const opened: TestApp[] = [];

async function open(settings: Record<string, string> = {}): Promise<TestApp> {
  const test = await openTestApp({ settings });
  opened.push(test);
  return test;
}

x.after(async () => {
  for (const test of opened) await test.close();
});

x('count requests by route, status and reason, and waiting ones', async () => {
  const test = await open();
  const world = await buildWorld(test);
  const item = await buildConfigItem(world, {});
  const path = `/api/v1/config/items/${item.id}/versions`;
  assert.is((await world.owner.client.get(path)).status, 200);
  assert.is((await world.live.get(path)).status, 401);
  const payload = { event_name: 'counted', distinct_id: 'p' };
  const operation = { type: 'track', payload };
  await world.live.post('/api/v1/batch', { operations: [operation, operation] });
  await world.live.post('/api/v1/batch', { operations: [] });
  await fetch(`${test.baseUrl}/nobody/knows/${item.id}`);
  const answer = await fetch(`${test.baseUrl}/metrics`);
  assert.is(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  const text = await answer.text();
  const count = (labels: string) =>
    new RegExp(`^quarterdeck_http_request_duration_seconds_count\\{${labels}\\} (\\d+)$`, 'm').exec(text)?.[1];
  const route = '/api/v1/config/items/:id/versions';
  assert.is(count(`method="GET",route="${route}",status="200",reason=""`), '1', text);
  assert.is(count(`method="GET",route="${route}",status="401",reason="unauthenticated"`), '1', text);
  assert.is(count('method="any",route="other",status="404",reason=""'), '1');
  assert.ok(Number(count('method="POST",route="/graphql",status="200",reason=""')) > 3);
  assert.match(text, /^quarterdeck_ingest_accepted_total\{type="track"\} 2$/m);
  assert.match(text, /^quarterdeck_ingest_buffered 0$/m);
  assert.match(text, /_count\{method="POST",route="\/api\/v1\/batch",status="400",reason="no_operations"\} 1$/m);
  assert.match(text, /^quarterdeck_webhook_dead_letters 0$/m);
  assert.match(text, /^quarterdeck_webhook_deliveries_oldest_due_seconds 0$/m);
  assert.match(text, /^quarterdeck_events_undispatched [1-9]\d*$/m);
  assert.match(text, /^quarterdeck_events_undispatched_oldest_seconds \d/m);
  assert.match(text, /^quarterdeck_database_connections\{state="open"\} [1-9]/m);
  assert.match(
    text,
    /^quarterdeck_database_connections\{state="awaited"\} 0$/m,
    'the connection that reads them does not count',
  );
  assert.match(text, /^quarterdeck_nodejs_eventloop_lag_p99_seconds /m);
  for (const secret of [item.id, world.keys.live, world.owner.token, world.owner.email])
    assert.not(text.includes(secret));
});

x('count operations once stored, and those of a body still arriving as waiting', async () => {
  const test = await open();
  const { live, keys } = await buildWorld(test);
  const metric = async (name: string) => {
    const text = await (await fetch(`${test.baseUrl}/metrics`)).text();
    return Number(new RegExp(`^quarterdeck_${name.replace(/[{}]/g, '\\$&')} (\\d+)$`, 'm').exec(text)?.[1]);
  };
  const stored = () => metric('ingest_accepted_total{type="track"}');
  const operation = (more: object) => ({
    type: 'track',
    payload: { event_name: 'counted', distinct_id: 'p', ...more },
  });
  const batch = { operations: [operation({ insert_id: 'once' }), operation({}), operation({ insert_id: 'once' })] };
  for (let time = 0; time < 2; time++)
    assert.is((await live.post('/api/v1/batch', batch, { 'idempotency-key': 'one' })).status, 200);
  assert.is(await stored(), 2);

  const operations = Array.from({ length: 3_000 }, () => operation({ properties: { text: 'x'.repeat(500) } }));
  const body = JSON.stringify({ operations });
  const seen = Promise.withResolvers<void>();
  async function* pieces() {
    yield body.slice(0, -1_000);
    await seen.promise;
    yield body.slice(-1_000);
  }
  const answer = fetch(`${test.baseUrl}/api/v1/batch`, {
    method: 'POST',
    headers: { 'x-api-key': keys.live, 'content-type': 'application/json' },
    body: ReadableStream.from(pieces()).pipeThrough(new TextEncoderStream()),
    duplex: 'half',
  } as RequestInit);
  await until('its operations wait', async () => (await metric('ingest_buffered')) > 2_000).finally(seen.resolve);
  assert.is((await answer).status, 200);
  assert.equal([await stored(), await metric('ingest_buffered')], [3_002, 0]);
});

x('are only for direct callers on this machine, or with the token', async () => {
  const test = await open();
  const status = async (base: TestApp, headers: Record<string, string>) =>
    (await fetch(`${base.baseUrl}/metrics`, { headers })).status;
  assert.is(await status(test, {}), 200);
  assert.is((await fetch(`${test.baseUrl}/metrics`, { method: 'HEAD' })).status, 200);
  assert.is(await status(test, { 'x-forwarded-for': '127.0.0.1' }), 404);
  assert.is(await status(test, { 'x-forwarded-proto': 'https' }), 404);
  const { port } = new URL(test.baseUrl);
  const statusLine = async (version: string, host: string) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET /metrics HTTP/${version}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    return (await textOf(socket)).split(' ')[1];
  };
  for (const host of [`127.0.0.1:${port}`, 'localhost', `[::1]:${port}`])
    assert.is(await statusLine('1.1', host), '200', host);
  for (const host of ['quarterdeck.example.com', '127.0.0.1.example.com', 'localhost.example.com:443'])
    assert.is(await statusLine('1.1', host), '404', host);
  assert.is(await statusLine('1.0', `127.0.0.1:${port}`), '404', "nginx's own way to ask");
  const guarded = await open({ METRICS_TOKEN: 'the token of the test' });
  assert.is(await status(guarded, {}), 404);
  assert.is(await status(guarded, { authorization: 'Bearer the token of the tesT' }), 404);
  assert.is(await status(guarded, { authorization: 'Bearer the token of the test', 'x-forwarded-for': '::1' }), 200);
});

x('show a failed reading as no number', async () => {
  const metrics = new Metrics();
  metrics.gauge('broken', 'A reading that fails', () => Promise.reject(new Error('away')));
  metrics.gauge('working', 'A reading by label', () => new Map([['a', 2]]), 'kind');
  const text = await metrics.text();
  assert.match(text, /^quarterdeck_working\{kind="a"\} 2$/m);
  assert.match(text, /^quarterdeck_broken Nan$/m);
});

x('put a duration into every bucket that holds it', async () => {
  const metrics = new Metrics();
  for (const seconds of [0.0005, 0.004, 0.004, 99]) metrics.requests.of('GET', '/a').observe(200, '', seconds);
  const text = await metrics.text();
  const bucket = (le: string) => new RegExp(`_bucket\\{.*le="${le.replace('.', '\\.')}"\\} (\\d+)`).exec(text)?.[1];
  assert.equal([bucket('0.001'), bucket('0.005'), bucket('30'), bucket('\\+Inf')], ['1', '3', '3', '4']);
});

x.run();
