import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineFailures, type FailureCode } from '../errors.js';
import type { Metrics } from '../metrics.js';
import { SingleTimer } from '../turns/single-timer.js';
import { OpenStream, type StreamEnd } from './open-stream.js';

const streamFailure = defineFailures({
  too_many_streams: ({ holder, most }: { holder: string; most: number }) =>
    `This ${holder} has ${most} streams open already; close one, or poll.`,
});

export type StreamCode = FailureCode<typeof streamFailure>;

/** Seconds between heartbeats of a stream. */
export const PING_SECONDS = 15;
const SLOTS_PER_SECOND = 10;
const SLOTS = PING_SECONDS * SLOTS_PER_SECOND;

/** On shutdown, clients are disconnected over at most this time and asked to reconnect spread over a longer one. */
const LONGEST_FAREWELL_MS = 1_500;
const FAREWELL_STEP_MS = 25;
const SOONEST_RETURN_MS = 500;
const LONGEST_RETURN_MS = 10_000;

/** The unit by which open streams are counted: one key, one token, one organization. */
export interface StreamHolder {
  readonly what: 'key' | 'token' | 'organization';
  readonly id: string;
}

/** Maximum open streams per holder kind in this process. */
export type StreamLimits = Readonly<Record<StreamHolder['what'], number>>;

/** A slot among the open streams, taken before the response begins. */
export interface StreamPlace {
  /** Turns the response into a stream; `onEnd` is called once, whoever ends it. */
  open(response: ServerResponse, onEnd: (end: StreamEnd) => void): OpenStream;
  release(): void;
}

/** All streams of this process: limits their number, keeps them alive and ends them on shutdown. */
export class OpenStreams {
  private readonly counts = new Map<string, number>();
  private readonly slots: Set<OpenStream>[] = Array.from({ length: SLOTS }, () => new Set());
  private readonly kinds = new Map<string, number>();
  private nextSlot = 0;
  private slotNow = 0;
  private open = 0;
  private readonly pings = new SingleTimer(() => this.pingSlot());
  private stopping = false;
  private readonly countEnd: (labels: Record<'kind' | 'reason', string>) => void;

  constructor(
    private readonly limits: StreamLimits,
    metrics: Metrics,
  ) {
    metrics.gauge('streams_open', 'Open event streams by kind', () => this.kinds, 'kind');
    this.countEnd = metrics.counter('streams_ended_total', 'Ended event streams by kind and reason', [
      'kind',
      'reason',
    ]);
  }

  /** Takes a slot. Fails with `too_many_streams`. */
  take(kind: string, holders: readonly StreamHolder[]): StreamPlace {
    for (const { what, id } of holders) {
      const most = this.limits[what];
      if ((this.counts.get(`${what} ${id}`) ?? 0) >= most)
        throw streamFailure('too_many_streams', { holder: what, most });
    }
    const names = holders.map(({ what, id }) => `${what} ${id}`);
    for (const name of names) this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    let taken = true;
    const release = (): void => {
      if (!taken) return;
      taken = false;
      for (const name of names) this.leave(name);
    };
    return { release, open: (response, onEnd) => this.opened(kind, response, release, onEnd) };
  }

  /**
   * Ends every stream, a few at a time, and asks clients to reconnect one after another. New streams are ended at once.
   */
  async endAll(): Promise<void> {
    this.stopping = true;
    const all = this.slots.flatMap((slot) => [...slot]);
    const steps = Math.max(1, Math.min(LONGEST_FAREWELL_MS, all.length / 2) / FAREWELL_STEP_MS);
    const each = Math.ceil(all.length / steps);
    for (let at = 0; at < all.length; at += each) {
      for (const stream of all.slice(at, at + each)) this.farewell(stream, all.length);
      if (at + each < all.length) await sleep(FAREWELL_STEP_MS);
    }
  }

  private opened(
    kind: string,
    response: ServerResponse,
    release: () => void,
    onEnd: (end: StreamEnd) => void,
  ): OpenStream {
    const slot = this.slots[this.nextSlot++ % SLOTS] as Set<OpenStream>;
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
    this.open += 1;
    let stream: OpenStream | null = null;
    const ended = (end: StreamEnd): void => {
      if (stream) slot.delete(stream);
      release();
      this.kinds.set(kind, (this.kinds.get(kind) ?? 1) - 1);
      this.open -= 1;
      if (this.open === 0) this.pings.stop();
      this.countEnd({ kind, reason: end });
      onEnd(end);
    };
    stream = new OpenStream(kind, response, ended);
    if (!stream.isOpen) return stream;
    slot.add(stream);
    if (this.stopping) this.farewell(stream, this.open);
    else this.pings.every(1_000 / SLOTS_PER_SECOND);
    return stream;
  }

  private farewell(stream: OpenStream, howMany: number): void {
    const window = Math.min(LONGEST_RETURN_MS, howMany * 2);
    stream.end('stopping', SOONEST_RETURN_MS + Math.random() * window);
  }

  private pingSlot(): void {
    this.slotNow = (this.slotNow + 1) % SLOTS;
    for (const stream of this.slots[this.slotNow] as Set<OpenStream>) stream.ping();
  }

  private leave(name: string): void {
    const count = (this.counts.get(name) ?? 1) - 1;
    if (count > 0) this.counts.set(name, count);
    else this.counts.delete(name);
  }
}
