import type { Counters } from '../../../storage/shared/counters.js';
import { accessFailure } from '../access.errors.js';

const FAILURES_A_MINUTE = 10;

/** Slows down guessing: after ten failed sign-ins for an e-mail within a wall-clock minute, none is tried until it is over. */
export class SignInThrottle {
  constructor(private readonly counters: Counters) {}

  /** Fails with `too_many_attempts`. */
  async check(email: string): Promise<void> {
    if ((await this.counters.read(key(email))) >= FAILURES_A_MINUTE) throw accessFailure('too_many_attempts');
  }

  async fail(email: string): Promise<void> {
    await this.counters.increment(key(email));
  }
}

const key = (email: string): string => `sign-in:${email}`;
