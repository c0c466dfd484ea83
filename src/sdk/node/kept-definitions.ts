import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { attempt } from '../core/attempt.js';
import { type Definitions, definitionsOf } from './definitions.js';

/** Reads definitions from a file; null when there are none. Never throws. */
export function readKept(file: string): Definitions | null {
  try {
    return definitionsOf(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

/** Replaces the file atomically. Returns the reason when it cannot, or null. */
export function keep(file: string, definitions: Definitions): string | null {
  // Threads of a process and processes in containers write at the same time, and have the same number.
  const fresh = `${file}.${randomUUID()}.new`;
  try {
    writeFileSync(fresh, JSON.stringify(definitions), { mode: 0o600 });
    renameSync(fresh, file);
    return null;
  } catch (error) {
    attempt(() => rmSync(fresh, { force: true }));
    return error instanceof Error ? error.message : String(error);
  }
}
