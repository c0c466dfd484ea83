import { readKept } from './key-value-store.js';
import type { Platform } from './platform.js';

/** Something that waits to be sent, with the key under which it is kept. */
export interface Waiting<Item> {
  readonly key: string;
  readonly item: Item;
}

/** What became of some items that were sent. */
export type Delivery =
  /** The server has them, or has refused for good those that are told. */
  | { readonly is: 'taken'; readonly refused?: string }
  /** One of them, by its place, or any of them makes the server refuse all. */
  | { readonly is: 'poisoned'; readonly index: number | null; readonly why: string }
  /** Nothing was taken; another try makes sense from then on, which is `asked` when the server said so. */
  | { readonly is: 'later'; readonly milliseconds: number; readonly asked: boolean }
  /** Nothing will be taken until the page starts again. */
  | { readonly is: 'stopped'; readonly why: string };

/** How items reach the server. */
export interface Courier<Item> {
  send(items: readonly Item[], failures: number): Promise<Delivery>;
  /** Sends while the page goes away, without waiting; resolves with true when the server has taken them. */
  sendLast(items: readonly Item[]): Promise<boolean>;
}

export interface OutboxOptions {
  /** Sends at once when so many wait. */
  readonly flushAt: number;
  readonly flushSeconds: number;
  /** Most that is kept; beyond it the oldest is given up. */
  readonly most: number;
  /** Most that is sent at once. */
  readonly mostAtOnce: number;
  /** Whether anything may be sent yet. */
  readonly isOpen: () => boolean;
}

/** What was sent while the page went away, and when; nobody knows whether it arrived. */
interface LeftMark {
  readonly upTo: string;
  readonly at: number;
}

/** For so long the server knows an `insert_id` and stores no repeat of it; an hour is left for the way. */
const REPEATABLE_MS = 23 * 3_600_000;
/** The browser lets requests that outlive their page have 64 KiB together. */
const LAST_PIECE_CHARACTERS = 60_000;
const PLACES = 10;

/**
 * Items on their way to the server: kept on the device from the moment they come, sent in the order they came, one request at a time,
 * and forgotten when the server has them. Each tab has a name of its own, so that tabs never wait for each other.
 */
export class Outbox<Item> {
  private waiting: Waiting<Item>[] = [];
  private next = 0;
  private failures = 0;
  private stopped = false;
  private pausedUntil = 0;
  /** Whether the pause is only our guess of when the server is back. */
  private isGuess = false;
  private sending: Promise<void> | null = null;
  private stopTimer: (() => void) | null = null;

  constructor(
    private readonly platform: Platform,
    private readonly courier: Courier<Item>,
    /** Beginning of all keys of this outbox, then the tab's name. */
    private readonly prefix: string,
    private readonly tab: string,
    private readonly options: OutboxOptions,
  ) {}

  /** How many wait. */
  get length(): number {
    return this.waiting.length;
  }

  /** Names of the other tabs of which something is kept. */
  otherTabs(): string[] {
    const names = this.platform.store.keys(this.prefix).map((key) => key.slice(this.prefix.length).split(':')[0] ?? '');
    return [...new Set(names)].filter((name) => name !== this.tab);
  }

  /** Takes over what a tab that is gone has left, before what this one has. */
  adopt(tab: string): void {
    const { store } = this.platform;
    const before = `${this.prefix}${tab}:`;
    const mark = readKept<LeftMark>(store, `${before}left`);
    const isRepeatable = mark !== null && this.platform.now() - mark.at < REPEATABLE_MS;
    const adopted: Waiting<Item>[] = [];
    for (const key of store.keys(before).sort()) {
      const item = key.endsWith(':left') ? null : readKept<Item>(store, key);
      store.remove(key);
      if (item === null || (mark && !isRepeatable && key <= mark.upTo)) continue;
      const kept = { key: this.nextKey(), item };
      store.set(kept.key, JSON.stringify(item));
      adopted.push(kept);
    }
    this.waiting = [...adopted, ...this.waiting];
    if (adopted.length > 0) void this.flush();
  }

  add(item: Item): void {
    const kept = { key: this.nextKey(), item };
    this.platform.store.set(kept.key, JSON.stringify(item));
    this.waiting.push(kept);
    if (this.waiting.length > this.options.most) {
      this.platform.warn(`Quarterdeck: more than ${this.options.most} wait to be sent; the oldest is given up.`);
      this.forget(this.waiting.splice(0, 1));
    }
    if (this.waiting.length >= this.options.flushAt) void this.flush();
    else this.stopTimer ??= this.platform.later(this.options.flushSeconds * 1_000, () => void this.flush());
  }

  /** Sends what waits; resolves when the server has all of it, or nothing more can be done for now. */
  flush(): Promise<void> {
    this.stopTimer?.();
    this.stopTimer = null;
    this.sending ??= this.run().finally(() => {
      this.sending = null;
    });
    return this.sending;
  }

  /** The server is back: what waits need not wait for the end of a pause, unless the server asked for it. */
  reachable(): void {
    if (!this.isGuess) return;
    this.isGuess = false;
    this.pausedUntil = 0;
    this.failures = 0;
    void this.flush();
  }

  /** Sends what fits while the page goes away; it stays on the device until the server has it. */
  flushLast(): void {
    const { platform, prefix, tab } = this;
    if (this.waiting.length === 0 || this.stopped || !this.options.isOpen() || platform.now() < this.pausedUntil)
      return;
    for (const piece of this.lastPieces()) {
      const upTo = piece.at(-1)?.key ?? '';
      platform.store.set(`${prefix}${tab}:left`, JSON.stringify({ upTo, at: platform.now() }));
      void this.courier.sendLast(piece.map(({ item }) => item)).then((isTaken) => {
        if (isTaken) this.forget(piece);
      });
    }
  }

  /** Forgets everything that waits. */
  clear(): void {
    this.forget(this.waiting);
    this.stopTimer?.();
    this.stopTimer = null;
  }

  private nextKey(): string {
    this.next += 1;
    return `${this.prefix}${this.tab}:${String(this.next).padStart(PLACES, '0')}`;
  }

  private forget(items: readonly Waiting<Item>[]): void {
    const gone = new Set(items);
    for (const { key } of gone) this.platform.store.remove(key);
    this.waiting = this.waiting.filter((one) => !gone.has(one));
  }

  private async run(): Promise<void> {
    let most = this.options.mostAtOnce;
    while (this.waiting.length > 0 && !this.stopped && this.options.isOpen()) {
      const pause = this.pausedUntil - this.platform.now();
      if (pause > 0) return this.wake(pause);
      const batch = this.waiting.slice(0, most);
      const delivery = await this.courier.send(
        batch.map(({ item }) => item),
        this.failures + 1,
      );
      if (delivery.is === 'later') {
        this.failures += 1;
        this.pausedUntil = this.platform.now() + delivery.milliseconds;
        this.isGuess = !delivery.asked;
        continue;
      }
      this.failures = 0;
      if (delivery.is === 'stopped') {
        this.stopped = true;
        this.platform.warn(`Quarterdeck: nothing is sent until the next start: ${delivery.why}`);
      } else if (delivery.is === 'taken') {
        if (delivery.refused) this.platform.warn(`Quarterdeck: ${delivery.refused}`);
        this.forget(batch);
        most = this.options.mostAtOnce;
      } else if (delivery.index !== null || batch.length === 1) {
        const culprit = batch[delivery.index ?? 0];
        this.platform.warn(
          `Quarterdeck: dropped what the server will never take (${delivery.why}): ${JSON.stringify(culprit?.item)}`,
        );
        this.forget(culprit ? [culprit] : batch);
      } else {
        most = Math.ceil(batch.length / 2);
      }
    }
  }

  private wake(milliseconds: number): void {
    this.stopTimer?.();
    this.stopTimer = this.platform.later(milliseconds, () => void this.flush());
  }

  private *lastPieces(): Generator<Waiting<Item>[]> {
    let piece: Waiting<Item>[] = [];
    let size = 0;
    for (const one of this.waiting) {
      const length = JSON.stringify(one.item).length * 1.1;
      if (size + length > LAST_PIECE_CHARACTERS && piece.length > 0) {
        yield piece;
        piece = [];
        size = 0;
      }
      piece.push(one);
      size += length;
    }
    if (piece.length > 0) yield piece;
  }
}
