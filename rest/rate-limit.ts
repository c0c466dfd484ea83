import type { Counters } from '../src/storage/shared/counters.js';
import { restFailure } from './face/failures.js';

/** A limit over fixed wall-clock minutes; routes that name the same bucket share it. */
export interface RateLimit {
  readonly bucket: string;
  readonly perMinute: number;
}

/**
 * Counts a request against a limit, by the key as it was sent, by the client's address where it came without one. Fails with
 * `rate_limited` from the first request that is too many.
 */
export async function countRequest(
  counters: Counters,
  { bucket, perMinute }: RateLimit,
  secret: string | undefined,
  address = '',
): Promise<void> {
  const who = secret ? `key:${secret}` : `address:${address}`;
  if ((await counters.increment(`${bucket}:${who}`)) > perMinute) throw restFailure('rate_limited');
}
