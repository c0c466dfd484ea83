import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type Definitions, definitionsOf } from './definitions.js';

/** Definitions in a file; null when there are none. Throws nothing. */
export function readKept(file: string): Definitions | null {
  try {
    return definitionsOf(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

/** Replaces the file as a whole, so that whoever reads it meanwhile has the one or the other. Returns why it cannot, or null. */
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
