import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { announcesBody } from './inflate.js';

/** Clients that send nothing for this long in the middle of a body are disconnected. */
export const STALLED_BODY_MS = 15_000;
/** Half of 64 kbit/s: the minimum a body must receive in that time while others wait for room. */
const LEAST_BYTES = 64 * 1024;

const LOOKS = 15;

class WatchedBody {
  private bytesSeen = -1;
  private silentLooks = 0;
  private looks = 0;
  private bytesBefore: number;
  /** Whether too little arrived over the last {@link LOOKS} checks. */
  isSlow = false;

  constructor(
    private readonly request: IncomingMessage,
    private readonly socket: Socket,
  ) {
    this.bytesBefore = socket.bytesRead;
  }

  get isOver(): boolean {
    return this.request.complete || this.socket.destroyed;
  }

  get isSilent(): boolean {
    return this.silentLooks >= LOOKS;
  }

  /** A connection that the server itself has paused is not the client's fault. */
  sweep(): void {
    const { bytesRead } = this.socket;
    const isPaused = this.socket.isPaused();
    this.silentLooks = isPaused || bytesRead !== this.bytesSeen ? 0 : this.silentLooks + 1;
    this.bytesSeen = bytesRead;
    this.looks += 1;
    if (!isPaused && this.looks < LOOKS) return;
    this.isSlow = !isPaused && bytesRead - this.bytesBefore < LEAST_BYTES;
    this.bytesBefore = bytesRead;
    this.looks = 0;
  }
}

/**
 * Disconnects clients that stall in the middle of a body, on every route and whether or not it is read, and slow
 * clients while others wait for room. Checks all connections periodically instead of using a timer per request.
 */
export function hangUpStalledBodies(server: Server, stalledMs: number, othersWait: () => boolean): void {
  const watched = new Map<Socket, WatchedBody>();
  server.on('request', (request) => {
    if (announcesBody(request)) watched.set(request.socket, new WatchedBody(request, request.socket));
  });
  const lookAtAll = (): void => {
    const isCrowded = othersWait();
    for (const [socket, body] of watched) {
      body.sweep();
      if (body.isOver) watched.delete(socket);
      else if (body.isSilent || (isCrowded && body.isSlow)) socket.destroy();
    }
  };
  const timer = setInterval(lookAtAll, stalledMs / LOOKS).unref();
  server.once('close', () => clearInterval(timer));
}
