import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { EitherInflate } from './either-inflate.js';

const DECODERS = { gzip: createGunzip, deflate: () => new EitherInflate(), br: createBrotliDecompress } as const;

/** Whether a request declares a body, whatever its method. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

/** A request's `Content-Length`, or 0. */
export function announcedBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

/**
 * The decoded bytes of a request: `gzip`, `deflate` and `br` are undone one after another. Null for an unknown
 * encoding. A corrupt stream fails with zlib's own error.
 */
export function inflated(request: IncomingMessage): Readable | null {
  if (request.headers['content-encoding'] === undefined) return request;
  const encodings = request.headers['content-encoding']
    .split(',')
    .map((encoding) => encoding.trim().toLowerCase().replace(/^x-/, ''))
    .filter((encoding) => encoding !== '' && encoding !== 'identity');
  if (encodings.length > 2) return null;
  if (!encodings.every((encoding) => Object.hasOwn(DECODERS, encoding))) return null;
  let stream: Readable = request;
  for (const encoding of encodings.reverse()) {
    const source = stream;
    const decoder = DECODERS[encoding as keyof typeof DECODERS]();
    source.on('error', (error) => decoder.destroy(error));
    // A reader that stops destroys the last decoder and those before it; the request itself still has to be answered.
    if (source !== request) decoder.once('close', () => source.destroy());
    // If the client disconnects, a decoder would wait forever.
    source.once('close', () => {
      if (!source.readableEnded) decoder.destroy();
    });
    // If a request is refused before or while its body is read, nothing else listens for errors, and the process would
    // end.
    decoder.on('error', () => undefined);
    // A request without a body has already ended.
    stream = source.readableEnded ? decoder.end() : source.pipe(decoder);
  }
  return stream;
}
