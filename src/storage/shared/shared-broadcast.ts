import { randomUUID } from 'node:crypto';
import type { Broadcast } from './broadcast.js';
import type { BroadcastTransport } from './broadcast-transport.js';
import { ProcessBroadcast } from './process-broadcast.js';

const LATEST_BEAT = 2.5;
const RESET_EVERY = 5;
const BEATS = '';
const STALENESS = '!';

/**
 * Broadcasts to all processes over a transport. Each process gets its own messages at once. Returning heartbeats show
 * that the transport works; without them, listeners get `null` about every second, and once more when it works again,
 * so a cache that clears itself on `null` is never more than 5 s behind. Listeners also get `null` after every new
 * connection, because a quick reconnect misses no heartbeat.
 */
export class SharedBroadcast implements Broadcast {
  private readonly origin = randomUUID();
  private readonly here = new ProcessBroadcast();
  private readonly timer: NodeJS.Timeout;
  private lastBeat = performance.now();
  private lastReset = Number.NEGATIVE_INFINITY;
  private connected = true;
  private lostSome = false;

  constructor(
    private readonly transport: BroadcastTransport,
    private readonly beatEveryMs = 1000,
  ) {
    transport.open(
      (text) => this.receive(text),
      () => this.here.publishStale(),
    );
    this.timer = setInterval(() => this.beat(), beatEveryMs);
    this.timer.unref();
  }

  /** Whether heartbeats return. */
  get working(): boolean {
    return this.connected;
  }

  /** A message can have up to 7,000 bytes. */
  publish(channel: string, message: string): void {
    this.here.publish(channel, message);
    void this.send(channel, message);
  }

  publishStale(): void {
    this.here.publishStale();
    void this.send(STALENESS, '');
  }

  subscribe(channel: string, listener: (message: string | null) => void): () => void {
    return this.here.subscribe(channel, listener);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.here.close();
    await this.transport.close();
  }

  private async send(channel: string, message: string): Promise<void> {
    try {
      await this.transport.send(`${this.origin}\n${channel}\n${message}`);
    } catch {
      if (channel !== BEATS) this.lostSome = true;
    }
  }

  private receive(text: string): void {
    const [origin = '', channel = '', ...rest] = text.split('\n');
    if (origin === this.origin) {
      if (channel === BEATS) this.beatCame();
    } else if (channel === STALENESS) this.here.publishStale();
    else if (channel !== BEATS) this.here.publish(channel, rest.join('\n'));
  }

  private beat(): void {
    const now = performance.now();
    if (now - this.lastBeat > LATEST_BEAT * this.beatEveryMs) {
      this.connected = false;
      this.here.publishStale();
      if (now - Math.max(this.lastBeat, this.lastReset) > RESET_EVERY * this.beatEveryMs) {
        this.lastReset = now;
        this.transport.reset();
      }
    }
    void this.send(BEATS, '');
  }

  private beatCame(): void {
    this.lastBeat = performance.now();
    if (!this.connected) {
      this.connected = true;
      this.here.publishStale();
    }
    if (this.lostSome) {
      this.lostSome = false;
      void this.send(STALENESS, '');
    }
  }
}
