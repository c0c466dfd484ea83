import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { worldSuite } from '../support/factories/world-suite.js';

const x = worldSuite('absent bodies');
const { here } = x;

/** Sends a POST without any body headers, which no HTTP library does, and reads the answer until the connection ends. */
async function post(path: string, headers: Record<string, string>): Promise<{ status: number; body: string }> {
  const { hostname, host, port } = new URL(here.test.baseUrl);
  const lines = Object.entries({ host, connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const answer = await text(socket);
  return { status: Number(answer.slice(9, 12)), body: answer.slice(answer.indexOf('\r\n\r\n') + 4) };
}

x('are answered like empty ones on every kind of route', async () => {
  const key = { 'x-api-key': here.world.keys.live };
  const token = { authorization: `Bearer ${here.world.owner.token}` };
  const form = { 'content-type': 'multipart/form-data; boundary=A' };
  const routes: [path: string, headers: Record<string, string>][] = [
    ['/api/v1/batch', key],
    ['/api/v1/track', key],
    ['/api/v1/handshake', key],
    ['/api/pulse/responses', key],
    ['/api/catch/events', key],
    ['/api/catch/profiles', key],
    ['/ofrep/v1/evaluate/flags', key],
    ['/api/v1/config/items/x/rollback', token],
    ['/api/v1/catch/symbols', { ...token, ...form }],
    ['/graphql', { ...token, 'content-type': 'application/json' }],
    ['/graphql', { ...token, ...form, 'apollo-require-preflight': '1' }],
  ];
  for (const [path, headers] of routes) {
    for (const more of [{}, { 'content-encoding': 'gzip' }] as Record<string, string>[]) {
      const absent = await post(path, { ...headers, ...more });
      const empty = await post(path, { ...headers, ...more, 'content-length': '0' });
      assert.is(absent.status, empty.status, `${path} ${JSON.stringify(more)}`);
      assert.ok(absent.status >= 400 && absent.status < 500, `${path}: ${absent.status}`);
      if (path !== '/graphql') assert.is(absent.body, empty.body, `${path} ${JSON.stringify(more)}`);
    }
  }
});

x('do not hold up the next request on the connection', async () => {
  const { hostname, host, port } = new URL(here.test.baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  const head = (path: string, more: string) =>
    `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nx-api-key: ${here.world.keys.live}\r\n${more}\r\n`;
  // All in one piece: the second request arrives before the first is answered.
  socket.write(
    head('/api/v1/handshake', '') + head('/healthz', '') + head('/api/v1/handshake', 'connection: close\r\n'),
  );
  const answers = (await text(socket)).match(/HTTP\/1.1 \d+/g);
  assert.equal(answers, ['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 200']);
});

x('and neither do small ones that nobody reads', async () => {
  const { hostname, host, port } = new URL(here.test.baseUrl);
  for (const [method, contentType] of [
    ['POST', 'multipart/form-data; boundary=A'],
    ['POST', 'multipart/form-data'],
    ['POST', 'text/plain'],
    ['PUT', 'application/json'],
  ]) {
    const socket = connect({ host: hostname, port: Number(port) });
    const headers = `content-type: ${contentType}\r\ncontent-length: 2\r\n`;
    socket.write(`${method} /graphql HTTP/1.1\r\nhost: ${host}\r\n${headers}\r\n{}`);
    socket.write(`GET /healthz HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    const answers = (await text(socket)).match(/HTTP\/1.1 \d+/g);
    assert.equal(answers, [`HTTP/1.1 ${method === 'PUT' ? 405 : 400}`, 'HTTP/1.1 200'], `${method} ${contentType}`);
  }
});

x.run();
