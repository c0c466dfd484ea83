/** A stream ends at the latest this long after what allowed it, whether this process was told or not. */
const LOOK_MS = 2_500;

/** Whether a stream may go on; what fails to be found out is asked again. */
type MayGoOn = () => Promise<boolean>;

/** Asks again and again whether open subscriptions may go on: their token, its user, their role. */
export class TokenGuard {
  private readonly guarded = new Map<MayGoOn, () => void>();
  private timer: NodeJS.Timeout | null = null;
  private looking = false;
  private again = false;

  /** Calls `end` when it may not go on; the returned function stops asking. */
  guard(mayGoOn: MayGoOn, end: () => void): () => void {
    this.guarded.set(mayGoOn, end);
    this.timer ??= setInterval(() => void this.look(), LOOK_MS).unref();
    return () => {
      this.guarded.delete(mayGoOn);
      if (this.guarded.size === 0) this.close();
    };
  }

  /** Asks for all of them now. */
  async look(): Promise<void> {
    this.again = true;
    if (this.looking) return;
    this.looking = true;
    while (this.again) {
      this.again = false;
      await Promise.all(
        [...this.guarded].map(async ([mayGoOn, end]) => {
          if (!(await mayGoOn().catch(() => true)) && this.guarded.has(mayGoOn)) end();
        }),
      );
    }
    this.looking = false;
  }

  close(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }
}
