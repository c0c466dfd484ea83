/** A timer of which one is set at a time, and which doesn't keep the process alive. */
export class SingleTimer {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly run: () => void) {}

  /** Runs once, after this time, unless it is set already. */
  in(milliseconds: number): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.run();
    }, milliseconds).unref();
  }

  /** Runs again and again, unless it is set already. */
  every(milliseconds: number): void {
    this.timer ??= setInterval(this.run, milliseconds).unref();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
