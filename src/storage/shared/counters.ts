import { createHmac, hash } from 'node:crypto';
import type { Clock } from '../../kernel/clock.js';

/** Counters over fixed windows: each begins at a wall-clock minute and is gone at the next. */
export interface Counters {
  /** Adds one and tells the count in the current minute; at once where nobody else has to be asked. */
  increment(key: string): number | Promise<number>;
  /** The count in the current minute. */
  read(key: string): Promise<number>;
}

const MINUTE = 60_000;

/** The number of the wall-clock minute (UTC) that a time belongs to. */
export function minuteOf(time: Date): number {
  return Math.floor(time.getTime() / MINUTE);
}

/**
 * Counters by names that say whom they count, such as keys, e-mails and addresses. Behind it each name is a hash of 43 characters,
 * and whoever reads Redis cannot try likely names without the secret, which all processes of an installation share.
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

  /** In one call, which takes half a microsecond; an HMAC would take fourteen, of every request. */
  private hashed(name: string): string {
    return hash('sha256', this.key + name, 'base64url');
  }
}

const KEYS_A_GENERATION = 100_000;
/** Longer names are counted by their hash; project keys and addresses are shorter. */
const LONGEST_NAME = 128;

/**
 * Counters of this process alone. Of a minute's keys at least the latest 100,000 are remembered and at most twice as many,
 * so that clients which make up keys cannot fill the memory.
 */
export class ProcessCounters implements Counters {
  private minute = 0;
  private counts = new Map<string, number>();
  private older = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  increment(name: string): number {
    const key = shortened(name);
    const count = this.current(key) + 1;
    this.counts.set(key, count);
    if (this.counts.size >= KEYS_A_GENERATION) {
      this.older = this.counts;
      this.counts = new Map();
    }
    return count;
  }

  async read(name: string): Promise<number> {
    return this.current(shortened(name));
  }

  /** Learns a count that other processes have reached, if it is higher. */
  raise(name: string, count: number): void {
    const key = shortened(name);
    if (count > this.current(key)) this.counts.set(key, count);
  }

  private current(key: string): number {
    const minute = minuteOf(this.clock.now());
    if (minute !== this.minute) {
      this.minute = minute;
      this.counts = new Map();
      this.older = new Map();
    }
    return this.counts.get(key) ?? this.older.get(key) ?? 0;
  }
}

function shortened(name: string): string {
  return name.length <= LONGEST_NAME ? name : `#${hash('sha256', name, 'base64url')}`;
}
