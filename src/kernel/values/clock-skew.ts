import { isoTime } from './iso-time.js';

/** A smaller difference may just as well be network latency rather than a wrong clock. */
const SMALLEST_SKEW_MS = 60_000;

/**
 * How far a client's clock is behind ours, based on its value when the request was sent; negative if it is ahead. 0 for less than a minute
 * and for a text that isn't a time.
 */
export const clockSkew = (sentAt: string, receivedAt: number): number => {
  const skew = receivedAt - isoTime(sentAt);
  return Math.abs(skew) >= SMALLEST_SKEW_MS ? skew : 0;
};
