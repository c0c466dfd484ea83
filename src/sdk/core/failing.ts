import { inWords } from './plain-json.js';
import type { HttpRequest, Platform } from './platform.js';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;

/** What a request has: 15 s, and what its body needs on a line of 64 kbit/s. A limit that no try can keep would hold up all that waits. */
export const requestMs = (body?: HttpRequest['body']): number => 15_000 + (body?.length ?? 0) / 8;

/** Seconds or a date, as HTTP writes it; 0 for anything else. */
const asked = (header: string | null | undefined, now: number): number => {
  if (!header) return 0;
  const seconds = Number(header);
  return Number.isNaN(seconds) ? Math.max(0, Date.parse(header) - now || 0) : seconds * 1_000;
};

/** How long to wait before the next try: 1 s, doubled to 5 min, a fifth more or less, and no less than `Retry-After` asks for. */
export function pauseAfter(failures: number, platform: Platform, retryAfter?: string | null): number {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
  return Math.max(pause * (0.8 + platform.random() * 0.4), asked(retryAfter, platform.now()));
}

/** Somewhat later than that, each time another while: who began together does not ask together, and nobody asks sooner than the server said. */
export const spread = (milliseconds: number, platform: Platform): number =>
  milliseconds * (1 + platform.random() * 0.2);

interface Guard {
  (task: () => void): void;
  <T>(task: () => T, otherwise: T): T;
}

/** Runs what a library must never let reach its host; the first of each kind of trouble is told to the developer. */
export function guardOf(platform: Platform): Guard {
  const told = new Set<string>();
  return <T>(task: () => T, otherwise?: T) => {
    try {
      return task();
    } catch (error) {
      const message = `Quarterdeck: ${inWords(error)}`;
      if (!told.has(message)) platform.warn(message);
      told.add(message);
      return otherwise as T;
    }
  };
}
