import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServerProcess } from '../harness/server-process.js';
import { createEmptyDatabase } from '../support/database.js';
import { buildWorld } from '../support/factories/factories.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const x = suite('http server');
let test: TestApp;

x.before(async () => {
  // Stalling bodies must not be what ends connections here.
  const patience = { stalledMs: 3_600_000 };
  test = await openTestApp({ settings: { PUBLIC_URL: 'https://quarterdeck.example' }, patience });
});
x.after(() => test.close());

async function open(text: string): Promise<Socket> {
  const { hostname, port } = new URL(test.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

x('closes connections that stall in their headers, and serves others meanwhile', async () => {
  const since = Date.now();
  const stalled = await Promise.all(
    Array.from({ length: 300 }, (_, n) => open(n % 2 ? '' : 'GET /healthz HTTP/1.1\r\nhost: x\r\nx-slow: ')),
  );
  const ended = stalled.map((socket) => once(socket.resume(), 'close'));
  assert.is((await fetch(`${test.baseUrl}/healthz`)).status, 200);
  await Promise.all(ended);
  assert.ok(Date.now() - since >= 4500);
});

x('drops an unauthenticated client that sends its body slowly', async () => {
  const socket = await open(
    'POST /api/v1/config/items/x/rollback HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n{',
  );
  let answer = '';
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text;
  });
  await once(socket, 'close');
  assert.match(answer, /^HTTP\/1\.1 401 /);
});

x('a client that keeps writing after it was rejected can still read the answer', async () => {
  const megabyte = Buffer.alloc(1024 * 1024, ',');
  for (const [path, status] of [
    ['/graphql', 413],
    ['/api/v1/config/items/x/rollback', 401],
    ['/api/v1/track', 401],
  ] as const) {
    const head = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${4 * megabyte.length}\r\n\r\n`;
    // The server waits for two seconds, which a busy machine may now and then use up for a client.
    await until(`the refusal of ${path}`, async () => {
      const socket = await open(head);
      const errors: Error[] = [];
      socket.on('error', (error) => errors.push(error)).pause();
      for (let n = 0; n < 3; n += 1) {
        socket.write(megabyte);
        await sleep(50);
      }
      socket.end(megabyte);
      const answer = (await socket.toArray().catch(() => [])) as Buffer[];
      return errors.length === 0 && Buffer.concat(answer).toString().startsWith(`HTTP/1.1 ${status} `);
    });
  }
});

x(
  'tells a client that asks before sending to continue if its body is wanted, and rejects it at once otherwise',
  async () => {
    const { keys, owner } = await buildWorld(test);
    const key = `x-api-key: ${keys.live}`;
    const bearer = `authorization: Bearer ${owner.token}`;
    const form = 'content-type: multipart/form-data; boundary=A';
    const json = 'content-type: application/json';
    const ask = (path: string, headers: string[], length: number) =>
      open(
        `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nexpect: 100-continue\r\n${headers.join('\r\n')}\r\ncontent-length: ${length}\r\n\r\n`,
      );
    const event = JSON.stringify({ event_name: 'e', distinct_id: 'user' });
    const zipped = gzipSync(event);
    const wanted: [path: string, headers: string[], body: string | Buffer, status: number][] = [
      ['/api/v1/track', [key, json], event, 200],
      ['/api/v1/track', [key, json, 'content-encoding: gzip'], zipped, 200],
      ['/api/switch/halt-webhook', [key, json], '{}', 400],
      ['/api/v1/catch/symbols', [bearer, form], '--A--\r\n', 400],
      ['/graphql', [bearer, json], '{"query":"{ me { id } }"}', 200],
    ];
    for (const [path, headers, body, status] of wanted) {
      const socket = await ask(path, headers, Buffer.byteLength(body));
      const [first] = (await once(socket, 'data')) as [Buffer];
      assert.is(first.toString(), 'HTTP/1.1 100 Continue\r\n\r\n', path);
      socket.write(body);
      const answered = await text(socket);
      assert.match(answered, new RegExp(`^HTTP/1\\.1 ${status} `), `${path}: ${answered}`);
    }
    const large = 600 * 1024 * 1024;
    const refused: [path: string, headers: string[], length: number, status: number][] = [
      ['/api/v1/track', [key, json], large, 413],
      ['/api/v1/track', ['x-api-key: sk_live_wrong', json], 1_000_000, 401],
      ['/api/v1/catch/symbols', [bearer, form], large, 413],
      ['/api/v1/catch/symbols', [form], 1_000_000, 401],
      ['/graphql', [json], large, 413],
      ['/nowhere', [json], 1_000_000, 404],
    ];
    for (const [path, headers, length, status] of refused) {
      const answer = await text(await ask(path, headers, length));
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), `${path}: ${answer}`);
      assert.not.match(answer, '100 Continue', path);
    }
  },
);

x('is ready but degraded without its object store, and logs why nothing can be stored there', async () => {
  const lines: string[] = [];
  const away = await openTestApp({
    onLog: (line) => lines.push(JSON.stringify(line)),
    settings: { S3_ENDPOINT: 'http://127.0.0.1:9', S3_ACCESS_KEY_ID: 'k', S3_SECRET_ACCESS_KEY: 's' },
  });
  const answer = await fetch(`${away.baseUrl}/readyz`);
  assert.is(answer.status, 200);
  assert.equal(await answer.json(), { status: 'degraded', degraded: ['objects'] });
  assert.match(await (await fetch(`${test.baseUrl}/readyz`)).text(), '"degraded":[]');
  const { owner } = await buildWorld(away);
  const form = new FormData();
  form.set('kind', 'js_sourcemap');
  form.set('file', new Blob(['{}']), 'a.js.map');
  const headers = { authorization: `Bearer ${owner.token}` };
  const refused = await fetch(`${away.baseUrl}/api/v1/catch/symbols`, { method: 'POST', headers, body: form });
  assert.is(refused.status, 503);
  assert.equal(await refused.json(), { error: 'Service temporarily unavailable' });
  assert.ok(
    lines.some((line) => line.includes('ECONNREFUSED 127.0.0.1:9')),
    lines.join('\n'),
  );
  await away.close();
});

/** The status of a request with any method, the allowed methods, and the text. */
async function answerTo(method: string, path: string): Promise<string> {
  const asked = request(`${test.baseUrl}${path}`, { method }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return `${answer.statusCode} ${answer.headers.allow ?? ''} ${await text(answer)}`;
}

x('refuses unsupported methods with the list of supported ones', async () => {
  for (const path of ['/healthz', '/readyz']) {
    assert.match(await answerTo('GET', path), /^200 {2}{"status":"ok"/);
    assert.is(await answerTo('HEAD', path), '200  ');
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'])
      assert.is(await answerTo(method, path), '405 GET, HEAD {"error":"method_not_allowed"}', method);
  }
  for (const method of ['PUT', 'TRACE', 'QUERY', 'PROPFIND']) {
    assert.is(await answerTo(method, '/api/v1/batch'), '405 POST {"error":"method_not_allowed"}', method);
    assert.is(await answerTo(method, '/api/pulse/surveys/a'), '405 GET, HEAD {"error":"method_not_allowed"}', method);
    assert.is(await answerTo(method, '/api/v1/none'), '404  {"error":"not_found"}', method);
  }
  assert.is(await answerTo('HEAD', '/api/v1/batch'), '405 POST ');
  assert.is(await answerTo('POST', '/metrics'), '405 GET, HEAD {"error":"method_not_allowed"}');
});

x('drops the fragment that a client sends with a path, and does not log it', async () => {
  const database = await createEmptyDatabase();
  const server = await startServerProcess({ env: { DATABASE_URL: database.url } });
  const { hostname, port } = new URL(server.url);
  const answers = ['/healthz#top', '/api/v1/handshake#/api/v1/batch'].map(async (target) => {
    const socket = connect(Number(port), hostname);
    socket.end(`GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    return (await text(socket)).split(' ')[1];
  });
  const statuses = await Promise.all(answers);
  await server.stop();
  await database.drop();
  assert.equal(statuses, ['200', '401']);
  assert.not.match(server.output(), 'Warning');
});

x('answers 4xx to headers that are too large, name two hosts or are not HTTP', async () => {
  for (const [text, status] of [
    [`GET /healthz HTTP/1.1\r\nhost: x\r\nx-large: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['nonsense\r\n\r\n', 400],
    ['POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nhost: x\r\nHOST: x\r\n\r\n', 400],
    ['GET /healthz HTTP/1.1\r\nHoSt: x\r\n\r\n', 200],
    ['GET /healthz HTTP/1.0\r\n\r\n', 200],
  ] as const) {
    const socket = await open(text);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    assert.match(answer.toString(), new RegExp(`^HTTP/1.1 ${status} `));
    socket.destroy();
  }
});

x('tells browsers not to sniff, frame or run anything, on both successes and errors', async () => {
  const world = await buildWorld(test);
  const answers = [
    await fetch(`${test.baseUrl}/healthz`),
    await fetch(`${test.baseUrl}/nobody/knows`),
    await fetch(`${test.baseUrl}/api/v1/config/items/x/versions`),
    await fetch(`${test.baseUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${world.owner.token}` },
      body: '{"query":"{me{user{id}}}"}',
    }),
  ];
  for (const { headers, url } of answers) {
    assert.is(headers.get('x-content-type-options'), 'nosniff', url);
    assert.is(headers.get('x-frame-options'), 'DENY', url);
    assert.is(headers.get('referrer-policy'), 'no-referrer', url);
    assert.is(headers.get('strict-transport-security'), 'max-age=31536000', url);
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/, url);
    assert.ok(headers.get('cache-control'), url);
    assert.is(headers.get('x-powered-by'), null);
    assert.is(headers.get('server'), null);
  }
  const playground = await fetch(`${test.baseUrl}/playground`);
  assert.is(playground.status, 200);
  assert.match(playground.headers.get('content-security-policy') ?? '', /script-src/);
});

x.run();
