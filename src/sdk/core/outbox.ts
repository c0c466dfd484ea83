import { readKept } from './key-value-store.js';
import { MOST_CHARACTERS, MOST_SHOWN, REPEATABLE_MS } from './limits.js';
import { jsonText } from './plain-json.js';
import type { Platform } from './platform.js';

/** The outcome of sending some items. */
export type Delivery =
  /** The server has accepted them, or permanently refused the ones in `refused`. */
  | { readonly is: 'taken'; readonly refused: string }
  /** One of them (by index, or unknown) makes the server refuse all. */
  | { readonly is: 'poisoned'; readonly index?: number | null | undefined; readonly why: string }
  /** Nothing was accepted; retry from this time on, which is `asked` when the server set it. */
  | { readonly is: 'later'; readonly milliseconds: number; readonly asked: boolean }
  /** Nothing will be accepted for now, and retrying soon would not help. */
  | { readonly is: 'stopped'; readonly why: string };

/** Sends items, each serialized as JSON, to the server. */
export interface Courier {
  send(items: readonly string[], failures: number): Promise<Delivery>;
  /** Sends while the page unloads, without waiting; resolves with true when the server has accepted them. */
  sendLast(items: readonly string[]): Promise<boolean>;
}

export interface OutboxOptions {
  /** Sends at once when this many items are waiting. */
  readonly flushAt: number;
  readonly flushSeconds: number;
  /** Maximum number kept; beyond it the oldest is dropped. */
  readonly most: number;
  /** Maximum number per request. */
  readonly mostAtOnce: number;
  /** Whether sending is allowed yet. */
  readonly isOpen: () => boolean;
  /** How long to pause after the server accepts nothing; weeks by default, which means until the next start. */
  readonly restSeconds?: number;
  /** Called when the server has these items. */
  readonly onTaken?: (batch: string) => void;
}

/** Items sent while the page was unloading, and when; whether they arrived is unknown. */
interface LeftMark {
  readonly upTo: string;
  readonly at: number;
}

/** Precedes, in the key of an item taken over, the time at which a page sent it without a confirmation, or 0. */
const SENT = '~';
/** Bytes that can still leave with a page; requests in flight have used their share. */
export interface LeavingRoom {
  bytes: number;
}

/** Browsers allow 64 KiB for all requests that outlive their page; part of it is reserved for the envelope. */
export const leavingRoom = (): LeavingRoom => ({ bytes: 59_000 });
/** Item numbers have ten digits and count up from here; taken-over items count down, so keys sort in sending order. */
const MIDDLE = 5_000_000_000;

/**
 * Items on their way to the server: stored on the device as JSON at once, sent in order, one request at a time, and
 * deleted when the server has them. Each tab has its own name, so tabs never wait for each other.
 */
export class Outbox<Item> {
  /** Items by storage key, oldest first. */
  protected waiting = new Map<string, string>();
  /** Total characters waiting. */
  private size = 0;
  private first = MIDDLE;
  private next = MIDDLE;
  private failures = 0;
  /** Current maximum per request. */
  private most: number;
  /** Ends the current pause; a timer, because the clock may be set back. */
  private stopPause?: (() => void) | null;
  /** Whether the pause is only our guess at when the server is back. */
  private isGuess?: boolean;
  private leaving?: Promise<void> | null;
  private sending?: Promise<void> | null;
  private stopTimer?: (() => void) | null;

  constructor(
    private readonly platform: Platform,
    private readonly courier: Courier,
    /** Key prefix of this outbox, followed by the tab's name. */
    private readonly prefix: string,
    private readonly tab: string,
    private readonly options: OutboxOptions,
  ) {
    this.most = options.mostAtOnce;
  }

  get length(): number {
    return this.waiting.size;
  }

  /** Names of other tabs with stored items. */
  otherTabs(): string[] {
    const names = this.platform.store.keys(this.prefix).map((key) => key.split(':').at(-2) as string);
    return [...new Set(names)].filter((name) => name !== this.tab);
  }

  /** Takes over the items of a closed tab and puts them first. */
  adopt(tab: string): void {
    const { store } = this.platform;
    const before = `${this.prefix}${tab}:`;
    const { upTo = '', at = 0 } = readKept<Partial<LeftMark>>(store, `${before}left`) ?? {};
    const adopted: [item: string, sent: number][] = [];
    for (const key of store.keys(before).sort()) {
      const item = key.endsWith(':left') ? null : store.get(key);
      store.remove(key);
      const sent = Number(key.split(SENT)[1]) || (key > upTo ? 0 : at);
      const isRepeatable = !sent || Math.abs(this.platform.now() - sent) < REPEATABLE_MS;
      if (item && isRepeatable) adopted.push([item, sent]);
    }
    this.first -= adopted.length;
    const kept = adopted.map(([item, sent], at): [string, string] => [
      this.keep(item, `${this.first + at}${SENT}${sent}`),
      item,
    ]);
    this.waiting = new Map([...kept, ...this.waiting]);
    this.giveUpOldest();
    void this.flush();
  }

  /**
   * Drops items no longer in storage: another tab took them over, or consent was refused, while this tab could not hear
   * it.
   */
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

  /** Sends what is waiting; resolves when the server has everything or nothing more can be done for now. */
  flush(): Promise<void> {
    this.stopTimer?.();
    this.stopTimer = null;
    this.sending ??= this.run();
    return this.sending;
  }

  /** Retries now, whatever the reason for the current pause. */
  endPause(): void {
    this.stopPause?.();
    this.stopPause = null;
    this.isGuess = false;
    void this.flush();
  }

  /** The server is back: ends the pause early unless the server asked for it. */
  reachable(): void {
    // Failures still count: the server may answer other requests only.
    if (this.isGuess) this.endPause();
  }

  /**
   * Sends what fits while the page unloads, and the next piece if the page is still there when the server confirms.
   * Items sent without a confirmation stay on the device with a mark.
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

  /** Deletes everything that is waiting. */
  clear(): void {
    this.forget(this.waiting);
  }

  private keep(item: string, number: number | string): string {
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
      this.platform.warn('Quarterdeck: too much is waiting; the oldest is dropped.');
    }
  }

  private async run(): Promise<void> {
    // Items added in the same turn are sent too, and a pause that ends in it does not count.
    await null;
    try {
      while (this.waiting.size > 0 && !this.stopPause && this.options.isOpen()) {
        // Items already in flight are not sent twice.
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
          // It may have been too much for the connection, or for a proxy in front of the server.
          if (!delivery.asked) this.most = Math.ceil(batch.length / 2);
          this.pause(delivery.milliseconds, !delivery.asked);
          continue;
        }
        this.failures = 0;
        if (delivery.is === 'stopped') {
          this.pause((this.options.restSeconds ?? Number.POSITIVE_INFINITY) * 1_000, false);
          this.platform.warn(`Quarterdeck: sending is paused: ${delivery.why}`);
        } else if (delivery.is === 'taken') {
          if (delivery.refused) this.platform.warn(`Quarterdeck: ${delivery.refused}`);
          this.taken(batch);
          this.most = this.options.mostAtOnce;
        } else {
          const culprit = batch[batch.length === 1 ? 0 : (delivery.index ?? -1)];
          if (!culprit) this.most = Math.ceil(batch.length / 2);
          else {
            this.platform.warn(
              `Quarterdeck: dropped what the server will never accept (${delivery.why}): ${culprit[1].slice(0, MOST_SHOWN)}`,
            );
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
