import type { Counters } from '../../../storage/shared/counters.js';
import { accessFailure } from '../access.errors.js';

/** Whose password is tried, and the network that it is tried from; null for the server itself. */
export interface Attempt {
  email: string;
  network: string | null;
}

const BY_EMAIL_AND_NETWORK = 10;
const BY_EMAIL = 100;
const BY_NETWORK = 30;

/**
 * Slows down guessing: after a number of wrong passwords within a wall-clock minute none is tried until it is over. Guesses from elsewhere
 * count against the limit by e-mail alone, which is higher, so that a few of them do not lock the owner out.
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

/** The counters of an attempt, and how far each may go. A network has no space in it, so no e-mail can look like a pair. */
const limitsOf = ({ email, network }: Attempt): [name: string, most: number][] => [
  [`sign-in:pair:${network} ${email}`, BY_EMAIL_AND_NETWORK],
  [`sign-in:email:${email}`, BY_EMAIL],
  [`sign-in:network:${network}`, BY_NETWORK],
];
