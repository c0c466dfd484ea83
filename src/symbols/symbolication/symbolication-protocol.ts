import type { TableFormat } from '../conversion/converted-file.js';
import type { CrashText } from './crash-payload.js';
import type { WrittenCrash } from './written-crash.js';

/** The forms of ids: ELF build ids, R8 map ids, UUIDs assigned to a build. */
export type IdForm = 'build_id' | 'map_id' | 'uuid';

export interface TableQuery {
  format: TableFormat;
  /** Tables of this kind may match by release alone, except those with their own id of this form. */
  byRelease: { kind: 'android_mapping' | 'flutter_symbols'; unlessId: IdForm | null } | null;
  keys: string[];
  /** Where the script was loaded from, for source maps and scripts; null for other formats. */
  script: string | null;
  arch: string | null;
  /** Taken from the crash. */
  release: string | null;
}

/** A table that matches a query; the thread requests its bytes if it does not have them yet. */
export interface TableAnswer {
  id: string;
  dartSections: { isolate: string | null; vm: string | null } | null;
}

export type ToThread =
  | { type: 'crashes'; crashes: CrashText[] }
  | { type: 'table'; call: number; answer: TableAnswer | null }
  | { type: 'bytes'; call: number; bytes: Uint8Array | null };

export type FromThread =
  | { type: 'find'; call: number; query: TableQuery }
  | { type: 'load'; call: number; id: string }
  /** Results of at least the first crash sent; the remaining crashes must be sent again. */
  | { type: 'done'; results: WrittenCrash[] };

export interface TableProvider {
  find(query: TableQuery): Promise<TableAnswer | null>;
  /** Null when the table has been deleted in the meantime. */
  load(id: string): Promise<Uint8Array | null>;
}
