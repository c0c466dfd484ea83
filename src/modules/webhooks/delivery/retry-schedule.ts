import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../kernel/values/durations.js';
import type { AttemptResult } from './delivery-transport.js';

/** Pause before each of the ten attempts, counted from the end of the previous one; milliseconds (docs/events.md). */
export const PAUSES_MS: readonly number[] = [
  0,
  5_000,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
];

/** Each pause is lengthened or shortened by up to this share, so that deliveries that failed together drift apart. */
const JITTER = 0.2;

/** A receiver's `Retry-After` may lengthen a pause up to this; it never shortens one. */
const RETRY_AFTER_LIMIT_MS = DAY_MS;

export type Verdict =
  | { kind: 'delivered' }
  | { kind: 'retry'; at: number }
  | { kind: 'dead'; reason: 'gone' | 'attempts_exhausted' };

/**
 * Judges an attempt. 2xx is a success; 410 ends the delivery and, for the caller, the subscription; everything else is retried until the
 * schedule ends.
 * @param made attempts so far, including this one, since the delivery or its replay began.
 * @param now end of the attempt, Unix milliseconds.
 * @param random a number in [0, 1).
 */
export function judge(result: AttemptResult, made: number, now: number, random: () => number): Verdict {
  const { status } = result;
  if (status !== null && status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'dead', reason: 'gone' };
  const pause = PAUSES_MS[made];
  if (pause === undefined) return { kind: 'dead', reason: 'attempts_exhausted' };
  const jittered = Math.round(pause * (1 - JITTER + 2 * JITTER * random()));
  const requestedMs = status === 429 || status === 503 ? retryAfterMs(result.retryAfter, now) : 0;
  return { kind: 'retry', at: now + Math.max(jittered, Math.min(requestedMs, RETRY_AFTER_LIMIT_MS)) };
}

/** `Retry-After` as a pause in milliseconds, 0 if absent, invalid or past (RFC 9110, section 10.2.3). */
export function retryAfterMs(header: string | null, now: number): number {
  if (header === null) return 0;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1_000;
  // Date.parse also accepts bare numbers and ISO dates, which the header doesn't allow.
  const date = /^[A-Z][a-z]{2,8}, /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}
