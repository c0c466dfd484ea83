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

/**
 * Converts a symbol file in its own thread, so that a hostile file can neither exhaust the process's memory nor hold up
 * other jobs.
 *
 * @throws SymbolFileError with the reader's reason, or `timeout`, `out_of_memory`, `internal`
 */
export async function runConversion(
  task: Omit<ConversionTask, 'goal'>,
  limits: ConversionLimits = CONVERSION_LIMITS,
): Promise<ConvertedFile> {
  return runThread({ ...task, goal: 'convert' }, limits);
}

/** Reads the `match_key` from a file, within the same kind of limits. Throws SymbolFileError like `runConversion`. */
export async function runIdentification(
  task: Omit<ConversionTask, 'goal'>,
  limits: ConversionLimits = IDENTIFICATION_LIMITS,
): Promise<string> {
  return (await runThread({ ...task, goal: 'identify' }, limits)).matchKey;
}

async function runThread(task: ConversionTask, limits: ConversionLimits): Promise<ConvertedFile> {
  const worker = new Worker(new URL('./conversion-thread.js', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    const outcome = await new Promise<ConversionOutcome>((resolve) => {
      timer = setTimeout(
        () => resolve(failure('timeout', `Reading the file took longer than ${limits.milliseconds / 1000} seconds.`)),
        limits.milliseconds,
      );
      worker.once('message', resolve);
      worker.once('error', (error: NodeJS.ErrnoException) => resolve(failureOf(error)));
      worker.once('exit', () => resolve(failure('internal', 'Reading the file stopped without a result.')));
    });
    if (outcome.ok) return outcome.file;
    throw new SymbolFileError(outcome.code as SymbolFileCode, outcome.reason);
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

function failureOf(error: NodeJS.ErrnoException): ConversionOutcome {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY' || error instanceof RangeError)
    return failure('out_of_memory', 'Reading the file needs more memory than a conversion may use.');
  return failure('internal', 'The file could not be read because of a server error, which was logged.');
}

const failure = (code: SymbolFileCode, reason: string): ConversionOutcome => ({ ok: false, code, reason });
