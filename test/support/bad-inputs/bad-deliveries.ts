import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { answer, type Behaviour, silent } from '../receivers/hostile-receiver.js';
import { NXDOMAIN, SERVFAIL, type StubAnswer } from '../receivers/stub-dns.js';

const fixtures = join(import.meta.dirname, '../../../../test/fixtures/webhooks');
const certified: TlsOptions = {
  key: readFileSync(join(fixtures, 'receiver-key.pem')),
  cert: readFileSync(join(fixtures, 'receiver-cert.pem')),
};

/** How a delivery attempt ends. */
export type Ending = 'delivered' | 'retried' | 'gone';

interface Case {
  behaviour: Behaviour;
  tls?: TlsOptions;
  /** Uses https with a receiver that does not speak it. */
  httpsToPlain?: boolean;
  onConnect?: (socket: Socket) => void;
  ending: Ending;
}

const head = (length: number, more = ''): string => `HTTP/1.1 200 OK\r\n${more}content-length: ${length}\r\n\r\n`;
const bomb = gzipSync(Buffer.alloc(50_000_000));

/** Receivers by name, and how a delivery to each ends. */
export const RECEIVERS: Record<string, Case> = {
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

/** The name server's answers by name; all but the good one end in a failed attempt. */
export const NAMES: Record<string, StubAnswer> = {
  'A record 127.0.0.1': { addresses: ['127.0.0.1'] },
  'A public + A private': { addresses: ['127.0.0.5', '10.0.0.1'] },
  'CNAME to localhost': { cname: 'localhost' },
  NXDOMAIN,
  SERVFAIL,
  'DNS hang 60 s': 'silence',
  'AAAA ::ffff:10.0.0.1': { addresses: ['::ffff:10.0.0.1'] },
  '1000 A records': { addresses: [...Array<string>(999).fill('127.0.0.5'), '127.0.0.1'] },
};

/** Problems that need a test of their own, and where it is. */
export const TESTED_ELSEWHERE: Record<string, string> = {
  'kill -9 during backoff': 'worker/webhooks-kill.test.ts',
  '1000 endpoints hang': 'worker/webhook-fairness.test.ts',
  'clock jumps +1 h': 'modules/webhooks/delivery/delivery.test.ts',
  'clock jumps -1 h': 'modules/webhooks/delivery/delivery.test.ts',
  'secret rotated mid retry': 'modules/webhooks/delivery/delivery.test.ts',
  'endpoint disabled mid retry': 'modules/webhooks/delivery/delivery.test.ts',
  'replay dead letter': 'modules/webhooks/delivery/delivery.test.ts',
};

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
