import { bodyFailure } from '../../../../kernel/bodies/body-failures.js';
import { FairTurns } from '../../../../kernel/threads/fair-turns.js';
import { TenantThreads } from '../../../../kernel/threads/tenant-threads.js';
import { ThreadFailure } from '../../../../kernel/threads/thread-failure.js';
import { catchFailure } from '../../catch.errors.js';
import { type CrashBatch, type CrashReading, readCrashBatch } from './crash-batch.js';

/** Larger bodies are read in a thread, one at a time until it is stored: they take more time and memory than others should give. */
const READ_AT_ONCE_BYTES = 256 * 1024;
/** Each of them holds its body in memory; with no more of them there is room for those of other routes. */
const MOST_WAITING = 2;
/** Processor time for a body of 32 MiB, several times over. */
const READING_MS = 5_000;

/** Reads bodies of crash events. */
export class CrashReader {
  private readonly thread = new TenantThreads<Uint8Array, CrashReading>({
    file: new URL('./crash-reading-thread.js', import.meta.url),
    threads: 1,
    heapMegabytes: 192,
    room: 1,
    longestWaitMs: 5_000,
    idleMs: 1_000,
  });
  private readonly turns = new FairTurns(MOST_WAITING, 5_000, () => bodyFailure('bodies_exhausted'));

  /**
   * Stores the events of a body, which is the reader's from now on. Fails with `invalid_events`, with `payload_too_large` for a body of
   * too many values, and with `bodies_exhausted` when too many are waiting.
   */
  async read<T>(projectId: string, bytes: Buffer, store: (batch: CrashBatch) => Promise<T>): Promise<T> {
    if (bytes.length <= READ_AT_ONCE_BYTES) return store(batchOf(readCrashBatch(bytes)));
    return this.turns.take(projectId, async () => {
      return store(batchOf(await this.readInThread(projectId, bytes)));
    });
  }

  close(): Promise<void> {
    return this.thread.close();
  }

  private async readInThread(projectId: string, bytes: Buffer): Promise<CrashReading> {
    try {
      return await this.thread.run(projectId, bytes, [READING_MS], ownMemory(bytes));
    } catch (error) {
      if (!(error instanceof ThreadFailure)) throw error;
      const isTooMuch = error.reason === 'time' || error.reason === 'memory';
      throw Object.assign(bodyFailure(isTooMuch ? 'payload_too_large' : 'bodies_exhausted'), { cause: error });
    }
  }
}

/** The memory of a buffer that has all of it, to be handed over instead of copied. */
const ownMemory = ({ buffer, byteLength }: Buffer): ArrayBuffer[] =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];

function batchOf(reading: CrashReading): CrashBatch {
  if (reading === 'invalid_events') throw catchFailure(reading);
  if (reading === 'payload_too_large') throw bodyFailure(reading);
  return reading;
}
