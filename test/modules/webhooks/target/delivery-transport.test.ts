import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AddressGuard } from '../../../../src/kernel/outbound/target-address.js';
import type { NameResolver } from '../../../../src/kernel/outbound/target-resolution.js';
import { isRefusal, readTarget } from '../../../../src/kernel/outbound/target-url.js';
import {
  type AttemptResult,
  DeliveryTransport,
  TRANSPORT_DEFAULTS,
} from '../../../../src/modules/webhooks/delivery/delivery-transport.js';
import {
  answer,
  type Behaviour,
  type HostileReceiver,
  hostileReceiver,
  type ReceiverOptions,
  silent,
} from '../../../support/receivers/hostile-receiver.js';
import { until } from '../../../support/until.js';

const fixtures = join(import.meta.dirname, '../../../../../test/fixtures/webhooks');
const tls = {
  key: readFileSync(join(fixtures, 'receiver-key.pem')),
  cert: readFileSync(join(fixtures, 'receiver-cert.pem')),
};
/** For answers that never come; no slow machine makes them come. */
const SHORT_MS = 600;
/** For answers that do. */
const LONG_MS = 120_000;

/** 127.0.0.5 stands for the public internet; 127.0.0.1 and the rest of loopback must not be reached. */
const guard = new AddressGuard(['127.0.0.5']);
const closers: (() => Promise<unknown>)[] = [];
const transports = suite('delivery transport');

transports.after.each(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

transports('a delivery is one POST with its headers and body; the answer is timed and kept', async () => {
  const receiver = await started(answer(202, 'thanks'));
  const result = await post(receiver.url, '{"a":"ž"}', { 'webhook-id': 'evt_1' });
  assert.is(result.status, 202);
  assert.is(result.failure, null);
  assert.is(result.answer, 'thanks');
  assert.ok(result.latencyMs >= 0);
  const [request] = receiver.requests;
  assert.match(request?.head ?? '', /^POST \/hook HTTP\/1\.1\r\n/);
  assert.is(request?.headers.get('host'), `127.0.0.5:${receiver.port}`);
  assert.is(request?.headers.get('content-type'), 'application/json');
  assert.is(request?.headers.get('webhook-id'), 'evt_1');
  assert.is(request?.headers.get('accept-encoding'), undefined);
  assert.is(request?.body, '{"a":"ž"}');
});

transports('connections are kept alive and limited in number', async () => {
  const receiver = await started((socket, request) => setTimeout(() => answer(200)(socket, request), 5));
  const sender = transport(unresolvable, { connectionsPerTarget: 4 });
  const results = await Promise.all(Array.from({ length: 40 }, () => post(receiver.url, '{}', {}, sender)));
  assert.ok(results.every(({ status }) => status === 200));
  assert.is(receiver.connections, 4);
});

transports('redirects are not followed, whatever they point to', async () => {
  const trap = await started(answer(200), { host: '127.0.0.1' });
  for (const status of [301, 302, 303, 307, 308]) {
    for (const location of [trap.url, 'http://169.254.169.254/latest', '//127.0.0.1/', '/elsewhere']) {
      const receiver = await started(answer(status, '', `location: ${location}\r\n`));
      assert.is((await post(receiver.url)).status, status);
      assert.is(receiver.requests.length, 1);
    }
  }
  assert.is(trap.connections, 0);
});

const FAILING: [string, Behaviour, ReceiverOptions, RegExp][] = [
  ['never answers', silent, {}, /^timeout$/],
  [
    'resets when it has the request',
    (socket) => socket.resetAndDestroy(),
    {},
    /^connection:(ECONNRESET|UND_ERR_SOCKET)$/,
  ],
  ['resets on connect', silent, { onConnect: (socket) => socket.resetAndDestroy() }, /^connection:/],
  ['closes without an answer', (socket) => socket.end(), {}, /^connection:UND_ERR_SOCKET$/],
  [
    'answers garbage',
    (socket) => socket.end('hello there, no status line\r\n\r\n'),
    {},
    /^connection:(HPE_|HTTPParserError)/,
  ],
  [
    'upgrades',
    (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    {},
    /^connection:/,
  ],
  [
    'sends a megabyte of header',
    (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(1_000_000)}\r\n\r\n`),
    {},
    /^connection:/,
  ],
  ['sends half a status line', (socket) => socket.write('HTTP/1.1 2'), {}, /^timeout$/],
  [
    'sends 1xx answers for ever',
    (socket) => every(20, socket, 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'),
    {},
    /^timeout$/,
  ],
];

for (const [name, behaviour, options, failure] of FAILING) {
  transports(`a receiver that ${name} is a failed attempt`, async () => {
    const receiver = await started(behaviour, options);
    const timeoutMs = failure.test('timeout') ? SHORT_MS : LONG_MS;
    const result = await post(receiver.url, '{}', {}, transport(unresolvable, { timeoutMs }));
    assert.is(result.status, null);
    assert.match(result.failure ?? '', failure);
    await until('the hang-up', () => receiver.requests.every(({ socket }) => socket.destroyed));
  });
}

transports('a refused connection is a failed attempt', async () => {
  const receiver = await started(silent);
  await receiver.close();
  assert.is((await post(receiver.url)).failure, 'connection:ECONNREFUSED');
});

transports('an endless, slow, huge or short answer counts by its status, and the socket is closed', async () => {
  const head = (length: number): string => `HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n`;
  const cases: [string, Behaviour][] = [
    [
      'endless',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        flood(socket);
      },
    ],
    [
      'one gigabyte',
      (socket) => {
        socket.write(head(1e9));
        flood(socket);
      },
    ],
    [
      'a byte at a time',
      (socket) => {
        socket.write(head(1e6));
        every(20, socket, 'x');
      },
    ],
    ['shorter than it says', (socket) => socket.write(`${head(100)}ten bytes.`)],
    ['cut off', (socket) => socket.end(`${head(100)}ten bytes.`)],
  ];
  await Promise.all(
    cases.map(async ([name, behaviour]) => {
      const receiver = await started(behaviour);
      // Some of them end only at the timeout, and have started by then on any machine.
      const result = await post(receiver.url, '{}', {}, transport(unresolvable, { timeoutMs: 10_000 }));
      assert.is(result.status, 200, name);
      assert.is(result.failure, null, name);
      assert.ok(result.answer.length <= 4096 && result.answer.length > 0, name);
      await until('the hang-up', () => receiver.requests.every(({ socket }) => socket.destroyed));
    }),
  );
});

transports('the first 4 kB of an answer are kept, compressed ones as received', async () => {
  const long = await started(answer(500, 'é'.repeat(10_000)));
  assert.is((await post(long.url)).answer, 'é'.repeat(2048));
  const bomb = gzipSync(Buffer.alloc(20_000_000));
  const zipped = await started((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
    socket.write(bomb);
  });
  assert.ok((await post(zipped.url)).answer.length <= 4096);
});

transports('a second answer is not taken for that of the next request; cookies are not kept', async () => {
  const one = 'HTTP/1.1 200 OK\r\nset-cookie: a=b\r\ncontent-length: 3\r\n\r\none';
  const receiver = await started((socket) => socket.write(`${one}HTTP/1.1 500 No\r\ncontent-length: 3\r\n\r\ntwo`));
  const sender = transport();
  for (let attempt = 0; attempt < 3; attempt++) {
    const result = await post(receiver.url, '{}', {}, sender);
    assert.equal([result.status, result.answer], [200, 'one']);
  }
  assert.ok(receiver.requests.every(({ headers }) => !headers.has('cookie')));
});

transports('Retry-After is passed on', async () => {
  const receiver = await started(answer(503, '', 'retry-after: 120\r\n'));
  assert.is((await post(receiver.url)).retryAfter, '120');
});

transports('TLS: the name is verified and sent, whatever address was dialed', async () => {
  let asked: string | false | undefined;
  const receiver = await started(answer(200), {
    tls: {
      ...tls,
      SNICallback: (name, done) => {
        asked = name;
        done(null);
      },
    },
  });
  const sender = transport(named({ 'receiver.test': ['127.0.0.5'], 'other.test': ['127.0.0.5'] }), {
    ca: tls.cert.toString(),
  });
  assert.is((await post(`https://receiver.test:${receiver.port}/`, '{}', {}, sender)).status, 200);
  assert.is(asked, 'receiver.test');
  assert.is((await post(`https://127.0.0.5:${receiver.port}/`, '{}', {}, sender)).status, 200);
  assert.is(
    (await post(`https://other.test:${receiver.port}/`, '{}', {}, sender)).failure,
    'connection:ERR_TLS_CERT_ALTNAME_INVALID',
  );
  assert.is(receiver.requests.length, 2);
});

transports(
  'TLS: self-signed certificates, old versions, plain HTTP and silent handshakes fail; nothing is sent in plain text',
  async () => {
    const selfSigned = await started(answer(200), { tls });
    assert.is((await post(selfSigned.url)).failure, 'connection:DEPTH_ZERO_SELF_SIGNED_CERT');
    const old = await started(answer(200), {
      tls: { ...tls, maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' },
    });
    assert.match((await post(old.url)).failure ?? '', /^connection:/);
    const seen: Buffer[] = [];
    const plain = await started(silent, {
      onConnect: (socket) => socket.on('data', (part) => seen.push(Buffer.from(part))),
    });
    const sender = transport(unresolvable, { timeoutMs: SHORT_MS });
    const mute = await post(plain.url.replace('http:', 'https:'), '{"clear":"text"}', {}, sender);
    assert.is(mute.failure, 'timeout');
    assert.not.match(Buffer.concat(seen).toString('latin1'), 'clear');
    const http = await started(silent, { onConnect: (socket) => socket.end('HTTP/1.1 400 Bad\r\n\r\n') });
    assert.match((await post(http.url.replace('http:', 'https:'))).failure ?? '', /^connection:/);
  },
);

transports('no connection reaches a denied address: by literal, by name, by mixed answers', async () => {
  const traps = await Promise.all(['127.0.0.1', '127.0.0.2', '::1'].map((host) => started(answer(200), { host })));
  const port = traps[0]?.port ?? 0;
  traps.push(
    await started(answer(200), { host: '127.0.0.2', port }),
    await started(answer(200), { host: '::1', port }),
  );
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '127.0.0.2',
    '①②⑦.⓪.⓪.①',
    'localhost',
    'a.localhost',
    '[64:ff9b::127.0.0.1]',
  ];
  for (const host of hosts) {
    assert.ok(isRefusal(readTarget(`http://${host}:${port}/`, guard)), host);
    // A row written before a network was removed from the allowed ones must not be dialed either.
    const open = readTarget(`http://${host}:${port}/`, new AddressGuard(['0.0.0.0/0', '::/0']));
    if (!isRefusal(open)) assert.match((await transport().attempt(open, {}, '{}')).failure ?? '', /^address:/, host);
  }
  const names: Record<string, string[]> = {
    'loopback.test': ['127.0.0.1'],
    'mixed.test': ['127.0.0.5', '127.0.0.1'],
    'mixed6.test': ['127.0.0.5', '::1'],
    'mapped.test': ['::ffff:127.0.0.1'],
    'many.test': [...Array<string>(999).fill('127.0.0.5'), '127.0.0.2'],
    'odd.test': ['localhost'],
    'metadata.test': ['169.254.169.254'],
    'private.test': ['10.0.0.1'],
    'zone.test': ['fe80::1%lo'],
  };
  const sender = transport(named(names));
  for (const name of Object.keys(names)) {
    assert.match((await post(`http://${name}:${port}/`, '{}', {}, sender)).failure ?? '', /^address:/, name);
  }
  for (const trap of traps) assert.is(trap.connections, 0, trap.url);
});

transports('no rebinding: each attempt resolves once and dials what it checked', async () => {
  const trap = await started(answer(200), { host: '127.0.0.1' });
  const receiver = await started(answer(200), { port: trap.port });
  let asked = 0;
  const sender = transport(async () => [asked++ % 2 === 0 ? '127.0.0.5' : '127.0.0.1']);
  const outcomes: unknown[] = [];
  for (let attempt = 0; attempt < 6; attempt++) {
    const { status, failure } = await post(`http://rebind.test:${trap.port}/`, '{}', {}, sender);
    outcomes.push(status ?? failure);
  }
  assert.equal(outcomes, [200, 'address:loopback', 200, 'address:loopback', 200, 'address:loopback']);
  assert.is(asked, 6);
  assert.is(trap.connections, 0);
  assert.is(receiver.requests.length, 3);
});

transports('a name that does not resolve, or takes forever, is a failed attempt', async () => {
  assert.is((await post('http://nowhere.test/', '{}', {}, transport(unresolvable))).failure, 'dns:ENOTFOUND');
  assert.is(
    (
      await post(
        'http://empty.test/',
        '{}',
        {},
        transport(async () => []),
      )
    ).failure,
    'dns:ENOTFOUND',
  );
  const never: NameResolver = () => new Promise(() => {});
  const impatient = transport(never, { timeoutMs: SHORT_MS });
  assert.is((await post('http://silent.test/', '{}', {}, impatient)).failure, 'timeout');
});

transports('if one of several addresses does not answer, the next is tried', async () => {
  const receiver = await started(answer(200));
  const two = new AddressGuard(['127.0.0.5', '127.0.0.6']);
  const sender = new DeliveryTransport(two, async () => ['127.0.0.6', '127.0.0.5'], {
    ...TRANSPORT_DEFAULTS,
    timeoutMs: LONG_MS,
  });
  closers.push(() => sender.close());
  assert.is((await post(`http://both.test:${receiver.port}/`, '{}', {}, sender)).status, 200);
});

transports.run();

async function started(behaviour: Behaviour, options: ReceiverOptions = {}): Promise<HostileReceiver> {
  const receiver = await hostileReceiver(behaviour, options);
  closers.push(() => receiver.close().catch(() => {}));
  return receiver;
}

function transport(resolve: NameResolver = unresolvable, settings: object = {}): DeliveryTransport {
  const made = new DeliveryTransport(guard, resolve, { ...TRANSPORT_DEFAULTS, timeoutMs: LONG_MS, ...settings });
  closers.push(() => made.close());
  return made;
}

async function post(url: string, body = '{}', headers = {}, sender = transport()): Promise<AttemptResult> {
  const target = readTarget(url, guard);
  if (isRefusal(target)) throw new Error(`${url}: ${target.reason}`);
  return await sender.attempt(target, headers, body);
}

async function unresolvable(): Promise<string[]> {
  throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
}

function named(names: Record<string, string[]>): NameResolver {
  return async (name) => names[name] ?? [];
}

function flood(socket: Socket): void {
  const block = Buffer.alloc(16_384, 'x');
  const pump = (): void => {
    while (!socket.destroyed && socket.write(block));
  };
  socket.on('drain', pump);
  pump();
}

function every(ms: number, socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), ms);
  socket.on('close', () => clearInterval(timer));
}
