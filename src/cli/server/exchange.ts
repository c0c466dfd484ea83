import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { CliSettings } from '../settings/settings.js';
import { TooSlow, Unreachable } from './server-failures.js';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** The body; for a stream, the headers give its length. */
export interface SentBody {
  bytes: string | Uint8Array | Readable;
  headers: Record<string, string | number>;
}

const CONNECTING_MS = 10_000;
const PIECE_BYTES = 64 * 1024;

/**
 * Sends a request and reads the response, whatever its status. It times out only when no data moves.
 *
 * @param patienceMs how long the connection may be idle
 * @throws Unreachable; read errors of a stream
 */
export function exchange(
  settings: CliSettings,
  method: string,
  path: string,
  body: SentBody | null,
  patienceMs: number,
): Promise<Answer> {
  const url = new URL(`${settings.url}${path}`);
  const source = streamOf(body?.bytes ?? '');
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method,
      timeout: CONNECTING_MS,
      headers: {
        authorization: `Bearer ${settings.token}`,
        ...(!(body?.bytes instanceof Readable) && { 'content-length': Buffer.byteLength(body?.bytes ?? '') }),
        ...body?.headers,
      },
    });
    request.setTimeout(patienceMs);
    request.on('timeout', () =>
      request.destroy(
        request.socket?.connecting ? new Error('it does not accept connections') : new TooSlow(patienceMs),
      ),
    );
    const failed = (error: Error) => {
      source.destroy();
      reject(new Unreachable(settings.url, error));
    };
    request.on('error', failed);
    request.on('response', (response) => {
      text(response).then((read) => {
        source.destroy();
        if (!request.writableEnded) request.destroy();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: read });
      }, failed);
    });
    source.on('error', (error) => {
      reject(error);
      request.destroy();
    });
    source.pipe(request);
  });
}

/** Sent in pieces, so that each counts as activity. */
function streamOf(bytes: SentBody['bytes']): Readable {
  if (bytes instanceof Readable) return bytes;
  const all = Buffer.from(bytes);
  const pieces = Array.from({ length: Math.ceil(all.length / PIECE_BYTES) }, (_, at) =>
    all.subarray(at * PIECE_BYTES, (at + 1) * PIECE_BYTES),
  );
  return Readable.from(pieces);
}
