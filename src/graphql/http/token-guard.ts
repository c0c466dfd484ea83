import { SingleTimer } from '../../kernel/turns/single-timer.js';

/** A stream ends at most this long after its permission does, whether or not this process was notified. */
const RECHECK_MS = 2_500;

/** Whether a stream may continue; if the check fails to run, it is retried. */
type MayContinue = () => Promise<boolean>;

/** Rechecks periodically whether open subscriptions may continue: their token, its user, the user's role. */
export class TokenGuard {
  private readonly guarded = new Map<MayContinue, () => void>();
  private readonly timer = new SingleTimer(() => void this.recheck());
  private rechecking = false;
  private again = false;

  /** Calls `end` once the stream may no longer continue; the returned function stops checking. */
  guard(mayContinue: MayContinue, end: () => void): () => void {
    this.guarded.set(mayContinue, end);
    this.timer.every(RECHECK_MS);
    return () => {
      this.guarded.delete(mayContinue);
      if (this.guarded.size === 0) this.close();
    };
  }

  async recheck(): Promise<void> {
    this.again = true;
    if (this.rechecking) return;
    this.rechecking = true;
    while (this.again) {
      this.again = false;
      await Promise.all(
        [...this.guarded].map(async ([mayGoOn, end]) => {
          if (!(await mayGoOn().catch(() => true)) && this.guarded.has(mayGoOn)) end();
        }),
      );
    }
    this.rechecking = false;
  }

  close(): void {
    this.timer.stop();
  }
}
