import { existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemResolver } from '../../src/modules/webhooks/target/target-resolution.js';
import { buildWorld, type World } from '../support/factories/factories.js';
import { buildSubscription, draftEntries } from '../support/factories/webhook-factory.js';
import { type DeliveryTestApp, openDeliveryApp } from '../support/receivers/delivery-app.js';
import {
  answer,
  type Behaviour,
  type HostileReceiver,
  hostileReceiver,
  silent,
} from '../support/receivers/hostile-receiver.js';
import { NXDOMAIN, SERVFAIL, type StubAnswer, type StubDns, stubDns } from '../support/receivers/stub-dns.js';

const fixtures = join(import.meta.dirname, '../../../test/fixtures/webhooks');
const certified: TlsOptions = {
  key: readFileSync(join(fixtures, 'receiver-key.pem')),
  cert: readFileSync(join(fixtures, 'receiver-cert.pem')),
};
/** The collection of bad inputs, where the project is checked out beside it. */
const collection = join(import.meta.dirname, '../../../../shared/checks/badinputs.jsonl');
const TIMEOUT_MS = 1_000;

type Ending = 'delivered' | 'retried' | 'gone';

interface Case {
  behaviour: Behaviour;
  tls?: TlsOptions;
  /** Send https to a receiver that does not speak it. */
  httpsToPlain?: boolean;
  onConnect?: (socket: Socket) => void;
  ending: Ending;
}

const head = (length: number, more = ''): string => `HTTP/1.1 200 OK\r\n${more}content-length: ${length}\r\n\r\n`;
const bomb = gzipSync(Buffer.alloc(50_000_000));

/** Receivers by the name that the collection gives them, and how a delivery to each ends. */
const RECEIVERS: Record<string, Case> = {
  '500 always': { behaviour: answer(500), ending: 'retried' },
  '404': { behaviour: answer(404), ending: 'retried' },
  '401': { behaviour: answer(401), ending: 'retried' },
  '410': { behaviour: answer(410), ending: 'gone' },
  '301 to public': { behaviour: answer(301, '', 'location: http://127.0.0.6/\r\n'), ending: 'retried' },
  '307 to metadata': { behaviour: answer(307, '', 'location: http://169.254.169.254/\r\n'), ending: 'retried' },
  '200 then body never ends': { behaviour: endless('HTTP/1.1 200 OK\r\n\r\n'), ending: 'delivered' },
  '200 with 1 GB body': { behaviour: endless(head(1e9)), ending: 'delivered' },
  '204': { behaviour: answer(204), ending: 'delivered' },
  '101 upgrade': {
    behaviour: (socket) => socket.write('HTTP/1.1 101 Ok\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    ending: 'retried',
  },
  'no status line': { behaviour: (socket) => socket.end('garbage\r\n\r\n'), ending: 'retried' },
  'header 1 MB': {
    behaviour: (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(1_000_000)}\r\n\r\n`),
    ending: 'retried',
  },
  'slow body 1 B/s': { behaviour: dripping, ending: 'delivered' },
  'accept, no answer': { behaviour: silent, ending: 'retried' },
  'RST on connect': { behaviour: silent, onConnect: (socket) => socket.resetAndDestroy(), ending: 'retried' },
  'close without answer': { behaviour: (socket) => socket.end(), ending: 'retried' },
  'TLS self signed': { behaviour: answer(200), tls: certified, ending: 'retried' },
  'TLS wrong host': { behaviour: answer(200), tls: certified, ending: 'retried' },
  'TLS 1.0 only': {
    behaviour: answer(200),
    tls: { ...certified, minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' },
    ending: 'retried',
  },
  'TLS hang in handshake': { behaviour: silent, httpsToPlain: true, ending: 'retried' },
  'plain HTTP on 443': {
    behaviour: silent,
    httpsToPlain: true,
    onConnect: (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'),
    ending: 'retried',
  },
  'gzip bomb response': {
    behaviour: (socket) =>
      socket.write(Buffer.concat([Buffer.from(head(bomb.length, 'content-encoding: gzip\r\n')), bomb])),
    ending: 'delivered',
  },
  'Content-Length lies': { behaviour: (socket) => socket.write(`${head(100)}ten bytes.`), ending: 'delivered' },
  'two responses pipelined': { behaviour: (socket) => socket.write(`${head(3)}one${head(3)}two`), ending: 'delivered' },
  'Set-Cookie': { behaviour: answer(200, 'ok', 'set-cookie: a=b\r\n'), ending: 'delivered' },
};

/** What the name server says, by the collection's names; all but the good one end in a failed attempt. */
const NAMES: Record<string, StubAnswer> = {
  'A record 127.0.0.1': { addresses: ['127.0.0.1'] },
  'A public + A private': { addresses: ['127.0.0.5', '10.0.0.1'] },
  'CNAME to localhost': { cname: 'localhost' },
  NXDOMAIN,
  SERVFAIL,
  'DNS hang 60 s': 'silence',
  'AAAA ::ffff:10.0.0.1': { addresses: ['::ffff:10.0.0.1'] },
  '1000 A records': { addresses: [...Array<string>(999).fill('127.0.0.5'), '127.0.0.1'] },
};

/** Lines whose outcome takes a test of its own. */
const TESTED_ELSEWHERE: Record<string, string> = {
  'kill -9 during backoff': 'worker/webhooks-kill.test.ts',
  '1000 endpoints hang': 'worker/webhook-fairness.test.ts',
  'clock jumps +1 h': 'modules/webhooks/delivery/delivery.test.ts',
  'clock jumps -1 h': 'modules/webhooks/delivery/delivery.test.ts',
  'secret rotated mid retry': 'modules/webhooks/delivery/delivery.test.ts',
  'endpoint disabled mid retry': 'modules/webhooks/delivery/delivery.test.ts',
  'replay dead letter': 'modules/webhooks/delivery/delivery.test.ts',
};

const bad = suite('bad deliveries');
let test: DeliveryTestApp;
let dns: StubDns;
let world: World;
const subscriptions = new Map<string, string>();
const receivers = new Map<string, HostileReceiver>();
let trap: HostileReceiver;

bad.before(async () => {
  dns = await stubDns((name) => NAMES[Object.keys(NAMES)[Number(name.split('.')[0]?.slice(1))] ?? ''] ?? NXDOMAIN);
  test = await openDeliveryApp({ resolve: systemResolver([dns.server]), timeoutMs: TIMEOUT_MS });
  trap = await hostileReceiver(answer(200), { host: '127.0.0.1' });
  world = await buildWorld(test);
  for (const [name, { behaviour, tls, httpsToPlain, onConnect }] of Object.entries(RECEIVERS)) {
    const receiver = await hostileReceiver(behaviour, { ...(tls ? { tls } : {}), ...(onConnect ? { onConnect } : {}) });
    receivers.set(name, receiver);
    const url = httpsToPlain ? receiver.url.replace('http:', 'https:') : receiver.url;
    subscriptions.set(name, (await buildSubscription(world, url)).id);
  }
  for (const [at, name] of Object.keys(NAMES).entries()) {
    subscriptions.set(name, (await buildSubscription(world, `http://n${at}.test:${trap.port}/`)).id);
  }
  await draftEntries(world, 1);
  await test.settle();
});
bad.after(async () => {
  await Promise.all([...receivers.values(), trap, dns].map((server) => server.close()));
  await test.close();
});

bad('every receiver: the delivery ends as it must, within its time and with a bounded log', async () => {
  for (const [name, { ending }] of Object.entries(RECEIVERS)) {
    const seen = await outcomeOf(name);
    assert.is(seen.ending, ending, `${name}: ${seen.failure ?? seen.status}`);
    assert.ok(seen.latencyMs < TIMEOUT_MS + 1_000, `${name}: ${seen.latencyMs} ms`);
    assert.ok(seen.answer.length <= 4096, name);
    assert.ok((receivers.get(name)?.requests.length ?? 0) <= 1, name);
  }
});

bad('every name: a failed attempt that is retried, and no connection to the trap', async () => {
  for (const name of Object.keys(NAMES)) {
    const seen = await outcomeOf(name);
    assert.is(seen.ending, 'retried', name);
    assert.match(seen.failure ?? '', /^(dns:|address:|timeout)/, name);
  }
  assert.is(trap.connections, 0);
});

bad('nothing is sent in clear when TLS fails', () => {
  for (const [name, { tls, httpsToPlain }] of Object.entries(RECEIVERS)) {
    if (tls || httpsToPlain) assert.is(receivers.get(name)?.requests.length, 0, name);
  }
});

bad('the collection has no delivery that is not tested', () => {
  const known = new Set([RECEIVERS, NAMES, TESTED_ELSEWHERE].flatMap((table) => Object.keys(table)));
  const lines = existsSync(collection) ? readFileSync(collection, 'utf8').split('\n').filter(Boolean) : [];
  const deliveries = lines.map((line) => JSON.parse(line) as Line).filter(({ method }) => method === 'DELIVERY');
  assert.equal(
    deliveries.map(({ gen }) => gen?.case).filter((name) => name === undefined || !known.has(name)),
    [],
  );
  for (const file of Object.values(TESTED_ELSEWHERE)) {
    assert.ok(existsSync(join(import.meta.dirname, '..', file.replace(/\.ts$/, '.js'))), file);
  }
});

bad.run();

interface Line {
  method: string;
  gen?: { case: string };
}

interface Outcome {
  ending: Ending | 'unknown';
  status: number | null;
  failure: string | null;
  latencyMs: number;
  answer: string;
}

async function outcomeOf(name: string): Promise<Outcome> {
  const { rows } = await test.app.pool.query<
    Omit<Outcome, 'ending'> & { outcome: string; waits: boolean; off: boolean }
  >(
    `select a.status, a.failure, a.latency_ms as "latencyMs", a.answer, a.outcome, not s.is_enabled as off,
            exists (select from webhook_queue q where q.id = a.delivery_id and q.due_at > $2) as waits
       from webhook_attempt a join webhook_subscription s on s.id = a.subscription_id where a.subscription_id = $1`,
    [subscriptions.get(name), test.clock.now()],
  );
  assert.is(rows.length, 1, name);
  const [row] = rows as [(typeof rows)[0]];
  const ending =
    row.outcome === 'delivered'
      ? 'delivered'
      : row.outcome === 'retry' && row.waits
        ? 'retried'
        : row.off
          ? 'gone'
          : 'unknown';
  return { ...row, ending };
}

function endless(start: string): Behaviour {
  return (socket) => {
    const block = Buffer.alloc(16_384, 'x');
    const pump = (): void => {
      while (!socket.destroyed && socket.write(block));
    };
    socket.write(start);
    socket.on('drain', pump);
    pump();
  };
}

function dripping(socket: Socket): void {
  socket.write(head(1e6));
  const timer = setInterval(() => socket.write('x'), 100);
  socket.on('close', () => clearInterval(timer));
}
