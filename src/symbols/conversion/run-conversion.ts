import { Worker } from 'node:worker_threads';
import { type SymbolFileCode, SymbolFileError } from '../symbol-file-error.js';
import type { ConversionOutcome, ConversionTask } from './conversion-thread.js';
import type { ConvertedFile } from './converted-file.js';

export interface ConversionLimits {
  milliseconds: number;
  /**
   * JavaScript heap of the thread. The file and the byte and number arrays made from it live outside the heap; the
   * readers bound those by the upload's size.
   */
  heapMegabytes: number;
}

const CONVERSION_LIMITS: ConversionLimits = { milliseconds: 30_000, heapMegabytes: 256 };

/** Uploads wait for this step. */
const IDENTIFICATION_LIMITS: ConversionLimits = { milliseconds: 5_000, heapMegabytes: 128 };

/** Loading the readers takes longer than reading most files, so a thread waits this long for the next file. */
const IDLE_MS = 5_000;
/** For each size of heap. */
const MOST_IDLE = 2;

/**
 * Converts a symbol file in a thread, so that a hostile file can neither exhaust the process's memory nor hold up other
 * jobs. A file that exceeds a limit ends the thread.
 *
 * @throws SymbolFileError with the reader's reason, or `timeout`, `out_of_memory`, `internal`
 */
export async function runConversion(
  task: Omit<ConversionTask, 'goal'>,
  limits: ConversionLimits = CONVERSION_LIMITS,
): Promise<ConvertedFile> {
  return threadsOf(limits.heapMegabytes).run({ ...task, goal: 'convert' }, limits.milliseconds);
}

/** Reads the `match_key` from a file, within the same kind of limits. Throws SymbolFileError like `runConversion`. */
export async function runIdentification(task: Omit<ConversionTask, 'goal'>): Promise<string> {
  const { heapMegabytes, milliseconds } = IDENTIFICATION_LIMITS;
  return (await threadsOf(heapMegabytes).run({ ...task, goal: 'identify' }, milliseconds)).matchKey;
}

const threadsByHeap = new Map<number, ConversionThreads>();

function threadsOf(heapMegabytes: number): ConversionThreads {
  const known = threadsByHeap.get(heapMegabytes) ?? new ConversionThreads(heapMegabytes);
  threadsByHeap.set(heapMegabytes, known);
  return known;
}

/** Threads with the same limit on their heap, each of which reads one file at a time. */
class ConversionThreads {
  private idle: Worker[] = [];
  private idleTimer: NodeJS.Timeout | undefined;

  constructor(private readonly heapMegabytes: number) {}

  async run(task: ConversionTask, milliseconds: number): Promise<ConvertedFile> {
    const worker = this.idle.pop() ?? this.start();
    worker.ref();
    const outcome = await outcomeOf(worker, task, milliseconds);
    if (outcome.ok || outcome.isReaders) this.keep(worker);
    else await worker.terminate();
    if (outcome.ok) return outcome.file;
    throw new SymbolFileError(outcome.code as SymbolFileCode, outcome.reason);
  }

  private start(): Worker {
    const worker = new Worker(new URL('./conversion-thread.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: this.heapMegabytes, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    });
    // Without a listener, the error of an idle thread would end the process.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      this.idle = this.idle.filter((other) => other !== worker);
    });
    return worker;
  }

  private keep(worker: Worker): void {
    worker.unref();
    this.idle.push(worker);
    if (this.idle.length > MOST_IDLE) void this.idle.shift()?.terminate();
    clearTimeout(this.idleTimer);
    this.idleTimer = setTimeout(() => {
      for (const each of this.idle.splice(0)) void each.terminate();
    }, IDLE_MS).unref();
  }
}

/** What the thread says about the file, or what became of the thread. */
async function outcomeOf(worker: Worker, task: ConversionTask, milliseconds: number): Promise<ConversionOutcome> {
  let timer: NodeJS.Timeout | undefined;
  let leave = (): void => undefined;
  try {
    return await new Promise<ConversionOutcome>((resolve) => {
      const onError = (error: NodeJS.ErrnoException): void => resolve(failureOf(error));
      const onExit = (): void => resolve(failure('internal', 'Reading the file stopped without a result.'));
      worker.on('message', resolve).on('error', onError).on('exit', onExit);
      leave = () => void worker.off('message', resolve).off('error', onError).off('exit', onExit);
      timer = setTimeout(
        () => resolve(failure('timeout', `Reading the file took longer than ${milliseconds / 1000} seconds.`)),
        milliseconds,
      );
      worker.postMessage(task);
    });
  } finally {
    clearTimeout(timer);
    leave();
  }
}

function failureOf(error: NodeJS.ErrnoException): ConversionOutcome {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY' || error instanceof RangeError)
    return failure('out_of_memory', 'Reading the file needs more memory than a conversion may use.');
  return failure('internal', 'The file could not be read because of a server error, which was logged.');
}

const failure = (code: SymbolFileCode, reason: string): ConversionOutcome => ({
  ok: false,
  code,
  reason,
  isReaders: false,
});
