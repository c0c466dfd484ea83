import { hash } from 'node:crypto';
import { bucketOf } from '../../targeting/rules/bucket.js';
import type { LeadingBits } from '../../targeting/rules/leading-bits.js';

/** Number of slots, a power of two: small enough for a core's cache. */
const PLACES = 8_192;
const WIDTH = 4;
/** Longer ids are not cached: they are rare, and their space costs more than hashing. */
const LONGEST_ID = 100;
/** Salts come with definitions, which change. */
const MOST_SALTS = 10_000;

/**
 * {@link LeadingBits} with Node's hash, nearly twice as fast as without; unrolled JavaScript and WebAssembly take as
 * long as this for such short texts.
 */
const fastBits: LeadingBits = (text) => {
  const digest = hash('sha256', text, 'binary');
  return (
    ((digest.charCodeAt(0) << 24) |
      (digest.charCodeAt(1) << 16) |
      (digest.charCodeAt(2) << 8) |
      digest.charCodeAt(3)) >>>
    0
  );
};

/**
 * A cache of recent buckets: SHA-256 is most of the cost of a rollout, and a server decides for the same people again
 * and again. Each pair of salt and id has one slot, which the next pair to fall there takes: nothing grows, and
 * one-time ids cost little more.
 */
export class KnownBuckets {
  private readonly numbers = new Map<string, number>();
  private readonly ids = new Array<string>(PLACES).fill('');
  /** Per slot, side by side: the mixed bits of its entry, the number of its salt (0 when empty), and its bucket. */
  private readonly kept = new Int32Array(PLACES * WIDTH);

  /** The bucket of an id under a salt. */
  readonly of = (salt: string, id: string): number => {
    if (id.length > LONGEST_ID) return bucketOf(fastBits, salt, id);
    const { kept, ids } = this;
    const number = this.numbers.get(salt) ?? this.numbered(salt);
    let mixed = Math.imul(number, 0x9e3779b1);
    for (let at = 0; at < id.length; at += 1) mixed = Math.imul(mixed ^ id.charCodeAt(at), 0x01000193);
    const place = (mixed ^ (mixed >>> 15)) & (PLACES - 1);
    const first = place * WIDTH;
    // Texts are compared only when almost certainly equal: reading an uncached one costs as much as a hash.
    if (kept[first] === mixed && kept[first + 1] === number && ids[place] === id) return kept[first + 2] as number;
    const bucket = bucketOf(fastBits, salt, id);
    ids[place] = id;
    kept[first] = mixed;
    kept[first + 1] = number;
    kept[first + 2] = bucket;
    return bucket;
  };

  private numbered(salt: string): number {
    if (this.numbers.size >= MOST_SALTS) {
      this.numbers.clear();
      this.kept.fill(0);
    }
    const number = this.numbers.size + 1;
    this.numbers.set(salt, number);
    return number;
  }
}
