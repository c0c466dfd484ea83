import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { endWithText } from '../../src/kernel/requests/text-answer.js';

/** A response that stays open once its headers are sent. */
export interface HeldBody {
  hold(response: ServerResponse): void;
  /** Instead of `hold`, if nothing follows. */
  release(): void;
}

export interface Answer {
  readonly status: number;
  /** JSON unless it is a stream, bytes, text or held open; null is an empty body. */
  readonly body: object | string | Buffer | Readable | HeldBody | null;
  /** With lower-case names. Without a cache rule or an `etag`, the response isn't cached. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends a REST response, whichever path its request took; `shared` are headers, names and values alternating. If a stream breaks, the
 * connection is closed and `onBroken` is called.
 */
export function send(
  response: ServerResponse,
  requestId: string,
  shared: readonly string[],
  { status, body, headers }: Answer,
  onBroken: (error: Error, requestId: string) => void,
): void {
  const all = ['x-request-id', requestId].concat(shared);
  for (const name in headers) all.push(name, headers[name] as string);
  if (headers?.['cache-control'] === undefined && headers?.etag === undefined) all.push('cache-control', 'no-store');
  if (body === null) {
    response.writeHead(status, all).end();
    return;
  }
  if (headers?.['content-type'] === undefined) all.push('content-type', 'application/json; charset=utf-8');
  if (body instanceof Readable) {
    sendStream(response.writeHead(status, all), body, (error) => onBroken(error, requestId));
    return;
  }
  if (typeof body === 'object' && isHeld(body)) {
    hold(response.writeHead(status, all), body);
    return;
  }
  if (Buffer.isBuffer(body)) {
    all.push('content-length', String(body.length));
    response.writeHead(status, all).end(body);
    return;
  }
  endWithText(response, status, all, typeof body === 'string' ? body : JSON.stringify(body));
}

function hold(response: ServerResponse, body: HeldBody): void {
  if (response.req.method !== 'HEAD') {
    body.hold(response);
    return;
  }
  body.release();
  response.end();
}

const isHeld = (body: object): body is HeldBody => 'hold' in body && typeof body.hold === 'function';

function sendStream(response: ServerResponse, body: Readable, onBroken: (error: Error) => void): void {
  // Nothing can be piped to a client that is gone, and an open file would stay open.
  if (response.req.method === 'HEAD' || response.destroyed) {
    body.destroy();
    response.end();
    return;
  }
  pipeline(body, response, (error) => {
    // A client that disconnects isn't a broken stream.
    if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') onBroken(error);
  });
}
