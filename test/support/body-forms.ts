import { randomBytes } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Transform } from 'node:stream';
import { brotliCompressSync, constants, createGunzip, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

const MEBIBYTE = 1024 * 1024;

/** An answer as received, without an HTTP library's own treatment of bodies. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers: Record<string, string>;
  /** Sent one after another. With `open`, the request stays open after the last one. */
  readonly parts: Iterable<Buffer | string>;
  readonly open?: boolean;
}

/**
 * Sends a request in parts; fails if the connection ends without an answer. `sent` receives the request, to hang up or
 * continue.
 */
export function sendRaw(url: string, { method = 'POST', headers, parts, open }: RawRequest): RawExchange {
  const outgoing = request(url, { method, headers, agent: false });
  const answered = new Promise<RawAnswer>((resolve, reject) => {
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      response.toArray().then((chunks) => {
        const text = Buffer.concat(chunks as Buffer[]).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        outgoing.destroy();
      }, reject);
    });
  });
  answered.catch(() => undefined);
  outgoing.flushHeaders();
  for (const part of parts) outgoing.write(part);
  if (!open) outgoing.end();
  return { outgoing, answered };
}

export interface RawExchange {
  readonly outgoing: ClientRequest;
  readonly answered: Promise<RawAnswer>;
}

/** The ways in which a body can arrive: its headers and its bytes. */
export const BODY_FORMS: Readonly<Record<string, (body: Buffer) => RawRequest>> = {
  announced: (body) => ({ headers: { 'content-length': String(body.length) }, parts: [body] }),
  chunked: (body) => ({ headers: { 'transfer-encoding': 'chunked' }, parts: pieces(body) }),
  gzip: (body) => compressed('gzip', gzipSync(body)),
  deflate: (body) => compressed('deflate', deflateSync(body)),
  'bare deflate': (body) => compressed('deflate', deflateRawSync(body)),
  br: (body) => compressed('br', brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })),
  'gzip in gzip': (body) => compressed('gzip, gzip', gzipSync(gzipSync(body))),
};

function compressed(encoding: string, bytes: Buffer): RawRequest {
  return { headers: { 'content-encoding': encoding, 'content-length': String(bytes.length) }, parts: [bytes] };
}

function* pieces(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += 100_000) yield body.subarray(at, at + 100_000);
}

/** A few hundred kilobytes that gunzip to this many mebibytes of one repeated byte. */
export function gzipBomb(mebibytes: number, byte = ' '): Buffer {
  const unit = deflateRawSync(Buffer.alloc(MEBIBYTE, byte), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
  return Buffer.concat([
    header,
    ...Array.from({ length: mebibytes }, () => unit),
    Buffer.from([3, 0]),
    Buffer.alloc(8),
  ]);
}

/** Text that does not compress. */
export const noise = (bytes: number): string => randomBytes(bytes / 2).toString('hex');

/** Runs work and measures how much the process grew meanwhile, in mebibytes. */
export async function growthOf<T>(work: () => Promise<T>): Promise<{ result: T; mebibytes: number }> {
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 10);
  try {
    const result = await work();
    return { result, mebibytes: (Math.max(most, process.memoryUsage().rss) - before) / MEBIBYTE };
  } finally {
    clearInterval(timer);
  }
}

/** Runs work and measures how much this process gunzipped meanwhile, in mebibytes. */
export async function gunzippedBy(work: () => Promise<void>): Promise<number> {
  const decoder = Object.getPrototypeOf(createGunzip()) as Transform;
  const { push } = decoder;
  let bytes = 0;
  decoder.push = function counted(this: Transform, chunk: Buffer | null) {
    bytes += chunk?.length ?? 0;
    return push.call(this, chunk);
  };
  try {
    await work();
    return bytes / MEBIBYTE;
  } finally {
    Reflect.deleteProperty(decoder, 'push');
  }
}
