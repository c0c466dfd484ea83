import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { announcesBody } from './inflate.js';

/** A client that sends nothing for this long in the middle of a body is hung up. */
export const STALLED_BODY_MS = 15_000;
/** Half of a line of 64 kbit/s: what a body must bring in the same time while others wait for the room that bodies take. */
const LEAST_BYTES = 64 * 1024;

const LOOKS = 15;

class WatchedBody {
  private bytesSeen = -1;
  private silentLooks = 0;
  private looks = 0;
  private bytesBefore: number;
  /** Whether too little came while the last {@link LOOKS} looks were taken. */
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
  look(): void {
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
 * Hangs up clients that stall in the middle of a body, on every route, read or not, and those that send slowly while others wait for room.
 * Looks at all connections now and then instead of keeping a timer for each request.
 */
export function hangUpStalledBodies(server: Server, stalledMs: number, othersWait: () => boolean): void {
  const watched = new Map<Socket, WatchedBody>();
  server.on('request', (request) => {
    if (announcesBody(request)) watched.set(request.socket, new WatchedBody(request, request.socket));
  });
  const lookAtAll = (): void => {
    const isCrowded = othersWait();
    for (const [socket, body] of watched) {
      body.look();
      if (body.isOver) watched.delete(socket);
      else if (body.isSilent || (isCrowded && body.isSlow)) socket.destroy();
    }
  };
  const timer = setInterval(lookAtAll, stalledMs / LOOKS).unref();
  server.once('close', () => clearInterval(timer));
}
