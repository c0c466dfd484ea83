import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import ipaddr from 'ipaddr.js';
import { openLocally } from './open-locally.js';

/** The stub's answer for a name: addresses, an alias, a failure or silence. */
export type StubAnswer = { addresses: string[] } | { cname: string } | { rcode: number } | 'silence';

export const NXDOMAIN: StubAnswer = { rcode: 3 };
export const SERVFAIL: StubAnswer = { rcode: 2 };

export interface StubDns {
  server: string;
  questions: number;
  close(): Promise<void>;
}

const TYPE_A = 1;
const TYPE_CNAME = 5;
const TYPE_AAAA = 28;
const UDP_LIMIT = 512;

/** A name server on loopback, UDP and TCP, that answers only A and AAAA questions (RFC 1035). */
export async function stubDns(answers: (name: string) => StubAnswer): Promise<StubDns> {
  const stub = { questions: 0 };
  const reply = (query: Buffer): Buffer | null => {
    stub.questions += 1;
    return replyTo(query, answers);
  };
  const tcp = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      const message = reply(data.subarray(2));
      if (message === null) return;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(message.length);
      socket.end(Buffer.concat([length, message]));
    });
  });
  const { host: server, port } = new URL(await openLocally(tcp));
  const udp = createSocket('udp4');
  udp.on('message', (query, from) => {
    const message = reply(query);
    if (message === null) return;
    if (message.length > UDP_LIMIT) {
      const truncated = replyTo(query, () => ({ addresses: [] }));
      if (truncated === null) return;
      truncated.writeUInt16BE(truncated.readUInt16BE(2) | 0x0200, 2);
      udp.send(truncated, from.port, from.address);
    } else {
      udp.send(message, from.port, from.address);
    }
  });
  await new Promise<void>((ready) => udp.bind(Number(port), '127.0.0.1', ready));
  const close = async (): Promise<void> => {
    await Promise.all([new Promise<void>((done) => udp.close(done)), new Promise((done) => tcp.close(done))]);
  };
  return Object.assign(stub, { server, close });
}

function replyTo(query: Buffer, answers: (name: string) => StubAnswer): Buffer | null {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = query.readUInt16BE(at + 1);
  const question = query.subarray(12, at + 5);
  const answer = answers(labels.join('.').toLowerCase());
  if (answer === 'silence') return null;
  const records: Buffer[] = [];
  if ('cname' in answer) records.push(record(TYPE_CNAME, encodedName(answer.cname)));
  if ('addresses' in answer) {
    for (const address of answer.addresses) {
      const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
      const recordType = bytes.length === 4 ? TYPE_A : TYPE_AAAA;
      if (recordType === type) records.push(record(recordType, bytes));
    }
  }
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180 | ('rcode' in answer ? answer.rcode : 0), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, question, ...records]);
}

function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function encodedName(name: string): Buffer {
  const parts = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...parts, Buffer.from([0])]);
}
