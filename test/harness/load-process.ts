/**
 * The load generator's process: receives one {@link LoadOrder} over IPC, replies with one {@link LoadCount} and exits.
 * It speaks HTTP/1.1 over plain sockets, with one request in flight per connection, because a full HTTP client would
 * use the core that the server under test needs.
 */
import { connect, type Socket } from 'node:net';
import type { LoadCount, LoadOrder, LoadRequest } from './load.js';

const headerEnd = Buffer.from('\r\n\r\n');
const chunkedEnd = Buffer.from('\r\n0\r\n\r\n');

interface Prepared {
  head: (length: number) => string;
  body: string | Buffer | undefined;
  fixed: Buffer | undefined;
}

function prepare(request: LoadRequest, host: string): Prepared {
  const body = request.bodyBase64 === undefined ? request.body : Buffer.from(request.bodyBase64, 'base64');
  const lines = Object.entries({ host, connection: 'keep-alive', ...request.headers }).map(
    ([k, v]) => `${k}: ${v}\r\n`,
  );
  const start = `${request.method ?? 'GET'} ${request.path} HTTP/1.1\r\n${lines.join('')}`;
  const head = (length: number) => `${start}${body === undefined ? '' : `content-length: ${length}\r\n`}\r\n`;
  const counted = request.path.includes('{{n}}') || (typeof body === 'string' && body.includes('{{n}}'));
  if (counted) return { head, body, fixed: undefined };
  const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(body);
  return { head, body, fixed: Buffer.concat([Buffer.from(head(bytes.length)), bytes]) };
}

let serial = 0;
const runId = `${process.pid.toString(36)}${Date.now().toString(36)}`;

function bytesOf(prepared: Prepared): Buffer {
  if (prepared.fixed) return prepared.fixed;
  serial += 1;
  const unique = `${runId}-${serial}`;
  const body = Buffer.from(String(prepared.body ?? '').replaceAll('{{n}}', unique));
  return Buffer.concat([Buffer.from(prepared.head(body.length).replaceAll('{{n}}', unique)), body]);
}

interface CompleteAnswer {
  status: number;
  head: string;
  length: number;
}

/** The complete answer at the start of the bytes, with its length, or undefined if more bytes are needed. */
function answerIn(bytes: Buffer): CompleteAnswer | undefined {
  const at = bytes.indexOf(headerEnd);
  if (at === -1) return undefined;
  const status = Number(bytes.toString('latin1', 9, 12));
  const head = bytes.toString('latin1', 0, at + 2);
  const bodyAt = at + 4;
  if (status === 304 || status === 204) return { status, head, length: bodyAt };
  const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(head)?.[1];
  if (length !== undefined) {
    const end = bodyAt + Number(length);
    return bytes.length >= end ? { status, head, length: end } : undefined;
  }
  const end = bytes.indexOf(chunkedEnd, at + 2);
  return end === -1 ? undefined : { status, head, length: end + chunkedEnd.length };
}

function tagOf(head: string): string {
  return /\r\netag: *(.*)\r\n/i.exec(head)?.[1] ?? '';
}

async function run(order: LoadOrder): Promise<LoadCount> {
  const url = new URL(order.url);
  const prepared = order.requests.map((request) => prepare(request, url.host));
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  let failures = 0;
  let next = 0;
  let isMeasuring = false;
  let isOver = false;
  const isOnce = order.seconds === 0;
  const beganAt = performance.now();
  const tags: string[] = [];

  const drive = (): Promise<void> =>
    new Promise((resolve) => {
      let socket: Socket;
      let isDone = false;
      let sentAt = 0;
      let sent = 0;
      let pending: Buffer = Buffer.alloc(0);
      const end = (): void => {
        isDone = true;
        socket.destroy();
      };
      const send = (): void => {
        if (isOver || (isOnce && next === prepared.length)) {
          end();
          return;
        }
        const turn = next++;
        sent = turn % prepared.length;
        const dueAt = beganAt + (turn / (order.perSecond ?? Number.POSITIVE_INFINITY)) * 1000;
        const wait = dueAt - performance.now();
        if (order.perSecond === undefined) write();
        else if (wait > 0) setTimeout(() => (isOver ? end() : write()), wait);
        else write(dueAt);
      };
      const write = (dueAt = performance.now()): void => {
        const request = prepared[sent];
        sentAt = dueAt;
        if (request) socket.write(bytesOf(request));
      };
      const open = (): void => {
        pending = Buffer.alloc(0);
        socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true }, send);
        socket.on('data', (chunk: Buffer) => {
          pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
          const answer = answerIn(pending);
          if (!answer) return;
          pending = pending.subarray(answer.length);
          if (isMeasuring && !isOver) {
            latencies.push(performance.now() - sentAt);
            statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
            if (isOnce) tags[sent] = tagOf(answer.head);
          }
          send();
        });
        socket.on('error', () => {});
        socket.on('close', () => {
          if (isDone || isOver) {
            resolve();
            return;
          }
          if (isMeasuring) failures += 1;
          setTimeout(open, 20);
        });
      };
      open();
    });

  isMeasuring = isOnce;
  let cpuBefore = process.cpuUsage();
  let startedAt = performance.now();
  const lanes = Array.from({ length: order.connections }, drive);
  if (isOnce) await Promise.all(lanes);
  else {
    await pause(order.warmUpSeconds * 1000);
    isMeasuring = true;
    cpuBefore = process.cpuUsage();
    startedAt = performance.now();
    await pause(order.seconds * 1000);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  isOver = true;
  await Promise.race([Promise.all(lanes), pause(5_000)]);

  latencies.sort((a, b) => a - b);
  const quantile = (q: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(q * latencies.length))] ?? Number.NaN;
  return {
    requests: latencies.length,
    perSecond: latencies.length / seconds,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    mostMs: quantile(1),
    statuses,
    failures,
    generatorMicros: latencies.length === 0 ? Number.NaN : (cpu.user + cpu.system) / latencies.length,
    seconds,
    ...(isOnce ? { tags } : {}),
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

process.once('message', async (order: LoadOrder) => {
  process.send?.(await run(order), () => process.exit(0));
});
