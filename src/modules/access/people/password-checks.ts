import type { HashingLane } from './hashing-lane.js';
import { hashPassword, verifyPassword } from './passwords.js';
import type { Attempt, SignInThrottle } from './sign-in-throttle.js';

/** Every password of this process is tried and hashed here: within the limits for guesses, and a few at a time. */
export class PasswordChecks {
  constructor(
    private readonly lane: HashingLane,
    private readonly throttle: SignInThrottle,
  ) {}

  /**
   * Whether the password belongs to the hash; takes as long when there is none. A wrong one counts as a failed attempt.
   * Fails with `too_many_attempts`, `too_busy`.
   */
  async verify(attempt: Attempt, password: string, hash: string | null): Promise<boolean> {
    await this.throttle.check(attempt);
    return this.lane.run(attempt.network, async () => {
      // Others have failed while this one waited.
      await this.throttle.check(attempt);
      const right = await verifyPassword(password, hash);
      if (!right) await this.throttle.fail(attempt);
      return right;
    });
  }

  /** The hash to keep of a new password. Fails with `too_busy`. */
  hash(network: string | null, password: string): Promise<string> {
    return this.lane.run(network, () => hashPassword(password));
  }
}
