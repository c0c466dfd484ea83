import { createHmac, hash } from 'node:crypto';
import type { Clock } from '../../kernel/clock.js';
import { MINUTE_MS } from '../../kernel/values/durations.js';

/** Counters over fixed windows, each from one wall-clock minute to the next. */
export interface Counters {
  /** Adds one and returns the count in the current minute; synchronous when no other process is involved. */
  increment(key: string): number | Promise<number>;
  /** The count in the current minute. */
  read(key: string): Promise<number>;
}

/** The number of the wall-clock minute (UTC) that a time belongs to. */
export const minuteOf = (time: Date): number => Math.floor(time.getTime() / MINUTE_MS);

/**
 * Counters by names that identify whom they count, such as keys, emails and addresses. Internally each name is a hash
 * of 43 characters, so someone who can read Redis cannot guess names without the secret that all processes of an
 * installation share.
 */
export class NamedCounters implements Counters {
  private readonly key: string;

  constructor(
    private readonly counters: Counters,
    secret: string,
  ) {
    this.key = createHmac('sha256', secret).update('names of counters').digest('base64url');
  }

  increment(name: string): number | Promise<number> {
    return this.counters.increment(this.hashed(name));
  }

  read(name: string): Promise<number> {
    return this.counters.read(this.hashed(name));
  }

  /** A single call takes half a microsecond; an HMAC would add fourteen to every request. */
  private hashed(name: string): string {
    return hash('sha256', this.key + name, 'base64url');
  }
}

interface Count {
  reached: number;
}

const KEYS_A_GENERATION = 100_000;
/** Longer names are counted by hash; project keys and addresses are shorter. */
const LONGEST_NAME = 128;

/**
 * Counters of this process only. At least the latest 100,000 keys of a minute are kept and at most twice as many, so
 * that clients with made-up keys cannot fill the memory.
 */
export class ProcessCounters implements Counters {
  private minute = 0;
  private counts = new Map<string, Count>();
  private older = new Map<string, Count>();

  constructor(private readonly clock: Clock) {}

  increment(name: string): number {
    const count = this.counted(shortened(name));
    count.reached += 1;
    return count.reached;
  }

  async read(name: string): Promise<number> {
    const key = shortened(name);
    this.keepToMinute();
    return (this.counts.get(key) ?? this.older.get(key))?.reached ?? 0;
  }

  /** Adopts a count that other processes have reached, if higher. */
  raise(name: string, count: number): void {
    const known = this.counted(shortened(name));
    known.reached = Math.max(known.reached, count);
  }

  /** The count of a key, which becomes one of the latest. */
  private counted(key: string): Count {
    this.keepToMinute();
    const known = this.counts.get(key);
    if (known) return known;
    const count = this.older.get(key) ?? { reached: 0 };
    this.counts.set(key, count);
    if (this.counts.size >= KEYS_A_GENERATION) {
      this.older = this.counts;
      this.counts = new Map();
    }
    return count;
  }

  private keepToMinute(): void {
    const minute = minuteOf(this.clock.now());
    if (minute !== this.minute) {
      this.minute = minute;
      this.counts = new Map();
      this.older = new Map();
    }
  }
}

function shortened(name: string): string {
  return name.length <= LONGEST_NAME ? name : `#${hash('sha256', name, 'base64url')}`;
}
