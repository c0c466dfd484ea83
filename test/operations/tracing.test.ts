import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openTracer } from '../../src/kernel/tracing/open-tracer.js';
import type { Tracer } from '../../src/kernel/tracing/tracer.js';
import { parsePairs } from '../../src/kernel/tracing/tracer-settings.js';
import { EventStream } from '../support/event-stream.js';
import { buildConfigItem } from '../support/factories/config-factory.js';
import { buildWorld, type World } from '../support/factories/factories.js';
import { buildSubscription, draftEntries } from '../support/factories/webhook-factory.js';
import { answer, type HostileReceiver, hostileReceiver } from '../support/receivers/hostile-receiver.js';
import { openLocally } from '../support/receivers/open-locally.js';
import { uploadSymbols } from '../support/symbols/symbol-client.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

type Attributes = { key: string; value: Record<string, unknown> }[];

interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attributes;
  status: { code: number };
}

interface Export {
  resourceSpans: { resource: { attributes: Attributes }; scopeSpans: { spans: ReceivedSpan[] }[] }[];
}

interface Context {
  test: TestApp;
  world: World;
  receiver: HostileReceiver;
}

const x = suite<Context>('tracing');
let collector: Server;
let endpoint: string;
const received: { path: string; headers: IncomingHttpHeaders; body: Export }[] = [];

x.before(async (context) => {
  collector = createServer(async (request, response) => {
    received.push({ path: request.url ?? '', headers: request.headers, body: (await json(request)) as Export });
    response.end('{}');
  });
  endpoint = await openLocally(collector);
  context.receiver = await hostileReceiver(answer(200));
  context.test = await openTestApp({
    worker: true,
    settings: {
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.5,127.0.0.6',
      OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20b',
      OTEL_SERVICE_NAME: 'desk',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    },
  });
  context.world = await buildWorld(context.test);
});
x.before.each(async ({ test }) => {
  await test.app.tracer?.flush();
  received.length = 0;
});
x.after(async ({ test, receiver }) => {
  await test.close();
  await receiver.close();
  collector.close();
});

const valuesOf = (attributes: Attributes) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

const spans = () =>
  received.flatMap(({ body }) =>
    body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );

/** The spans of one trace, once they include the request's own. */
async function spansOf({ test }: Context, trace: string, name: string): Promise<ReceivedSpan[]> {
  const found = () => spans().filter((span) => span.traceId === trace);
  await until(`a span ${name}`, async () => {
    await test.app.tracer?.flush();
    return found().some((span) => span.name === name);
  });
  return found();
}

let traces = 0;
function newTrace(): { trace: string; traceparent: string } {
  traces += 1;
  const trace = traces.toString(16).padStart(32, 'a');
  return { trace, traceparent: `00-${trace}-${spanId}-01` };
}

x(
  'a request is a span named after its route, a child of the caller’s, with its statements as children',
  async (context) => {
    const { world } = context;
    const item = await buildConfigItem(world, {});
    const { trace, traceparent } = newTrace();
    const path = `/api/v1/config/items/${item.id}/versions`;
    await world.owner.client.get(path, { traceparent });
    await world.owner.client.get(path, { traceparent: `00-${'b'.repeat(32)}-${spanId}-00` });
    const name = 'GET /api/v1/config/items/:id/versions';
    const found = await spansOf(context, trace, name);
    const request = found.find((span) => span.name === name);
    assert.is(request?.parentSpanId, spanId);
    assert.is(request?.kind, 2);
    assert.ok(BigInt(request?.endTimeUnixNano ?? 0) > BigInt(request?.startTimeUnixNano ?? 0));
    assert.ok(Math.abs(Number(BigInt(request?.endTimeUnixNano ?? 0) / 1_000_000n) - Date.now()) < 3_600_000);
    const attributes = valuesOf(request?.attributes ?? []);
    assert.is(Number(attributes['http.response.status_code']), 200);
    assert.is(attributes['http.route'], '/api/v1/config/items/:id/versions');
    assert.match(String(attributes['quarterdeck.request_id']), /^[\w-]{8,}$/);
    const statements = found.filter(({ attributes: of }) => valuesOf(of)['db.system.name'] === 'postgresql');
    assert.ok(statements.length > 0);
    for (const { parentSpanId, kind } of statements) assert.equal([parentSpanId, kind], [request?.spanId, 3]);
    assert.not(spans().some((span) => span.traceId === 'b'.repeat(32)));
    assert.not(JSON.stringify(received).includes(world.owner.token));
    const [sent] = received;
    assert.is(sent?.path, '/v1/traces');
    assert.is(sent?.headers['x-tenant'], 'a b');
    const resource = valuesOf(sent?.body.resourceSpans[0]?.resource.attributes ?? []);
    assert.is(resource['service.name'], 'desk');
    assert.is(resource['deployment.environment.name'], 'test');
  },
);

x('requests answered on a fast path have a span as well', async (context) => {
  const { world } = context;
  const path = '/api/v1/handshake?distinct_id=traced';
  await world.live.get(path);
  for (const status of [200, 304]) {
    const { trace, traceparent } = newTrace();
    const known: Record<string, string> = status === 304 ? { 'if-none-match': '*' } : {};
    const { status: answered, headers } = await world.live.get(path, { traceparent, ...known });
    assert.is(answered, status);
    const [span] = await spansOf(context, trace, 'GET /api/v1/handshake');
    const attributes = valuesOf(span?.attributes ?? []);
    assert.is(Number(attributes['http.response.status_code']), status);
    assert.is(attributes['quarterdeck.request_id'], headers.get('x-request-id'));
  }
  const { trace, traceparent } = newTrace();
  const operation = { type: 'track', payload: { event_name: 'traced', distinct_id: 'p' } };
  await world.live.post('/api/v1/batch', { operations: [operation] }, { traceparent });
  const stored = await spansOf(context, trace, 'POST /api/v1/batch');
  const request = stored.find(({ name }) => name === 'POST /api/v1/batch');
  assert.is(stored.find(({ name }) => name === 'copy')?.parentSpanId, request?.spanId);
});

x('a rejected request’s span carries the code, and only server failures count as errors', async (context) => {
  const { trace, traceparent } = newTrace();
  await context.world.live.post('/api/v1/batch', { operations: [] }, { traceparent });
  const [span] = await spansOf(context, trace, 'POST /api/v1/batch');
  const attributes = valuesOf(span?.attributes ?? []);
  assert.is(Number(attributes['http.response.status_code']), 400);
  assert.is(attributes['error.type'], 'no_operations');
  assert.is(span?.status.code, 0);
});

x('a GraphQL operation is a span with its statements as children', async (context) => {
  const body = { query: 'query Names { projects { edges { node { name } } } }' };
  // The first request goes through Apollo, the others bypass it.
  for (let time = 0; time < 3; time += 1) {
    const { trace, traceparent } = newTrace();
    await context.world.owner.client.post('/graphql', body, { traceparent });
    const found = await spansOf(context, trace, 'POST /graphql');
    const operation = found.find(({ name }) => name === 'query Names');
    assert.is(operation?.parentSpanId, found.find(({ name }) => name === 'POST /graphql')?.spanId);
    assert.is(valuesOf(operation?.attributes ?? [])['graphql.operation.type'], 'query');
    assert.ok(found.some(({ parentSpanId, kind }) => kind === 3 && parentSpanId === operation?.spanId));
  }
});

x('statements are exported without their values', async (context) => {
  const { trace, traceparent } = newTrace();
  const email = 'secret.person@example.com';
  await context.world.live.post('/api/v1/people', { distinct_id: email, properties: { email } }, { traceparent });
  await context.world.owner.client.post(
    '/graphql',
    { query: `{ people(projectId: "${context.world.projectId}", search: "${email}") { edges { node { id } } } }` },
    { traceparent },
  );
  await spansOf(context, trace, 'POST /graphql');
  assert.not(JSON.stringify(received).includes(email));
});

x('jobs and deliveries are spans, and a receiver can continue the trace', async (context) => {
  const { world, receiver, test } = context;
  await buildSubscription(world, receiver.url, ['changelog.entry.*']);
  await uploadSymbols(
    world.owner.client,
    { name: 'app.js.map', bytes: '{"version":3,"sources":[],"names":[],"mappings":""}' },
    { kind: 'js_sourcemap' },
  );
  await draftEntries(world, 1);
  await until('a delivery', async () => receiver.requests.length > 0);
  const byName = (start: string) => spans().find(({ name }) => name.startsWith(start));
  await until('the spans of a job and a delivery', async () => {
    await test.app.tracer?.flush();
    return Boolean(byName('job ') && byName('deliver webhook'));
  });
  const delivery = byName('deliver webhook');
  const headers = Object.fromEntries(receiver.requests[0]?.headers ?? []);
  assert.is(headers.traceparent, `00-${delivery?.traceId}-${delivery?.spanId}-01`);
  assert.is(delivery?.kind, 3);
  assert.is(byName('job ')?.kind, 5);
});

x('there is no tracer unless a collector is set', async () => {
  const settings = settingsOf({ otelTracesEndpoint: null });
  assert.is(await openTracer(settings), undefined);
  assert.is(await openTracer({ ...settings, otelEndpoint: endpoint, otelDisabled: true }), undefined);
});

const settingsOf = (given: object) => ({
  otelEndpoint: null,
  otelTracesEndpoint: `${endpoint}/direct`,
  otelHeaders: null,
  otelServiceName: 's',
  otelResourceAttributes: null,
  otelDisabled: false,
  otelSampler: 'always_on',
  otelSamplerArg: 1,
  ...given,
});

x('the configured sampler decides', async () => {
  const kept = async (otelSampler: string, otelSamplerArg: number, traceparent?: string) => {
    const tracer = (await openTracer(settingsOf({ otelSampler, otelSamplerArg }))) as Tracer;
    const count = Array.from({ length: 2000 }, () => tracer.start('server', 's', { traceparent }).isRecorded).filter(
      Boolean,
    ).length;
    await tracer.close();
    return count;
  };
  assert.is(await kept('always_off', 1), 0);
  assert.is(await kept('always_on', 0), 2000);
  assert.ok(Math.abs((await kept('traceidratio', 0.25)) - 500) < 120);
  assert.is(await kept('parentbased_traceidratio', 0, `00-${traceId}-${spanId}-01`), 2000);
  assert.is(await kept('parentbased_always_on', 1, `00-${traceId}-${spanId}-00`), 0);
  assert.is(await kept('parentbased_always_off', 1), 0);
});

x('a malformed traceparent starts a new trace', async () => {
  const tracer = (await openTracer(settingsOf({}))) as Tracer;
  for (const traceparent of [
    '',
    'x',
    `00-${traceId}-${spanId}`,
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
  ]) {
    assert.not.match(tracer.start('server', 's', { traceparent }).headers().traceparent ?? '', traceId, traceparent);
  }
  assert.match(
    tracer.start('server', 's', { traceparent: `00-${traceId}-${spanId}-01` }).headers().traceparent ?? '',
    traceId,
  );
  await tracer.close();
  assert.equal(parsePairs(' a = 1 ,b=%zz,,c, d=x=y'), [
    ['a', '1'],
    ['b', '%zz'],
    ['d', 'x=y'],
  ]);
});

x('a stream is a span once it ends, without the ticket that opened it', async (context) => {
  const { test, world } = context;
  const { body } = await world.live.post('/api/v1/stream/ticket', '');
  const { ticket, url } = body as { ticket: string; url: string };
  const { trace, traceparent } = newTrace();
  const stream = await EventStream.open(test.baseUrl + url, { traceparent });
  await stream.next('ready');
  stream.close();
  await spansOf(context, trace, 'GET /api/v1/stream');
  assert.not(JSON.stringify(received).includes(ticket));
});

x.run();
