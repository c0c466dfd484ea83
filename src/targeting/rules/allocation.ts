import { BUCKET_COUNT } from './bucket.js';

/** A range of buckets, end exclusive. */
export type BucketRange = readonly [number, number];

/** One share of a split: its weight, and its buckets. */
export interface Share {
  /** The share's value, which identifies the share when weights change. */
  readonly value: string;
  /** Relative to the other weights of the split. */
  readonly weight: number;
  /** Ascending, without overlap; absent in an unallocated split. */
  readonly buckets?: readonly BucketRange[];
}

/**
 * Allocates the {@link BUCKET_COUNT} buckets to shares. A share keeps its existing buckets, lowest first, as far as its
 * new weight allows; released buckets go to growing shares. So as few buckets as possible move, and a share whose
 * weight alone is raised keeps all it had.
 */
export function allocate(present: readonly Share[] | null, wanted: readonly Share[]): Share[] {
  const counts = bucketCounts(wanted.map(({ weight }) => weight));
  const kept = wanted.map(({ value }, at) => {
    const held = present?.find((share) => share.value === value)?.buckets ?? [];
    return firstOf(held, counts[at] as number);
  });
  const free = gapsBetween(kept.flat());
  return wanted.map(({ value, weight }, at) => {
    const held = kept[at] as BucketRange[];
    const buckets = joined([...held, ...take(free, (counts[at] as number) - sizeOf(held))]);
    return { value, weight, buckets };
  });
}

export function shareFinder(shares: readonly Share[]): (bucket: number) => number {
  const allocated = shares.every(({ buckets }) => buckets) ? shares : allocate(null, shares);
  const ranges = allocated
    .flatMap(({ buckets = [] }, share) => buckets.map(([, end]) => ({ end, share })))
    .sort((one, other) => one.end - other.end);
  const [ends, owners] = [Int32Array.from(ranges, ({ end }) => end), ranges.map(({ share }) => share)];
  return (bucket) => {
    let [low, high] = [0, ends.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (bucket < (ends[middle] as number)) high = middle;
      else low = middle + 1;
    }
    return owners[low] as number;
  };
}

/**
 * Whole buckets for weights, by Webster's method (F. Pukelsheim, Proportional Representation): unlike rounding each
 * share separately, it never takes a bucket from a share whose weight alone was raised.
 */
function bucketCounts(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const counts = weights.map((weight) => Math.round((weight / total) * BUCKET_COUNT));
  let missing = BUCKET_COUNT - counts.reduce((sum, count) => sum + count, 0);
  for (; missing !== 0; missing -= Math.sign(missing)) {
    const step = Math.sign(missing);
    let best = -1;
    for (const [at, weight] of weights.entries()) {
      if (weight === 0 || (step < 0 && counts[at] === 0)) continue;
      const claim = (index: number) => ((counts[index] as number) + step / 2) / (weights[index] as number);
      if (best < 0 || step * (claim(at) - claim(best)) < 0) best = at;
    }
    counts[best] = (counts[best] as number) + step;
  }
  return counts;
}

const firstOf = (ranges: readonly BucketRange[], count: number): BucketRange[] => take([...ranges], count);

/** Removes up to a number of buckets from the front of a list. */
function take(ranges: BucketRange[], count: number): BucketRange[] {
  const taken: BucketRange[] = [];
  let left = count;
  while (left > 0) {
    const range = ranges.shift();
    if (range === undefined) break;
    const [from, to] = range;
    const end = Math.min(to, from + left);
    taken.push([from, end]);
    left -= end - from;
    if (end < to) ranges.unshift([end, to]);
  }
  return taken;
}

function gapsBetween(ranges: readonly BucketRange[]): BucketRange[] {
  const gaps: BucketRange[] = [];
  let at = 0;
  for (const [from, to] of [...ranges].sort((one, other) => one[0] - other[0])) {
    if (from > at) gaps.push([at, from]);
    at = to;
  }
  if (at < BUCKET_COUNT) gaps.push([at, BUCKET_COUNT]);
  return gaps;
}

function joined(ranges: readonly BucketRange[]): BucketRange[] {
  const result: [number, number][] = [];
  for (const [from, to] of [...ranges].sort((one, other) => one[0] - other[0])) {
    const last = result.at(-1);
    if (last && last[1] === from) last[1] = to;
    else result.push([from, to]);
  }
  return result;
}

function sizeOf(ranges: readonly BucketRange[]): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from, 0);
}
