import { Worker } from 'node:worker_threads';
import type { CrashText } from './crash-payload.js';
import type { FromThread, TableProvider, ToThread } from './symbolication-protocol.js';
import { WorkingTime } from './working-time.js';
import type { WrittenCrash } from './written-crash.js';

/** Time limit for one crash, which includes parsing sources, but not waiting for tables: a slow store is not the crash's fault. */
const CRASH_MS = 20_000;
const HEAP_MEGABYTES = 512;
/** Crashes per message to the thread. */
const TOGETHER = 50;

/** The crash exceeded its symbolication limits. */
export class SymbolicationFailed extends Error {}

/**
 * Symbolicates crashes one after another in a thread that keeps its tables open. A crash that takes too much time or
 * memory ends the thread, not the process, and fails alone: the others sent with it are retried without it.
 */
export class Symbolicator {
  private worker: Worker | null = null;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly crashMs = CRASH_MS) {}

  /** Results in order for at least the first crash, and for all others begun before a time of `performance.now()`. */
  symbolicate(
    crashes: readonly CrashText[],
    tables: TableProvider,
    until: number,
  ): Promise<(WrittenCrash | SymbolicationFailed)[]> {
    const result = this.queue.then(() => this.runUntil(crashes, tables, until));
    this.queue = result.catch(() => undefined);
    return result;
  }

  async close(): Promise<void> {
    await this.queue;
    await this.worker?.terminate();
    this.worker = null;
  }

  private async runUntil(
    crashes: readonly CrashText[],
    tables: TableProvider,
    until: number,
  ): Promise<(WrittenCrash | SymbolicationFailed)[]> {
    const results: (WrittenCrash | SymbolicationFailed)[] = [];
    let together = TOGETHER;
    while (results.length < crashes.length && (results.length === 0 || performance.now() < until)) {
      const next = crashes.slice(results.length, results.length + together);
      try {
        results.push(...(await this.run(next, tables)));
      } catch (error) {
        if (!(error instanceof SymbolicationFailed)) throw error;
        if (next.length === 1) results.push(error);
        together = 1;
      }
    }
    return results;
  }

  /** Results of at least the first crash. Throws SymbolicationFailed. */
  private async run(crashes: CrashText[], tables: TableProvider): Promise<WrittenCrash[]> {
    const worker = this.worker ?? this.start();
    const undo: (() => void)[] = [];
    try {
      return await new Promise<WrittenCrash[]>((resolve, reject) => {
        const limit = new WorkingTime(this.crashMs, () => reject(new SymbolicationFailed('it took too long')));
        const onMessage = (message: FromThread): void => {
          if (message.type === 'done') resolve(message.results);
          else limit.exclude(answer(worker, message, tables)).catch(reject);
        };
        const onError = (error: Error): void => reject(new SymbolicationFailed(error.message));
        const onExit = (): void => reject(new SymbolicationFailed('its thread ended'));
        worker.on('message', onMessage).on('error', onError).on('exit', onExit);
        undo.push(
          () => limit.end(),
          () => worker.off('message', onMessage).off('error', onError).off('exit', onExit),
        );
        send(worker, { type: 'crashes', crashes });
      });
    } catch (error) {
      this.worker = null;
      await worker.terminate();
      throw error;
    } finally {
      for (const step of undo) step();
    }
  }

  private start(): Worker {
    const worker = new Worker(new URL('./symbolication-thread.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES, stackSizeMb: 4 },
    });
    worker.on('error', () => undefined);
    // A thread that ends between crashes is replaced for the next one.
    worker.on('exit', () => {
      if (this.worker === worker) this.worker = null;
    });
    worker.unref();
    this.worker = worker;
    return worker;
  }
}

async function answer(
  worker: Worker,
  message: Exclude<FromThread, { type: 'done' }>,
  tables: TableProvider,
): Promise<void> {
  if (message.type === 'find') {
    send(worker, { type: 'table', call: message.call, answer: await tables.find(message.query) });
    return;
  }
  send(worker, { type: 'bytes', call: message.call, bytes: await tables.load(message.id) });
}

function send(worker: Worker, message: ToThread): void {
  worker.postMessage(message);
}
