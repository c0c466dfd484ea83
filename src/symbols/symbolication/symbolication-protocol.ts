import type { TableFormat } from '../conversion/converted-file.js';
import type { CrashText } from './crash-payload.js';
import type { WrittenCrash } from './written-crash.js';

/** What ids look like: build ids of ELF files, R8's map ids, UUIDs that a build was given. */
export type IdForm = 'build_id' | 'map_id' | 'uuid';

export interface TableQuery {
  format: TableFormat;
  /** Tables of this kind may answer by release alone, but for those that have an id of their own of this form. */
  byRelease: { kind: 'android_mapping' | 'flutter_symbols'; unlessId: IdForm | null } | null;
  keys: string[];
  /** Where the script was loaded from that a source map or its code is wanted for; null for other formats. */
  script: string | null;
  arch: string | null;
  /** The crash's. */
  release: string | null;
}

/** A table that answers a query; its bytes are asked for when the thread does not have them yet. */
export interface TableAnswer {
  id: string;
  dartSections: { isolate: string | null; vm: string | null } | null;
}

/** From the owner to the thread. */
export type ToThread =
  | { type: 'crashes'; crashes: CrashText[] }
  | { type: 'table'; call: number; answer: TableAnswer | null }
  | { type: 'bytes'; call: number; bytes: Uint8Array | null };

/** From the thread to its owner. */
export type FromThread =
  | { type: 'find'; call: number; query: TableQuery }
  | { type: 'load'; call: number; id: string }
  /** Of the first crashes that were sent, at least one; the others are to be sent again. */
  | { type: 'done'; results: WrittenCrash[] };

export interface TableProvider {
  find(query: TableQuery): Promise<TableAnswer | null>;
  /** Null when the table was deleted meanwhile. */
  load(id: string): Promise<Uint8Array | null>;
}
