import type { LeadingBits } from './leading-bits.js';

/** Number of buckets: percentages have a resolution of 0.001 %. */
export const BUCKET_COUNT = 100_000;

/**
 * The bucket of an id under a salt: the first four bytes of SHA-256 over the UTF-8 text `salt:id`, read as a big-endian
 * fraction of 2³² and scaled to {@link BUCKET_COUNT}. It depends on nothing else, so every process and client computes
 * the same bucket.
 *
 * @returns an integer from 0 to {@link BUCKET_COUNT} - 1.
 */
export function bucketOf(hash: LeadingBits, salt: string, id: string): number {
  return Math.floor((hash(`${salt}:${id}`) * BUCKET_COUNT) / 2 ** 32);
}

/**
 * The number of buckets a percentage (0 to 100) covers. Buckets are taken from 0 upwards, so a larger percentage keeps
 * everyone a smaller one included.
 */
export const bucketsCovered = (percentage: number): number => Math.round((percentage * BUCKET_COUNT) / 100);
