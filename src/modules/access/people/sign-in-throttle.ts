import type { Counters } from '../../../storage/shared/counters.js';
import { accessFailure } from '../access.errors.js';

/** The account being tried, and the network it is tried from; null for the server itself. */
export interface Attempt {
  email: string;
  network: string | null;
}

const BY_EMAIL_AND_NETWORK = 10;
const BY_EMAIL = 100;
const BY_NETWORK = 30;

/**
 * Slows down guessing: after a number of wrong passwords within a wall-clock minute, no more are tried until it is over. Guesses from other
 * networks count only against the per-email limit, which is higher, so that a few of them don't lock the owner out.
 */
export class SignInThrottle {
  constructor(private readonly counters: Counters) {}

  /** Fails with `too_many_attempts`. */
  async check(attempt: Attempt): Promise<void> {
    const limits = limitsOf(attempt);
    const counts = await Promise.all(limits.map(([name]) => this.counters.read(name)));
    if (limits.some(([, most], i) => (counts[i] as number) >= most)) throw accessFailure('too_many_attempts');
  }

  async fail(attempt: Attempt): Promise<void> {
    await Promise.all(limitsOf(attempt).map(([name]) => this.counters.increment(name)));
  }
}

/** The counters of an attempt, and their limits. A network contains no space, so no email can look like a pair. */
const limitsOf = ({ email, network }: Attempt): [name: string, most: number][] => [
  [`sign-in:pair:${network} ${email}`, BY_EMAIL_AND_NETWORK],
  [`sign-in:email:${email}`, BY_EMAIL],
  [`sign-in:network:${network}`, BY_NETWORK],
];
