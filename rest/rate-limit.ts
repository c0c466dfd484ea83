import { networkOf } from '../src/kernel/requests/client-address.js';
import type { Counters } from '../src/storage/shared/counters.js';
import { restFailure } from './face/failures.js';

/** A limit per fixed wall-clock minute; routes that name the same bucket share it. */
export interface RateLimit {
  readonly bucket: string;
  readonly perMinute: number;
}

/**
 * Counts a request against a limit, by the key as sent, or without one by the client's address (for IPv6 its /64 network). Synchronous if
 * it returns undefined. Fails with `rate_limited` from the first request over the limit.
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

/** Fails with `rate_limited` if a count is over its limit. Synchronous if it returns undefined. */
export function keepTo(limit: number, count: number | Promise<number>): Promise<void> | undefined {
  if (typeof count !== 'number') return count.then((counted) => keepTo(limit, counted));
  if (count > limit) throw restFailure('rate_limited');
  return undefined;
}
