const MEBIBYTE = 1024 * 1024;

/** Without a byte moved for that long, a backup or a restore is given up. */
const STALL_MS = 300_000;

export interface ProgressOptions {
  /** Takes what is being done, in words, after every chunk of bytes. */
  show?: (line: string) => void;
  /** Milliseconds without a byte moved after which the work is given up. */
  stallMs?: number;
  /** The time in milliseconds. */
  now?: () => number;
}

/** What a backup or a restore is doing: shown to the operator, and given up with a sentence when nothing moves any more. */
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

  /** Aborts what still moves bytes once the work was given up. */
  get signal(): AbortSignal {
    return this.stalled.signal;
  }

  /** Says what is done from now on, as in `copying the table public.event`. */
  begin(doing: string): void {
    this.doing = doing;
    this.bytes = 0;
    this.moved(0);
  }

  /** Reports that this many bytes were read or written. */
  moved(bytes: number): void {
    this.bytes += bytes;
    this.movedAt = this.now();
    this.show(this.toString());
  }

  /** What is being done and how far it is. */
  toString(): string {
    return this.bytes < MEBIBYTE ? this.doing : `${this.doing} (${Math.round(this.bytes / MEBIBYTE)} MiB so far)`;
  }

  /** Settles as `work` does, but rejects with a sentence when nothing moves for too long. */
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
        `nothing moved for ${Math.round(this.stallMs / 1000)} s; see that the database, the object store and the disk answer`,
      ),
    );
  }
}
