import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const LINGER_MS = 2_000;

/**
 * When an answer leaves the rest of its request's body unread, the connection ends once the client had time to read the
 * answer: the server says that it is done, drops what still comes, and hangs up when the body is over, after 2 s at the latest.
 * Node by itself closes at once what is not kept alive, which resets the connection below a client that is still writing.
 */
export function hangUpIfUnread(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  const { socket } = request;
  socket.destroySoon = () => linger(request, socket);
  response.once('finish', () => {
    if (!request.complete) linger(request, socket);
  });
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
