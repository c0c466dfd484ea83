import type { HashingLane } from './hashing-lane.js';
import { hashPassword, matchPassword } from './passwords.js';
import type { Attempt, SignInThrottle } from './sign-in-throttle.js';

/** Every password of this process is checked and hashed here: within the limits for guesses, and a few at a time. */
export class PasswordChecks {
  constructor(
    private readonly lane: HashingLane,
    private readonly throttle: SignInThrottle,
  ) {}

  /**
   * Which of the person's account hashes the password belongs to. A password that misses one of them counts as a failed attempt even if it
   * opens another: otherwise the creator of one of the accounts could use it to guess at the others. Fails with `too_many_attempts`,
   * `too_busy`.
   */
  async match(attempt: Attempt, password: string, hashes: readonly string[]): Promise<boolean[]> {
    await this.throttle.check(attempt);
    return this.lane.run(attempt.network, async () => {
      // Others have failed while this one waited.
      await this.throttle.check(attempt);
      const matches = await matchPassword(password, hashes);
      if (matches.length === 0 || matches.includes(false)) await this.throttle.fail(attempt);
      return matches;
    });
  }

  /** The hash of a new password. Fails with `too_busy`. */
  hash(network: string | null, password: string, salt: string): Promise<string> {
    return this.lane.run(network, () => hashPassword(password, salt));
  }
}
