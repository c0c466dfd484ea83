import { setTimeout as pause } from 'node:timers/promises';
import { ByteSpool } from './byte-spool.js';

/** A client is fast if its body, or this much of it, arrives within this time. */
const LOOK = { ms: 250, bytes: 4 * 1024 * 1024 };
/** How long a transaction waits for a client's bytes, in total. */
const PATIENCE_MS = 2_000;

/** A client that sends more slowly than a transaction may wait. */
export class SlowBody extends Error {
  constructor() {
    super('the body arrives more slowly than a transaction may wait');
  }
}

/** A large body that can be read while it arrives and, kept in a file, once more from the start. */
export class ArrivingBody {
  private readonly chunks: AsyncIterator<Buffer>;
  private readonly kept = new ByteSpool();
  private next: Promise<Buffer | null> | null = null;
  private patienceMs = PATIENCE_MS;

  constructor(source: AsyncIterable<Buffer>) {
    this.chunks = source[Symbol.asyncIterator]();
  }

  /** Takes what arrives within a moment; returns false if the rest would have to be waited for. */
  async comesQuickly(): Promise<boolean> {
    const until = performance.now() + LOOK.ms;
    while (this.kept.length < LOOK.bytes) {
      if (!(await this.isThereIn(until - performance.now()))) return false;
      const chunk = await this.chunk();
      if (!chunk) return true;
      await this.keep(chunk);
    }
    return true;
  }

  /** Waits until all of it has arrived, or enough of it, however slow the client is. */
  async arrival(isEnough: (chunk: Buffer) => boolean): Promise<void> {
    for await (const chunk of this.kept.read({ from: 0, to: this.kept.length })) if (isEnough(chunk)) return;
    for (let chunk = await this.chunk(); chunk; chunk = await this.chunk()) {
      await this.keep(chunk);
      if (isEnough(chunk)) return;
    }
  }

  /** The body from the start; a chunk is invalid once the next one is requested. Fails with {@link SlowBody} if the client is slow. */
  async *bytes(): AsyncGenerator<Buffer> {
    yield* this.kept.read({ from: 0, to: this.kept.length });
    for (let chunk = await this.soon(); chunk; chunk = await this.soon()) {
      const kept = this.keep(chunk);
      // The reader is busy meanwhile, and learns afterwards what went wrong.
      kept.catch(() => undefined);
      try {
        yield chunk;
      } finally {
        await kept;
      }
    }
  }

  async close(): Promise<void> {
    await this.kept.clear();
    const ended = this.chunks.return?.();
    // While a chunk is awaited, that ends only with the connection.
    if (this.next === null) await ended;
    else ended?.catch(() => undefined);
  }

  private async keep(chunk: Buffer): Promise<void> {
    this.kept.add(chunk);
    await this.kept.settle();
  }

  private async soon(): Promise<Buffer | null> {
    const startedAt = performance.now();
    if (!(await this.isThereIn(this.patienceMs))) throw new SlowBody();
    this.patienceMs = Math.max(0, this.patienceMs - (performance.now() - startedAt));
    return this.chunk();
  }

  private async isThereIn(ms: number): Promise<boolean> {
    const over = new AbortController();
    const late = pause(Math.max(0, ms), false, { signal: over.signal }).catch(() => false);
    return await Promise.race([this.coming().then(() => true), late]).finally(() => over.abort());
  }

  private async chunk(): Promise<Buffer | null> {
    const chunk = await this.coming();
    this.next = null;
    return chunk;
  }

  /** The next chunk, null at the end and after it; the same one until it has been taken. */
  private coming(): Promise<Buffer | null> {
    this.next ??= this.chunks.next().then(({ value, done }) => (done ? null : value));
    return this.next;
  }
}
