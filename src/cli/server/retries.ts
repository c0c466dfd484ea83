import { setTimeout as sleep } from 'node:timers/promises';
import { LONGEST_WAIT_S, Refused, Unreachable } from './server-failures.js';

const PAUSES_S = [1, 2, 4, 8, 16, 30];
const MAY_PASS = new Set([408, 425, 429]);

/**
 * Whether a retry may succeed: after a failed connection, a 5xx, or a 4xx that says so; never for an unreadable file.
 */
function mayPass(error: unknown): boolean {
  return (
    error instanceof Unreachable || (error instanceof Refused && (error.status >= 500 || MAY_PASS.has(error.status)))
  );
}

/**
 * Retries with growing pauses while the failure may be temporary, never earlier than the server asks.
 *
 * @param notice called with the reason and when the next attempt starts, or why there is none
 * @param most retries: six within a minute unless given or the server asks for longer pauses
 * @throws the error of the last attempt
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
        notice(`${(error as Error).message}; giving up, since the wait would exceed ${LONGEST_WAIT_S} s`);
        throw error;
      }
      notice(`${(error as Error).message}; retrying in ${pause} s`);
      await sleep(pause * 1000);
    }
  }
}
