import { SingleTimer } from '../kernel/turns/single-timer.js';
import type { Broadcast } from '../storage/shared/broadcast.js';

/** Rows stored in one place: how many, and some of their ids. */
export interface StoredRows {
  readonly ids: readonly string[];
  readonly count: number;
}

/** Maximum ids reported for rows stored together. */
export const REPORTED_IDS = 20;
/** Rows stored in quick succession are reported together. */
const GATHER_MS = 100;
/** Listeners renew their registration regularly, and are forgotten when they don't. */
const RENEW_MS = 5_000;
const FORGET_MS = 16_000;

const WANTED = '?';
const STORED = '+';

/**
 * Tells all processes about rows that come by the thousand, by their number and a few ids. Nothing is reported, or even looked at, for a
 * place without listeners. A place is a string without spaces.
 */
export class RowTail {
  /** When to forget places that have listeners, here or elsewhere. */
  private readonly wanted = new Map<string, number>();
  private readonly gathered = new Map<string, { ids: string[]; count: number }>();
  private readonly listeners = new Map<string, Set<(rows: StoredRows) => void>>();
  private readonly channel: string;
  private readonly unsubscribe: () => void;
  private readonly renewing = new SingleTimer(() => this.wantAll());
  private readonly publishing = new SingleTimer(() => this.publishGathered());

  constructor(
    private readonly broadcast: Broadcast,
    name: string,
  ) {
    this.channel = `tail ${name}`;
    this.unsubscribe = broadcast.subscribe(this.channel, (message) => this.onMessage(message));
  }

  /** Whether a place has listeners. */
  isWanted(place: string): boolean {
    if (this.wanted.size === 0) return false;
    const until = this.wanted.get(place);
    if (until === undefined) return false;
    if (until > performance.now()) return true;
    this.wanted.delete(place);
    return false;
  }

  /** Takes note of rows after their commit: `count` rows, and some of their ids. */
  stored(place: string, ids: readonly string[], count: number): void {
    if (count <= 0 || !this.isWanted(place)) return;
    const gathered = this.gathered.get(place) ?? { ids: [], count: 0 };
    gathered.ids.push(...ids.slice(0, REPORTED_IDS - gathered.ids.length));
    gathered.count += count;
    this.gathered.set(place, gathered);
    this.publishing.in(GATHER_MS);
  }

  /** Listens for rows stored in a place from now on; the returned function stops it. */
  listen(place: string, hear: (rows: StoredRows) => void): () => void {
    const listeners = this.listeners.get(place) ?? new Set();
    this.listeners.set(place, listeners.add(hear));
    if (listeners.size === 1) this.want(place);
    this.renewing.every(RENEW_MS);
    return () => {
      listeners.delete(hear);
      if (listeners.size > 0 || this.listeners.get(place) !== listeners) return;
      this.listeners.delete(place);
      if (this.listeners.size === 0) this.renewing.stop();
    };
  }

  close(): void {
    this.unsubscribe();
    this.renewing.stop();
    this.publishing.stop();
  }

  private onMessage(message: string | null): void {
    if (message === null) {
      this.wantAll();
      return;
    }
    const [what, place = '', count, ids] = message.split(' ');
    if (what === WANTED) this.wanted.set(place, performance.now() + FORGET_MS);
    if (what !== STORED) return;
    const rows = { ids: ids ? ids.split(',') : [], count: Number(count) };
    for (const hear of this.listeners.get(place) ?? []) hear(rows);
  }

  private publishGathered(): void {
    for (const [place, { ids, count }] of this.gathered)
      this.broadcast.publish(this.channel, `${STORED} ${place} ${count} ${ids.join(',')}`);
    this.gathered.clear();
  }

  private wantAll(): void {
    for (const place of this.listeners.keys()) this.want(place);
  }

  private want(place: string): void {
    this.broadcast.publish(this.channel, `${WANTED} ${place}`);
  }
}
