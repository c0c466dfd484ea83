import { readFileSync, renameSync, writeFileSync } from 'node:fs';
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
  try {
    const fresh = `${file}.${process.pid}.new`;
    writeFileSync(fresh, JSON.stringify(definitions), { mode: 0o600 });
    renameSync(fresh, file);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
