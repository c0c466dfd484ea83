import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const LINGER_MS = 2_000;
/** Up to this much of a body is read and dropped to keep the connection. */
const SHORT_BYTES = 64 * 1024;

/**
 * If a response leaves part of the request body unread, the connection closes once the client has had time to read the
 * response: the server ends its side, drops what still arrives, and disconnects when the body ends, after 2 s at the
 * latest. By default Node closes at once, which resets the connection under a client that is still writing.
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
 * Prepares for a response that may leave part of the request body unread. A short remainder is read and dropped,
 * because it is already on its way. Returns true when the connection will close after the response, which must then
 * announce it.
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
