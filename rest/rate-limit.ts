import { networkOf } from '../src/kernel/requests/client-address.js';
import type { Counters } from '../src/storage/shared/counters.js';
import { restFailure } from './face/failures.js';

/** A limit over fixed wall-clock minutes; routes that name the same bucket share it. */
export interface RateLimit {
  readonly bucket: string;
  readonly perMinute: number;
}

/**
 * Counts a request against a limit, by the key as it was sent, by the client's address (of IPv6 its network of 64 bits) where it came without one; nothing to wait for
 * when it returns nothing. Fails with `rate_limited` from the first request that is too many.
 */
export function countRequest(
  counters: Counters,
  { bucket, perMinute }: RateLimit,
  secret: string | undefined,
  address = '',
): Promise<void> | undefined {
  const who = secret ? `key:${secret}` : `address:${networkOf(address)}`;
  return keepTo(perMinute, counters.increment(`${bucket}:${who}`));
}

/** Fails with `rate_limited` when a count is above its limit; nothing to wait for when it returns nothing. */
export function keepTo(limit: number, count: number | Promise<number>): Promise<void> | undefined {
  if (typeof count !== 'number') return count.then((counted) => keepTo(limit, counted));
  if (count > limit) throw restFailure('rate_limited');
  return undefined;
}
