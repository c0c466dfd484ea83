import { setTimeout as sleep } from 'node:timers/promises';
import { LONGEST_WAIT_S, Refused, Unreachable } from './server-failures.js';

const PAUSES_S = [1, 2, 4, 8, 16, 30];
const MAY_PASS = new Set([408, 425, 429]);

/** Whether the same request may succeed later: connections that failed, 5xx, and the few 4xx that say so. Unreadable files are none of it. */
function mayPass(error: unknown): boolean {
  return (
    error instanceof Unreachable || (error instanceof Refused && (error.status >= 500 || MAY_PASS.has(error.status)))
  );
}

/**
 * Does it again, with growing pauses, while it fails in a way that may pass; never before the server asks for it.
 *
 * @param notice called with why, and when it goes on or why it does not
 * @param most attempts after the first, six and a minute in all unless given or the server asks for more
 * @throws what the last attempt threw
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  notice: (line: string) => void,
  most = PAUSES_S.length,
): Promise<T> {
  let waited = 0;
  for (let retry = 0; ; retry++) {
    try {
      return await attempt();
    } catch (error) {
      const usual = PAUSES_S[retry];
      if (usual === undefined || retry >= most || !mayPass(error)) throw error;
      const pause = Math.max(usual, error instanceof Refused ? error.pauseS : 0);
      waited += pause;
      if (waited > LONGEST_WAIT_S) {
        notice(`${(error as Error).message}; this waits for ${LONGEST_WAIT_S} s at most`);
        throw error;
      }
      notice(`${(error as Error).message}; trying again in ${pause} s`);
      await sleep(pause * 1000);
    }
  }
}
