import { memoryStore } from '../../src/sdk/core/key-value-store.js';
import type { EventHandlers, HttpAnswer, HttpRequest, OpenEvents, Platform } from '../../src/sdk/core/platform.js';

/** A platform whose time and clock the test controls; timers ignore the clock. */
export abstract class MovedPlatform implements Platform {
  readonly store = memoryStore();
  readonly warnings: string[] = [];
  private clock = Date.parse('2026-06-01T12:00:00.000Z');
  private passed = 0;
  private timers: { readonly due: number; readonly task: () => void }[] = [];
  private uuids = 0;

  abstract request(url: string, request: HttpRequest): Promise<HttpAnswer>;

  now(): number {
    return this.clock + this.passed;
  }

  random(): number {
    return 0.5;
  }

  uuid(): string {
    this.uuids += 1;
    return `uuid-${this.uuids}`;
  }

  openEvents(_url: string, _names: readonly string[], _handlers: EventHandlers): OpenEvents | null {
    return null;
  }

  async gzip(): Promise<null> {
    return null;
  }

  later(milliseconds: number, task: () => void): () => void {
    const timer = { due: this.passed + milliseconds, task };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((one) => one !== timer);
    };
  }

  warn(message: string): void {
    this.warnings.push(message);
  }

  /** Sets the clock without any time passing. */
  setClock(by: number): void {
    this.clock += by;
  }

  /** Lets time pass and runs what becomes due. */
  async pass(milliseconds: number): Promise<void> {
    this.passed += milliseconds;
    const due = this.timers.filter((timer) => timer.due <= this.passed);
    this.timers = this.timers.filter((timer) => timer.due > this.passed);
    for (const { task } of due) task();
    await new Promise(setImmediate);
  }
}
