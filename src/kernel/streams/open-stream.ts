import type { ServerResponse } from 'node:http';
import { PING, retryText } from './sse.js';

/** A ping as a chunk of HTTP/1.1. */
const CHUNKED_PING = `${PING.length.toString(16)}\r\n${PING}\r\n`;

/** A client with more unread data than this is disconnected; it reconnects and knows what it has missed. */
const MOST_UNREAD_BYTES = 64 * 1024;

/** Why a stream ended: `gone` means by the client, the others by the server. */
export type StreamEnd = 'gone' | 'slow' | 'refused' | 'over' | 'stopping';

export class OpenStream {
  /** Whether a ping is still buffered in this process. */
  private pinged = false;
  private ended: StreamEnd | null = null;

  constructor(
    readonly kind: string,
    private readonly response: ServerResponse,
    private readonly onEnd: (end: StreamEnd) => void,
  ) {
    response.once('close', () => this.finish('gone'));
    if (response.closed || response.socket?.destroyed) this.finish('gone');
  }

  get isOpen(): boolean {
    return this.ended === null;
  }

  /** Sends a text of any length; a client that has not read the previous ones is disconnected instead. */
  send(text: string): void {
    if (this.ended !== null) return;
    if (this.response.writableLength > MOST_UNREAD_BYTES) this.drop();
    else this.response.write(text);
  }

  /** Sends a heartbeat, and disconnects if the previous one is still buffered. */
  ping(): void {
    if (this.ended !== null) return;
    if (this.pinged && this.response.writableLength > 0) {
      this.drop();
      return;
    }
    this.pinged = true;
    // The response would send it in three pieces, which is most of an idle stream's cost.
    this.response.socket?.write(this.response.chunkedEncoding ? CHUNKED_PING : PING);
  }

  /** Ends it cleanly; the client reconnects after `retryMs`, if given. */
  end(why: Exclude<StreamEnd, 'gone'>, retryMs?: number): void {
    if (this.ended !== null) return;
    const { socket } = this.response;
    this.response.end(retryMs === undefined ? undefined : retryText(retryMs), () => {
      // An idle keep-alive connection would delay the process's shutdown.
      if (why === 'stopping') socket?.destroySoon();
    });
    this.finish(why);
  }

  private drop(): void {
    this.finish('slow');
    this.response.destroy();
  }

  private finish(end: StreamEnd): void {
    if (this.ended !== null) return;
    this.ended = end;
    this.onEnd(end);
  }
}
