import { Seen } from './seen.js';

/** Values that are kept of an attribute, and how long texts among them may be. */
const MOST_KEPT = 100;
const LONGEST_KEPT = 64;
/** After this many others, those that are kept may be out of date. */
const MOST_MISSED = 10_000;

/**
 * An attribute as it was seen of one subject after the other. Values that many have, such as versions and languages, are read once for
 * all of them, and compared once by each condition.
 */
export class Sights {
  private readonly kept = new Map<string | number, Seen>();
  private missed = 0;

  of(value: unknown): Seen {
    const mayBeKept = typeof value === 'string' ? value.length <= LONGEST_KEPT : typeof value === 'number';
    if (!mayBeKept) return new Seen(value);
    const known = this.kept.get(value as string | number);
    return known ?? this.see(value as string | number);
  }

  private see(value: string | number): Seen {
    if (this.kept.size < MOST_KEPT) {
      const seen = new Seen(value, []);
      this.kept.set(value, seen);
      return seen;
    }
    this.missed += 1;
    if (this.missed === MOST_MISSED) {
      this.kept.clear();
      this.missed = 0;
    }
    return new Seen(value);
  }
}
