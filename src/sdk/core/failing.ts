import { FIRST_PAUSE_MS, LONGEST_PAUSE_MS } from './limits.js';
import { inWords } from './plain-json.js';
import type { HttpRequest, Platform } from './platform.js';

/**
 * Time for a request: 15 s plus what its body needs at 64 kbit/s. A limit no attempt can meet would block the queue.
 */
export const requestMs = (body?: HttpRequest['body']): number => 15_000 + (body?.length ?? 0) / 8;

/** Reads `Retry-After` as seconds or an HTTP date; not above 0 for anything else. */
const asked = (header: string | null | undefined, now: number): number =>
  Number(header) * 1_000 || Date.parse(header ?? '') - now || 0;

/** Pause before the next attempt: 1 s, doubling up to 5 min, with 20 % jitter, and at least `Retry-After`. */
export function pauseAfter(failures: number, platform: Platform, retryAfter?: string | null): number {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
  return Math.max(pause * (0.8 + platform.random() * 0.4), asked(retryAfter, platform.now()));
}

/** Adds jitter, so that clients that started together spread out and none retries before the server allows. */
export const spread = (milliseconds: number, platform: Platform): number =>
  milliseconds * (1 + platform.random() * 0.2);

interface Guard {
  (task: () => void): void;
  <T>(task: () => T, otherwise: T): T;
}

/** Runs code whose errors must not reach the host application; each error is logged as a warning, which platforms do not repeat. */
export function guardOf(platform: Platform): Guard {
  return <T>(task: () => T, otherwise?: T) => {
    try {
      return task();
    } catch (error) {
      platform.warn(`Quarterdeck: ${inWords(error)}`);
      return otherwise as T;
    }
  };
}
