import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

const DECODERS = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress } as const;

/** Whether a request says that it has a body, whatever its method. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

/** The `Content-Length` of a request; 0 when it says none. */
export function announcedBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
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
  if (!encodings.every((encoding) => Object.hasOwn(DECODERS, encoding))) return null;
  let stream: Readable = request;
  for (const encoding of encodings.reverse()) {
    const source = stream;
    const decoder = DECODERS[encoding as keyof typeof DECODERS]();
    source.on('error', (error) => decoder.destroy(error));
    // Whoever stops reading destroys the last decoder, and with it those before; the request itself still has to be answered.
    if (source !== request) decoder.once('close', () => source.destroy());
    // A client that goes away leaves a decoder that would wait forever.
    source.once('close', () => {
      if (!source.readableEnded) decoder.destroy();
    });
    // A request can be refused before its body is read, or while it is; then nobody else listens, and the process would end.
    decoder.on('error', () => undefined);
    // A request without a body has ended before anybody could listen to it.
    stream = source.readableEnded ? decoder.end() : source.pipe(decoder);
  }
  return stream;
}
