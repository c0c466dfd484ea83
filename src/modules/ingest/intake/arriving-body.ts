import { setTimeout as pause } from 'node:timers/promises';
import { ByteSpool } from './byte-spool.js';

/** How long a transaction waits for a client's bytes, all waiting together. */
const PATIENCE_MS = 2_000;

/** A client that sends more slowly than a transaction may wait for it. */
export class SlowBody extends Error {
  constructor() {
    super('the body comes more slowly than a transaction may wait for it');
  }
}

/** A large body, which can be read while it comes and, kept in a file, once more from its beginning. */
export class ArrivingBody {
  private readonly chunks: AsyncIterator<Buffer>;
  private readonly kept = new ByteSpool();
  private asked: Promise<Buffer | null> | null = null;
  private patienceMs = PATIENCE_MS;

  constructor(source: AsyncIterable<Buffer>) {
    this.chunks = source[Symbol.asyncIterator]();
  }

  /** The body while it comes; a chunk is gone when the next one is asked for. Fails with {@link SlowBody} when the client is slow. */
  async *asItComes(): AsyncGenerator<Buffer> {
    for (let chunk = await this.soon(); chunk; chunk = await this.soon()) {
      await this.keep(chunk);
      yield chunk;
    }
  }

  /** Waits until all of it is there, however slow the client is. */
  async arrival(): Promise<void> {
    for (let chunk = await this.chunk(); chunk; chunk = await this.chunk()) await this.keep(chunk);
  }

  /** What has come, from the beginning; a chunk is overwritten when the next one is asked for. */
  again(): AsyncGenerator<Buffer> {
    return this.kept.read({ from: 0, to: this.kept.length });
  }

  async close(): Promise<void> {
    await this.kept.clear();
    await this.chunks.return?.();
  }

  private async keep(chunk: Buffer): Promise<void> {
    this.kept.add(chunk);
    await this.kept.settle();
  }

  private async soon(): Promise<Buffer | null> {
    const begun = performance.now();
    const over = new AbortController();
    const late = pause(this.patienceMs, true, { signal: over.signal }).catch(() => true);
    const isLate = await Promise.race([this.coming().then(() => false), late]).finally(() => over.abort());
    if (isLate) throw new SlowBody();
    this.patienceMs = Math.max(0, this.patienceMs - (performance.now() - begun));
    return this.chunk();
  }

  private async chunk(): Promise<Buffer | null> {
    const chunk = await this.coming();
    this.asked = null;
    return chunk;
  }

  /** The next chunk, null at the end; the same until somebody has taken it. */
  private coming(): Promise<Buffer | null> {
    this.asked ??= this.chunks.next().then(({ value, done }) => (done ? null : value));
    return this.asked;
  }
}
