import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FinishedSpan } from '../../src/kernel/span-exporter.js';
import { parsePairs, parseTraceParent } from '../../src/kernel/trace-context.js';
import { Tracer } from '../../src/kernel/tracer.js';
import { buildWorld } from '../support/factories/factories.js';
import { openTestApp } from '../support/test-app.js';

const x = suite('tracing');
const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

interface Export {
  resourceSpans: { resource: { attributes: FinishedSpan['attributes'] }; scopeSpans: { spans: FinishedSpan[] }[] }[];
}

let collector: Server;
let endpoint: string;
const received: { path: string; headers: IncomingHttpHeaders; body: Export }[] = [];

x.before(async () => {
  collector = createServer(async (request, response) => {
    received.push({ path: request.url ?? '', headers: request.headers, body: (await json(request)) as Export });
    response.end('{}');
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
x.after(() => {
  collector.close();
});

const valuesOf = (attributes: FinishedSpan['attributes']) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

x('tells a collector of each request by its route, below the caller’s span', async () => {
  const test = await openTestApp({
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20b',
      OTEL_SERVICE_NAME: 'desk',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    },
  });
  const world = await buildWorld(test);
  await test.app.tracer?.flush();
  received.length = 0;
  const path = `/api/v1/config/items/${world.projectId}/versions`;
  await world.owner.client.get(path, { traceparent: `00-${traceId}-${spanId}-01` });
  await world.owner.client.get(path, { traceparent: `00-${traceId}-${spanId}-00` });
  await test.close();
  const [sent] = received;
  assert.is(received.length, 1);
  assert.is(sent?.path, '/v1/traces');
  assert.is(sent?.headers['x-tenant'], 'a b');
  const [resourceSpans] = sent?.body.resourceSpans ?? [];
  assert.is(valuesOf(resourceSpans?.resource.attributes ?? [])['service.name'], 'desk');
  assert.is(valuesOf(resourceSpans?.resource.attributes ?? [])['deployment.environment.name'], 'test');
  const spans = resourceSpans?.scopeSpans[0]?.spans ?? [];
  assert.is(spans.length, 1);
  const [span] = spans;
  assert.is(span?.name, 'GET /api/v1/config/items/:id/versions');
  assert.is(span?.traceId, traceId);
  assert.is(span?.parentSpanId, spanId);
  assert.is(span?.kind, 2);
  assert.ok(BigInt(span?.endTimeUnixNano ?? 0) > BigInt(span?.startTimeUnixNano ?? 0));
  assert.ok(Math.abs(Number(BigInt(span?.endTimeUnixNano ?? 0) / 1_000_000n) - Date.now()) < 60_000);
  const attributes = valuesOf(span?.attributes ?? []);
  assert.is(attributes['http.response.status_code'], '404');
  assert.is(attributes['http.route'], '/api/v1/config/items/:id/versions');
  assert.not(JSON.stringify(sent?.body).includes(world.owner.token));
});

x('costs nothing and sends nothing unless a collector is set', async () => {
  const test = await openTestApp();
  assert.is(test.app.tracer, undefined);
  await test.close();
  const off = await openTestApp({ settings: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'true' } });
  assert.is(off.app.tracer, undefined);
  await off.close();
});

x('keeps to the sampler', () => {
  const settings = {
    otelEndpoint: null,
    otelTracesEndpoint: `${endpoint}/direct`,
    otelHeaders: null,
    otelServiceName: 's',
    otelResourceAttributes: null,
    otelDisabled: false,
  };
  const kept = (otelSampler: string, otelSamplerArg: number, parent?: string) => {
    const tracer = Tracer.open({ ...settings, otelSampler, otelSamplerArg });
    const count = Array.from({ length: 2000 }, () => tracer?.start(2, parent)).filter(Boolean).length;
    void tracer?.close();
    return count;
  };
  assert.is(kept('always_off', 1), 0);
  assert.is(kept('always_on', 0), 2000);
  assert.ok(Math.abs(kept('traceidratio', 0.25) - 500) < 120);
  assert.is(kept('parentbased_traceidratio', 0, `00-${traceId}-${spanId}-01`), 2000);
  assert.is(kept('parentbased_always_on', 1, `00-${traceId}-${spanId}-00`), 0);
  assert.is(kept('parentbased_always_off', 1), 0);
});

x('ignores a malformed traceparent', () => {
  for (const header of [
    '',
    'x',
    `00-${traceId}-${spanId}`,
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
  ]) {
    assert.is(parseTraceParent(header), undefined, header);
  }
  assert.equal(parseTraceParent(`01-${traceId}-${spanId}-03-later`), { traceId, spanId, sampled: true });
  assert.equal(parsePairs(' a = 1 ,b=%zz,,c, d=x=y'), [
    ['a', '1'],
    ['b', '%zz'],
    ['d', 'x=y'],
  ]);
});

x.run();
