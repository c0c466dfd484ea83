const MEBIBYTE = 1024 * 1024;

/** A backup or restore is aborted after this long without progress. */
const STALL_MS = 300_000;

export interface ProgressOptions {
  /** Called with a description of the current step after every chunk. */
  show?: (line: string) => void;
  /** Milliseconds without progress after which the work is aborted. */
  stallMs?: number;
  /** The time in milliseconds. */
  now?: () => number;
}

/** Progress of a backup or restore: shown to the operator, and aborted with an explanation when it stalls. */
export class Progress {
  private readonly show: (line: string) => void;
  private readonly stallMs: number;
  private readonly now: () => number;
  private readonly stalled = new AbortController();
  private readonly failure: Promise<never>;
  private doing = 'beginning';
  private bytes = 0;
  private movedAt = 0;

  constructor({ show = () => {}, stallMs = STALL_MS, now = () => performance.now() }: ProgressOptions = {}) {
    this.show = show;
    this.stallMs = stallMs;
    this.now = now;
    this.failure = new Promise((_resolve, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason));
    });
    this.failure.catch(() => {});
  }

  /** Stops transfers once the work is aborted. */
  get signal(): AbortSignal {
    return this.stalled.signal;
  }

  /** Sets the current step, for example `copying the table public.event`. */
  begin(doing: string): void {
    this.doing = doing;
    this.bytes = 0;
    this.moved(0);
  }

  /** Reports bytes read or written. */
  moved(bytes: number): void {
    this.bytes += bytes;
    this.movedAt = this.now();
    this.show(this.toString());
  }

  toString(): string {
    return this.bytes < MEBIBYTE ? this.doing : `${this.doing} (${Math.round(this.bytes / MEBIBYTE)} MiB so far)`;
  }

  /** Settles like `work`, but rejects with an explanation when it stalls. */
  async within<T>(work: Promise<T>): Promise<T> {
    this.movedAt = this.now();
    const timer = setInterval(() => this.giveUpWhenStalled(), this.stallMs / 10);
    try {
      return await Promise.race([work, this.failure]);
    } finally {
      clearInterval(timer);
    }
  }

  private giveUpWhenStalled(): void {
    if (this.now() - this.movedAt < this.stallMs) return;
    this.stalled.abort(
      new Error(
        `no progress for ${Math.round(this.stallMs / 1000)} s; check that the database, the object store and the disk respond`,
      ),
    );
  }
}
