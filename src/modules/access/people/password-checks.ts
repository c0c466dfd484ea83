import type { HashingLane } from './hashing-lane.js';
import { hashPassword, matchPassword } from './passwords.js';
import type { Attempt, SignInThrottle } from './sign-in-throttle.js';

/** Every password of this process is tried and hashed here: within the limits for guesses, and a few at a time. */
export class PasswordChecks {
  constructor(
    private readonly lane: HashingLane,
    private readonly throttle: SignInThrottle,
  ) {}

  /**
   * Which of the hashes, those of the person's accounts, the password belongs to. A password that misses one of them counts as a
   * failed attempt even where it opens another: otherwise whoever has made one of the accounts could guess at the others with it.
   * Fails with `too_many_attempts`, `too_busy`.
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

  /** The hash to keep of a new password. Fails with `too_busy`. */
  hash(network: string | null, password: string, salt: string): Promise<string> {
    return this.lane.run(network, () => hashPassword(password, salt));
  }
}
