import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { announcesBody } from './inflate.js';

/** A client that sends nothing for this long in the middle of a body is hung up. */
export const STALLED_BODY_MS = 15_000;

const LOOKS = 15;

interface Watched {
  readonly request: IncomingMessage;
  bytesRead: number;
  silentLooks: number;
}

/**
 * Hangs up clients that stall in the middle of a body, on every route, read or not. Looks at all connections now and then instead of
 * keeping a timer for each request; a connection that the server itself has paused is not the client's fault.
 */
export function hangUpStalledBodies(server: Server, stalledMs = STALLED_BODY_MS): void {
  const watched = new Map<Socket, Watched>();
  server.on('request', (request) => {
    if (announcesBody(request)) watched.set(request.socket, { request, bytesRead: -1, silentLooks: 0 });
  });
  const look = (): void => {
    for (const [socket, body] of watched) {
      if (body.request.complete || socket.destroyed) watched.delete(socket);
      else if (socket.isPaused() || socket.bytesRead !== body.bytesRead) {
        body.bytesRead = socket.bytesRead;
        body.silentLooks = 0;
      } else if (++body.silentLooks >= LOOKS) socket.destroy();
    }
  };
  const timer = setInterval(look, stalledMs / LOOKS).unref();
  server.once('close', () => clearInterval(timer));
}
