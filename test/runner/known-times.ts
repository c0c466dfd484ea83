import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** CPU and wall-clock milliseconds of each test file, by its short name. */
export type KnownTimes = Record<string, { cpuMs: number; ms: number }>;

/** The times of earlier runs on this machine; empty on a fresh clone. */
export function readKnownTimes(path: string): KnownTimes {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as KnownTimes) : {};
}

/**
 * Merges the times of a run with those of files it did not run. If the file cannot be written, the next run only loses
 * its order.
 */
export function noteTimes(path: string, times: KnownTimes): void {
  try {
    writeFileSync(path, `${JSON.stringify({ ...readKnownTimes(path), ...times }, null, 1)}\n`);
  } catch (error) {
    process.stdout.write(`${path} was not written: ${(error as Error).message}\n`);
  }
}
