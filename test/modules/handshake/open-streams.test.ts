import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Metrics } from '../../../src/kernel/metrics.js';
import type { OpenStream, StreamEnd } from '../../../src/kernel/streams/open-stream.js';
import { OpenStreams } from '../../../src/kernel/streams/open-streams.js';
import { EventStream } from '../../support/event-stream.js';
import { openLocally } from '../../support/receivers/open-locally.js';
import { until } from '../../support/until.js';

const x = suite<{ server: Server; url: string; responses: ServerResponse[] }>('open streams');

x.before(async (context) => {
  context.responses = [];
  context.server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    context.responses.push(response);
  });
  context.url = await openLocally(context.server);
});
x.before.each(({ responses }) => {
  responses.length = 0;
});
x.after(({ server }) => {
  server.closeAllConnections();
  server.close();
});

const registry = (metrics = new Metrics()) =>
  new OpenStreams({ key: 1_000, token: 1_000, organization: 1_000 }, metrics);

function opened(streams: OpenStreams, response: ServerResponse, ends: StreamEnd[]): OpenStream {
  return streams.take('modules', [{ what: 'key', id: 'k' }]).open(response, (end) => ends.push(end));
}

x('a client that does not read is disconnected before much is buffered', async ({ url, responses }) => {
  const { hostname: host, port } = new URL(url);
  const socket: Socket = connect({ host, port: Number(port) });
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const response = await until('the request', () => responses[0]);
  const metrics = new Metrics();
  const ends: StreamEnd[] = [];
  const stream = opened(registry(metrics), response, ends);
  let kept = 0;
  let sent = 0;
  while (stream.isOpen && sent < 10_000) {
    stream.send(`data: ${'x'.repeat(8_000)}\n\n`);
    kept = Math.max(kept, response.writableLength);
    sent += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(ends, ['slow']);
  assert.ok(kept < 128 * 1024, `${kept} bytes were kept`);
  assert.match(await metrics.text(), 'quarterdeck_streams_ended_total{kind="modules",reason="slow"} 1');
  socket.destroy();
});

x('a client that disconnects leaves nothing behind', async ({ url, responses }) => {
  const client = EventStream.open(url);
  const response = await until('the request', () => responses[0]);
  const metrics = new Metrics();
  const ends: StreamEnd[] = [];
  const stream = opened(registry(metrics), response, ends);
  stream.send('data: 1\n\n');
  assert.match(await metrics.text(), 'quarterdeck_streams_open{kind="modules"} 1');
  const { events, close } = await client;
  await until('an event', () => events.length > 0);
  close.call(await client);
  await until('the end', () => !stream.isOpen);
  assert.equal(ends, ['gone']);
  stream.send('data: 2\n\n');
  assert.match(await metrics.text(), 'quarterdeck_streams_open{kind="modules"} 0');
});

x('on shutdown, all are disconnected and asked to reconnect at different times', async ({ url, responses }) => {
  const clients = Promise.all(Array.from({ length: 60 }, () => EventStream.open(url)));
  await until('the requests', () => responses.length === 60);
  const ends: StreamEnd[] = [];
  const streams = registry();
  for (const response of responses) opened(streams, response, ends).send('data: 1\n\n');
  await streams.endAll();
  for (const client of await clients) await client.end();
  assert.equal(new Set(ends), new Set(['stopping']));
  const retries = (await clients).map(({ retry }) => retry ?? 0);
  assert.ok(retries.every((retry) => retry >= 500));
  assert.ok(new Set(retries).size > 20);
});

x.run();
