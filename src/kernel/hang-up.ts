import type { IncomingMessage, ServerResponse } from 'node:http';

const LINGER_MS = 2_000;

/**
 * When an answer leaves the rest of its request's body unread, the connection ends once the client had time to read the
 * answer. Ending it at once would reset the connection below a client that is still writing.
 */
export function hangUpIfUnread(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete) return;
    request.resume();
    setTimeout(() => request.destroy(), LINGER_MS).unref();
  });
}
