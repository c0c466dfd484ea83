import { readKept } from './key-value-store.js';
import { jsonText } from './plain-json.js';
import type { Platform } from './platform.js';

/** What became of some items that were sent. */
export type Delivery =
  /** The server has them, or has refused for good those that `refused` names. */
  | { readonly is: 'taken'; readonly refused: string }
  /** One of them, by its place, or any of them makes the server refuse all. */
  | { readonly is: 'poisoned'; readonly index: number | null; readonly why: string }
  /** Nothing was taken; another try makes sense from then on, which is `asked` when the server said so. */
  | { readonly is: 'later'; readonly milliseconds: number; readonly asked: boolean }
  /** Nothing will be taken for now, and asking soon would not help. */
  | { readonly is: 'stopped'; readonly why: string };

/** How items, each as JSON, reach the server. */
export interface Courier {
  send(items: readonly string[], failures: number): Promise<Delivery>;
  /** Sends while the page goes away, without waiting; resolves with true when the server has taken them. */
  sendLast(items: readonly string[]): Promise<boolean>;
}

export interface OutboxOptions {
  /** Sends at once when this many wait. */
  readonly flushAt: number;
  readonly flushSeconds: number;
  /** Most that is kept; beyond it the oldest is given up. */
  readonly most: number;
  /** Most that is sent at once. */
  readonly mostAtOnce: number;
  /** Whether anything may be sent yet. */
  readonly isOpen: () => boolean;
  /** How long nothing is sent after the server would take nothing; for weeks, which is until the next start, unless given. */
  readonly restSeconds?: number;
  /** The server has the items of this text. */
  readonly onTaken?: (batch: string) => void;
}

/** What was sent while the page went away, and when; nobody knows whether it arrived. */
interface LeftMark {
  readonly upTo: string;
  readonly at: number;
}

/** The server knows an `insert_id` for this long and stores no repeat of it; an hour is left for the way. */
const REPEATABLE_MS = 23 * 3_600_000;
/** All that waits together must not use up the memory of the application. */
const MOST_CHARACTERS = 50_000_000;
/** Bytes that may still leave with a page; what is on its way has taken its part of them. */
export interface LeavingRoom {
  bytes: number;
}

/** The browser lets requests that outlive their page have 64 KiB together; some are left for what stands around the items. */
export const leavingRoom = (): LeavingRoom => ({ bytes: 59_000 });
/** Numbers of items have ten digits and go up from here; those of items that are taken over go down, so that keys sort as items are sent. */
const MIDDLE = 5_000_000_000;

/**
 * Items on their way to the server: kept on the device as JSON from the moment they come, sent in the order they came, one request at a time,
 * and forgotten when the server has them. Each tab has a name of its own, so that tabs never wait for each other.
 */
export class Outbox<Item> {
  /** By the key under which each is kept, the oldest first. */
  private waiting = new Map<string, string>();
  /** Characters of all that waits. */
  private size = 0;
  private first = MIDDLE;
  private next = MIDDLE;
  private failures = 0;
  /** Most that is sent at once for now. */
  private most: number;
  /** Ends the pause that is in force: a timer, because a clock may be set back meanwhile. */
  private stopPause?: (() => void) | null;
  /** Whether the pause is only our guess of when the server is back. */
  private isGuess = false;
  private leaving?: Promise<void> | null;
  private sending?: Promise<void> | null;
  private stopTimer?: (() => void) | null;

  constructor(
    private readonly platform: Platform,
    private readonly courier: Courier,
    /** Beginning of all keys of this outbox, then the tab's name. */
    private readonly prefix: string,
    private readonly tab: string,
    private readonly options: OutboxOptions,
  ) {
    this.most = options.mostAtOnce;
  }

  /** How many wait. */
  get length(): number {
    return this.waiting.size;
  }

  /** What waits, each as JSON. */
  get items(): string[] {
    return [...this.waiting.values()];
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
    const isRepeatable = mark !== null && Math.abs(this.platform.now() - mark.at) < REPEATABLE_MS;
    const adopted: string[] = [];
    for (const key of store.keys(before).sort()) {
      const item = key.endsWith(':left') ? null : store.get(key);
      store.remove(key);
      if (item !== null && (!mark || isRepeatable || key > mark.upTo)) adopted.push(item);
    }
    this.first -= adopted.length;
    const kept = adopted.map((item, at): [string, string] => [this.keep(item, this.first + at), item]);
    this.waiting = new Map([...kept, ...this.waiting]);
    this.giveUpOldest();
    if (kept.length > 0) void this.flush();
  }

  /** Forgets what is not kept any more: another tab has taken it over, or the person refused it, while this one could not hear of it. */
  lookAgain(): void {
    this.forget([...this.waiting].filter(([key]) => this.platform.store.get(key) === null));
  }

  add(item: Item): void {
    const text = jsonText(item);
    this.waiting.set(this.keep(text, this.next), text);
    this.next += 1;
    this.giveUpOldest();
    if (this.waiting.size >= this.options.flushAt) void this.flush();
    else this.stopTimer ??= this.platform.later(this.options.flushSeconds * 1_000, () => void this.flush());
  }

  /** Sends what waits; resolves when the server has all of it, or nothing more can be done for now. */
  flush(): Promise<void> {
    this.stopTimer?.();
    this.stopTimer = null;
    this.sending ??= this.run();
    return this.sending;
  }

  /** Tries again what waits, whatever the pause that is in force was for. */
  endPause(): void {
    this.stopPause?.();
    this.stopPause = null;
    this.isGuess = false;
    void this.flush();
  }

  /** The server is back: what waits need not wait for the end of a pause, unless the server asked for it. */
  reachable(): void {
    if (!this.isGuess) return;
    this.failures = 0;
    this.endPause();
  }

  /**
   * Sends what fits in the room while the page goes away, and the next piece when the page is still there to hear that the server has it. What was sent
   * without an answer stays on the device with a mark.
   */
  flushLast(room: LeavingRoom): void {
    if (this.leaving || this.stopPause || !this.options.isOpen()) return;
    const { platform, prefix, tab } = this;
    const { bytes } = room;
    const piece = this.lastPiece(room);
    const size = bytes - room.bytes;
    const upTo = piece.at(-1)?.[0];
    if (upTo === undefined) return;
    platform.store.set(`${prefix}${tab}:left`, JSON.stringify({ upTo, at: platform.now() }));
    this.leaving = this.courier.sendLast(piece.map(([, item]) => item)).then((isTaken) => {
      this.leaving = null;
      room.bytes += size;
      platform.store.remove(`${prefix}${tab}:left`);
      if (!isTaken) return;
      this.taken(piece);
      this.flushLast(room);
    });
  }

  /** Forgets everything that waits. */
  clear(): void {
    this.forget(this.waiting);
    this.stopTimer?.();
    this.stopTimer = null;
  }

  /** Keeps an item on the device; the key that it is kept under. */
  private keep(item: string, number: number): string {
    const key = `${this.prefix}${this.tab}:${number}`;
    this.platform.store.set(key, item);
    this.size += item.length;
    return key;
  }

  private forget(entries: Iterable<readonly [key: string, item: string]>): void {
    for (const [key, item] of entries) {
      this.platform.store.remove(key);
      if (this.waiting.delete(key)) this.size -= item.length;
    }
  }

  private taken(entries: readonly (readonly [key: string, item: string])[]): void {
    this.forget(entries);
    this.options.onTaken?.(entries.join());
  }

  private giveUpOldest(): void {
    for (const entry of this.waiting) {
      if (this.length <= this.options.most && this.size <= MOST_CHARACTERS) return;
      this.forget([entry]);
      this.platform.warn('Quarterdeck: too much waits; the oldest is given up.');
    }
  }

  private async run(): Promise<void> {
    // What is said in the same go is sent, too, and a pause that ends in it is none.
    await null;
    try {
      while (this.waiting.size > 0 && !this.stopPause && this.options.isOpen()) {
        // What is on its way already needs not go twice.
        if (this.leaving) {
          await this.leaving;
          continue;
        }
        const batch = [...this.waiting].slice(0, this.most);
        const delivery = await this.courier.send(
          batch.map(([, item]) => item),
          this.failures + 1,
        );
        if (delivery.is === 'later') {
          this.failures += 1;
          // It may have been too much for the line, or for who is before the server.
          if (!delivery.asked) this.most = Math.ceil(batch.length / 2);
          this.pause(delivery.milliseconds, !delivery.asked);
          continue;
        }
        this.failures = 0;
        if (delivery.is === 'stopped') {
          this.pause((this.options.restSeconds ?? Number.POSITIVE_INFINITY) * 1_000, false);
          this.platform.warn(`Quarterdeck: nothing is sent for now: ${delivery.why}`);
        } else if (delivery.is === 'taken') {
          if (delivery.refused) this.platform.warn(`Quarterdeck: ${delivery.refused}`);
          this.taken(batch);
          this.most = this.options.mostAtOnce;
        } else {
          const culprit = batch[batch.length === 1 ? 0 : (delivery.index ?? -1)];
          if (!culprit) this.most = Math.ceil(batch.length / 2);
          else {
            this.platform.warn(`Quarterdeck: dropped what the server will never take (${delivery.why}): ${culprit[1]}`);
            this.forget([culprit]);
          }
        }
      }
    } finally {
      this.sending = null;
    }
  }

  private pause(milliseconds: number, isGuess: boolean): void {
    this.isGuess = isGuess;
    this.stopPause = this.platform.later(milliseconds, () => this.endPause());
  }

  /** Takes from the room what it gives. */
  private lastPiece(room: LeavingRoom): [key: string, item: string][] {
    const piece: [key: string, item: string][] = [];
    for (const entry of this.waiting) {
      const size = new TextEncoder().encode(entry[1]).length + 1;
      if (size > room.bytes) break;
      room.bytes -= size;
      piece.push(entry);
    }
    return piece;
  }
}
