import type { Broadcast } from '../storage/shared/broadcast.js';

/** Rows of one place that were stored: how many, and the ids of some. */
export interface StoredRows {
  readonly ids: readonly string[];
  readonly count: number;
}

/** Most ids that are reported of rows that are stored together. */
export const TOLD_IDS = 20;
/** What is stored in quick succession is reported together. */
const GATHER_MS = 100;
/** Listeners say again and again that they listen, and are forgotten when they do not. */
const SAY_AGAIN_MS = 5_000;
const FORGET_MS = 16_000;

const WANTED = '?';
const STORED = '+';

/**
 * Tells all processes about rows that come by the thousand, by the ids of a few and their number. Nothing is reported, nor even looked at,
 * where nobody listens to a place. A place is a text without blanks.
 */
export class RowTail {
  /** When to forget the places to which somebody listens, here or elsewhere. */
  private readonly wanted = new Map<string, number>();
  private readonly gathered = new Map<string, { ids: string[]; count: number }>();
  private readonly listeners = new Map<string, Set<(rows: StoredRows) => void>>();
  private readonly channel: string;
  private readonly deaf: () => void;
  private saying: NodeJS.Timeout | null = null;
  private telling: NodeJS.Timeout | null = null;

  constructor(
    private readonly broadcast: Broadcast,
    name: string,
  ) {
    this.channel = `tail ${name}`;
    this.deaf = broadcast.subscribe(this.channel, (message) => this.heard(message));
  }

  /** Whether somebody listens to a place. */
  isWanted(place: string): boolean {
    if (this.wanted.size === 0) return false;
    const until = this.wanted.get(place);
    if (until === undefined) return false;
    if (until > performance.now()) return true;
    this.wanted.delete(place);
    return false;
  }

  /** Takes in what was stored, after its commit: `count` rows, and the ids of some of them. */
  stored(place: string, ids: readonly string[], count: number): void {
    if (count <= 0 || !this.isWanted(place)) return;
    const gathered = this.gathered.get(place) ?? { ids: [], count: 0 };
    gathered.ids.push(...ids.slice(0, TOLD_IDS - gathered.ids.length));
    gathered.count += count;
    this.gathered.set(place, gathered);
    this.telling ??= setTimeout(() => this.tell(), GATHER_MS).unref();
  }

  /** Listens for what is stored in a place from now on; the returned function ends it. */
  listen(place: string, hear: (rows: StoredRows) => void): () => void {
    const listeners = this.listeners.get(place) ?? new Set();
    this.listeners.set(place, listeners.add(hear));
    if (listeners.size === 1) this.want(place);
    this.saying ??= setInterval(() => this.wantAll(), SAY_AGAIN_MS).unref();
    return () => {
      listeners.delete(hear);
      if (listeners.size > 0 || this.listeners.get(place) !== listeners) return;
      this.listeners.delete(place);
      if (this.listeners.size === 0) this.rest();
    };
  }

  close(): void {
    this.deaf();
    this.rest();
    if (this.telling) clearTimeout(this.telling);
  }

  private heard(message: string | null): void {
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

  private tell(): void {
    this.telling = null;
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

  private rest(): void {
    if (this.saying) clearInterval(this.saying);
    this.saying = null;
  }
}
