import { bodyFailure } from '../../../../kernel/bodies/body-failures.js';
import { TenantThreads } from '../../../../kernel/threads/tenant-threads.js';
import { ThreadFailure } from '../../../../kernel/threads/thread-failure.js';
import { catchFailure } from '../../catch.errors.js';
import { type CrashBatch, type CrashReading, readCrashBatch } from './crash-batch.js';

/** Larger bodies are read in a thread: what they take is more than others should wait for. */
const READ_AT_ONCE_BYTES = 256 * 1024;
/** Processor time for a body of 32 MiB, several times over. */
const READING_MS = 5_000;

/** Reads bodies of crash events. */
export class CrashReader {
  private readonly thread = new TenantThreads<Uint8Array, CrashReading>({
    file: new URL('./crash-reading-thread.js', import.meta.url),
    threads: 1,
    heapMegabytes: 384,
    room: 16,
    longestWaitMs: 5_000,
    idleMs: 10_000,
  });

  /**
   * The events of a body; large ones of a project are read one after the other. Fails with `invalid_events`, with `payload_too_large`
   * for a body of too many values, and with `bodies_exhausted` when too many are waiting.
   */
  async read(projectId: string, bytes: Buffer): Promise<CrashBatch> {
    const reading =
      bytes.length <= READ_AT_ONCE_BYTES ? readCrashBatch(bytes) : await this.readInThread(projectId, bytes);
    if (reading === 'invalid_events') throw catchFailure(reading);
    if (reading === 'payload_too_large') throw bodyFailure(reading);
    return reading;
  }

  close(): Promise<void> {
    return this.thread.close();
  }

  private async readInThread(projectId: string, bytes: Buffer): Promise<CrashReading> {
    try {
      return await this.thread.run(projectId, bytes, [READING_MS]);
    } catch (error) {
      if (!(error instanceof ThreadFailure)) throw error;
      const isTooMuch = error.reason === 'time' || error.reason === 'memory';
      throw Object.assign(bodyFailure(isTooMuch ? 'payload_too_large' : 'bodies_exhausted'), { cause: error });
    }
  }
}
