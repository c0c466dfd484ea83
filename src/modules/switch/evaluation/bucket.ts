import { hash } from 'node:crypto';

/** Number of buckets a distinct id can fall into: a percentage has a resolution of 0.001 %. */
export const BUCKET_COUNT = 100_000;

/**
 * The bucket of a distinct id for a flag: the first four bytes of SHA-256 over the UTF-8 text `flag_key:distinct_id`,
 * read as a big-endian fraction of 2³² and scaled to {@link BUCKET_COUNT}. It depends on nothing else, so it is the same in
 * every process and for every client that computes it.
 *
 * @returns an integer from 0 to {@link BUCKET_COUNT} - 1.
 */
export function bucketOf(flagKey: string, distinctId: string): number {
  // One string of bytes costs a quarter of what a Buffer from `hash` costs, and a handshake needs one for every flag.
  const digest = hash('sha256', `${flagKey}:${distinctId}`, 'binary');
  let fraction = 0;
  for (let index = 0; index < 4; index += 1) fraction = fraction * 256 + digest.charCodeAt(index);
  return Math.floor((fraction * BUCKET_COUNT) / 2 ** 32);
}

/**
 * The number of buckets a percentage (0 to 100) covers. Buckets are taken from 0 upwards, so a larger percentage
 * keeps everyone whom a smaller one included.
 */
export function bucketsCovered(percentage: number): number {
  return Math.round((percentage * BUCKET_COUNT) / 100);
}
