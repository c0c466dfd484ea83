import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than any machine needs: if this runs out, something hangs. */
const LONGEST_MS = 120_000;
const PAUSE_MS = 25;

/** Waits for something that happens soon and returns it: the first result that is neither nothing nor false. */
export async function until<T>(
  what: string,
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  longestMs = LONGEST_MS,
): Promise<T> {
  const end = Date.now() + longestMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`not within ${longestMs / 1000} s: ${what}`);
    await sleep(PAUSE_MS);
  }
}
