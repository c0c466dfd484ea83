import { bodyFailure } from '../../../../kernel/bodies/body-failures.js';
import { SupervisedThread } from '../../../../kernel/threads/supervised-thread.js';
import { ThreadFailure } from '../../../../kernel/threads/thread-failure.js';
import { FairTurns } from '../../../../kernel/turns/fair-turns.js';
import { SingleTimer } from '../../../../kernel/turns/single-timer.js';
import { catchFailure } from '../../catch.errors.js';
import type { CrashReadingStep, CrashReadingTask } from './crash-reading-thread.js';
import { type CrashCounts, type CrashOutcome, crashSlices } from './crash-slices.js';

/**
 * Larger bodies are read in a thread, one at a time until it is stored, because they take more time and memory than other requests can
 * spare.
 */
const READ_AT_ONCE_BYTES = 256 * 1024;
/** Each holds its body in memory; this limit leaves room for other routes' bodies. */
const MOST_WAITING = 2;
/** Several times the processor time for a body of 32 MiB. */
const READING_MS = 5_000;
/** One event of 32 MiB of text fits; with very many additional values, it is too large. */
const HEAP_MEGABYTES = 96;
/** An idle thread ends after this time and frees its memory. */
const IDLE_MS = 1_000;

const THREAD_FILE = new URL('./crash-reading-thread.js', import.meta.url);

/** The slices of one body: from the start, repeatedly if needed, and on from there. */
interface SliceSource {
  begin(): CrashReadingStep | Promise<CrashReadingStep>;
  next(): CrashReadingStep | Promise<CrashReadingStep>;
}

export class CrashReader {
  private readonly turns = new FairTurns({
    places: 1,
    room: MOST_WAITING,
    longestWaitMs: 5_000,
    failure: () => bodyFailure('bodies_exhausted'),
  });
  private thread: SupervisedThread<CrashReadingTask, CrashReadingStep> | null = null;
  private readonly idle = new SingleTimer(() => void this.endThread());

  /**
   * Reads a body, which is handed over to the reader, and has its events stored: `slices` are JSON texts of arrays of `CrashRow`s and can
   * be iterated again. `store` isn't called for a body without a storable event. Fails with `invalid_events`, with `payload_too_large` for
   * an event of too many values, and with `bodies_exhausted` if too many bodies are waiting; `store` then fails too if it is running.
   */
  async read(
    projectId: string,
    bytes: Buffer,
    store: (slices: AsyncIterable<string>) => Promise<void>,
  ): Promise<CrashCounts> {
    if (bytes.length <= READ_AT_ONCE_BYTES) return storeAll(readHere(bytes), store);
    return this.turns.take(projectId, () => this.readInThread(bytes, store));
  }

  /** Rejects the waiting bodies and ends the thread. */
  async close(): Promise<void> {
    this.turns.refuseAll(bodyFailure('bodies_exhausted'));
    await this.endThread();
  }

  private async readInThread(
    bytes: Buffer,
    store: (slices: AsyncIterable<string>) => Promise<void>,
  ): Promise<CrashCounts> {
    this.idle.stop();
    if (!this.thread?.isAlive) this.thread = new SupervisedThread(THREAD_FILE, HEAP_MEGABYTES);
    try {
      return await storeAll(readBy(this.thread, bytes), store);
    } catch (error) {
      if (!(error instanceof ThreadFailure)) throw error;
      await this.endThread();
      const isTooMuch = error.reason === 'time' || error.reason === 'memory';
      throw Object.assign(bodyFailure(isTooMuch ? 'payload_too_large' : 'bodies_exhausted'), { cause: error });
    } finally {
      this.idle.in(IDLE_MS);
    }
  }

  private async endThread(): Promise<void> {
    this.idle.stop();
    const { thread } = this;
    this.thread = null;
    await thread?.end();
  }
}

async function storeAll(
  source: SliceSource,
  store: (slices: AsyncIterable<string>) => Promise<void>,
): Promise<CrashCounts> {
  let first: CrashReadingStep | null = await source.begin();
  if (first.done) return countsOf(first.value);
  let counts: CrashCounts | undefined;
  await store({
    async *[Symbol.asyncIterator]() {
      let step = first ?? (await source.begin());
      for (first = null; !step.done; step = await source.next()) yield step.value;
      counts = countsOf(step.value);
    },
  });
  if (!counts) throw new Error('not all slices of a body were stored');
  return counts;
}

function readHere(bytes: Buffer): SliceSource {
  let slices = crashSlices(bytes);
  return {
    begin: () => {
      slices = crashSlices(bytes);
      return slices.next();
    },
    next: () => slices.next(),
  };
}

function readBy(thread: SupervisedThread<CrashReadingTask, CrashReadingStep>, bytes: Buffer): SliceSource {
  let isThere = false;
  return {
    begin: () => {
      if (isThere) return thread.run('begin', [READING_MS]);
      isThere = true;
      return thread.run({ body: bytes }, [READING_MS], ownMemory(bytes));
    },
    next: () => thread.run('continue', [READING_MS]),
  };
}

/** The memory of a buffer that covers all of it, so that it can be transferred instead of copied. */
const ownMemory = ({ buffer, byteLength }: Buffer): ArrayBuffer[] =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];

function countsOf(outcome: CrashOutcome): CrashCounts {
  if (outcome === 'invalid_events') throw catchFailure(outcome);
  if (outcome === 'payload_too_large') throw bodyFailure(outcome);
  return outcome;
}
