import type { ServerResponse } from 'node:http';
import { PING, retryText } from './sse.js';

/** A ping as a chunk of HTTP/1.1. */
const CHUNKED_PING = `${PING.length.toString(16)}\r\n${PING}\r\n`;

/** A client that leaves more unread than this is dropped: it comes back, and knows what it has missed. */
const MOST_UNREAD_BYTES = 64 * 1024;

/** Why a stream ended: `gone` is the client's doing, the others the server's. */
export type StreamEnd = 'gone' | 'slow' | 'refused' | 'over' | 'stopping';

/** A response that stays open and takes texts one after the other. */
export class OpenStream {
  /** Whether a ping went out that has not left this process yet. */
  private pinged = false;
  private ended: StreamEnd | null = null;

  constructor(
    readonly kind: string,
    private readonly response: ServerResponse,
    private readonly onEnd: (end: StreamEnd) => void,
  ) {
    response.once('close', () => this.settle('gone'));
    if (response.closed || response.socket?.destroyed) this.settle('gone');
  }

  get isOpen(): boolean {
    return this.ended === null;
  }

  /** Sends a text, which may be long by itself; a client that has not read what came before is hung up instead. */
  send(text: string): void {
    if (this.ended !== null) return;
    if (this.response.writableLength > MOST_UNREAD_BYTES) this.drop();
    else this.response.write(text);
  }

  /** Sends a sign of life, and hangs up when the one before has not left in all the time between. */
  ping(): void {
    if (this.ended !== null) return;
    if (this.pinged && this.response.writableLength > 0) {
      this.drop();
      return;
    }
    this.pinged = true;
    // The response itself would send it in three pieces, which is most of what an idle stream costs.
    this.response.socket?.write(this.response.chunkedEncoding ? CHUNKED_PING : PING);
  }

  /** Ends it in good order; the client comes back after `retryMs` where that is given. */
  end(why: Exclude<StreamEnd, 'gone'>, retryMs?: number): void {
    if (this.ended !== null) return;
    const { socket } = this.response;
    this.response.end(retryMs === undefined ? undefined : retryText(retryMs), () => {
      // A connection that only waits for its next request would hold up a process that stops.
      if (why === 'stopping') socket?.destroySoon();
    });
    this.settle(why);
  }

  private drop(): void {
    this.settle('slow');
    this.response.destroy();
  }

  private settle(end: StreamEnd): void {
    if (this.ended !== null) return;
    this.ended = end;
    this.onEnd(end);
  }
}
