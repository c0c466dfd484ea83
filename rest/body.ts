import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { isTextTooDeep } from '../src/kernel/json-depth.js';
import { restFailure } from './failures.js';

/** A body that was read; `malformed` when it is not JSON, so that the verb can say so in its place in the order of checks. */
export type Body = { readonly malformed: false; readonly value: unknown } | { readonly malformed: true };

const MALFORMED: Body = { malformed: true };
const DECODERS = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress } as const;

/** Fails with `payload_too_large` when the client announces more than `cap` bytes; nothing has been read then. */
export function refuseAnnounced(request: IncomingMessage, cap: number): void {
  if (Number(request.headers['content-length'] ?? 0) > cap) throw restFailure('payload_too_large');
}

/** Whether a request says that it has a body, whatever its method. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

/**
 * The inflated bytes of a request: `gzip`, `deflate` and `br` are undone, one after the other. Null when the encoding is
 * unknown. A corrupt stream fails with zlib's own error.
 */
export function inflated(request: IncomingMessage): Readable | null {
  if (request.headers['content-encoding'] === undefined) return request;
  const encodings = request.headers['content-encoding']
    .split(',')
    .map((encoding) => encoding.trim().toLowerCase().replace(/^x-/, ''))
    .filter((encoding) => encoding !== '' && encoding !== 'identity');
  if (encodings.length > 2) return null;
  let stream: Readable = request;
  for (const encoding of encodings.reverse()) {
    if (!Object.hasOwn(DECODERS, encoding)) return null;
    const source = stream;
    const decoder = DECODERS[encoding as keyof typeof DECODERS]();
    source.on('error', (error) => decoder.destroy(error));
    // A request can be refused before its body is read, or while it is; then nobody else listens, and the process would end.
    decoder.on('error', () => undefined);
    stream = source.pipe(decoder);
  }
  return stream;
}

/** Reads a JSON body of at most `cap` inflated bytes. Fails with `payload_too_large`. */
export async function readJson(request: IncomingMessage, cap: number): Promise<Body> {
  const stream = inflated(request);
  if (!stream) return MALFORMED;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of chunksOf(stream)) {
      size += chunk.length;
      if (size > cap) throw restFailure('payload_too_large');
      chunks.push(chunk);
    }
  } catch (error) {
    if (isCorrupt(error)) return MALFORMED;
    throw error;
  }
  return parseJson(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size));
}

/** A stream's chunks; whoever stops reading early can still answer, because the request is not destroyed then. */
export function chunksOf(stream: Readable): AsyncIterable<Buffer> {
  return stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
}

/** Parses bytes as JSON: UTF-8 without errors, nested at most 256 deep. */
export function parseJson(bytes: Buffer): Body {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (isTextTooDeep(text)) return MALFORMED;
    return { malformed: false, value: JSON.parse(text) };
  } catch {
    return MALFORMED;
  }
}

/** The body as an object with string keys, or null for anything else. */
export function objectOf(body: Body): Readonly<Record<string, unknown>> | null {
  if (body.malformed || body.value === null || typeof body.value !== 'object' || Array.isArray(body.value)) return null;
  return body.value as Record<string, unknown>;
}

/** Whether a stream failed because what it inflates is corrupt. */
export function isCorrupt(error: unknown): boolean {
  const code = String((error as { code?: unknown }).code ?? '');
  return (
    code.startsWith('Z_') ||
    code.startsWith('ERR__ERROR_FORMAT') ||
    code.startsWith('ERR_BROTLI') ||
    code.startsWith('ERR_')
  );
}
