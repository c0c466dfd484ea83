import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const LINGER_MS = 2_000;
/** This much of a body is read and dropped rather than the connection given up. */
const SHORT_BYTES = 64 * 1024;

/**
 * When an answer leaves the rest of its request's body unread, the connection ends once the client had time to read the
 * answer: the server says that it is done, drops what still comes, and hangs up when the body is over, after 2 s at the latest.
 * Node by itself closes at once what is not kept alive, which resets the connection below a client that is still writing.
 */
function hangUpIfUnread(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  const { socket } = request;
  socket.destroySoon = () => linger(request, socket);
  response.once('finish', () => {
    if (!request.complete) linger(request, socket);
  });
}

/**
 * Makes ready for an answer that may leave some of its request's body unread. A short rest is read and dropped, because it is on its way
 * already; true when the connection ends after the answer, which then has to say so.
 */
export function leaveUnread(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.complete) return false;
  if (Number(request.headers['content-length'] ?? Number.NaN) <= SHORT_BYTES) {
    request.resume();
    return false;
  }
  hangUpIfUnread(request, response);
  return true;
}

function linger(request: IncomingMessage, socket: Socket): void {
  if (socket.writableEnded) return;
  const hangUp = () => socket.destroy();
  const timer = setTimeout(hangUp, LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end(() => {
    if (request.complete) hangUp();
    else request.once('end', hangUp);
  });
  request.resume();
}
