import { accessFailure } from '../access.errors.js';

/** Hashing takes one of libuv's four threads, which file access needs as well, and 32 MiB. */
const AT_ONCE = 2;
const MOST_WAITING = 16;
const MOST_OF_ONE_PLACE = 8;

/**
 * Lets two password hashes of this process run at once; a few more wait their turn, at most half of them from one place (an address or
 * network). Work of the server itself has no place, and always waits.
 */
export class HashingLane {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  private readonly shares = new Map<string, number>();

  /** Runs the work when its turn comes. Fails immediately with `too_busy`. */
  async run<T>(place: string | null, work: () => Promise<T>): Promise<T> {
    if (place === null) return this.inTurn(work);
    const share = this.shares.get(place) ?? 0;
    if (share >= MOST_OF_ONE_PLACE || this.waiting.length >= MOST_WAITING) throw accessFailure('too_busy');
    this.shares.set(place, share + 1);
    try {
      return await this.inTurn(work);
    } finally {
      const left = (this.shares.get(place) ?? 1) - 1;
      if (left > 0) this.shares.set(place, left);
      else this.shares.delete(place);
    }
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < AT_ONCE) this.running += 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The free slot is handed on, so that new callers can't overtake those who wait.
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}
