/**
 * How the table of a converted file is read. `script` is its text. `split_package` is none: the file itself is read with the one
 * that lacks it.
 */
export type TableFormat = 'native' | 'source_map' | 'script' | 'mapping' | 'split_package';

/** How much a file tells: source lines; the names of functions alone (a stripped library); a script's code alone. */
export type SymbolDetail = 'full' | 'names' | 'code';

export interface ConvertedTable {
  format: TableFormat;
  /** What events name it by: debug ids, build ids, file names; in the form of `normalizeKey`. */
  keys: string[];
  /** Architecture, empty when the kind has none. */
  arch: string;
  detail: SymbolDetail;
  /** What of its debug information is missing and what to do, for whoever uploaded it; null when nothing is. */
  detailReason: string | null;
  /** File addresses at which Dart's code starts, in hexadecimal; null for everything but Flutter. */
  dartSections: { isolate: string | null; vm: string | null } | null;
  table: Uint8Array;
}

export interface ConvertedFile {
  /** The artifact's `match_key` when the upload gave none. */
  matchKey: string;
  /** Of a script or its map: the UUID in it, in lower case. */
  debugId?: string | null;
  tables: ConvertedTable[];
}

export interface ConversionInput {
  /** Where the uploaded bytes are on this machine. */
  path: string;
  originalName: string;
  release: string;
  /** `match_key` of the upload, empty when it gave none. */
  matchKey: string;
  /** Where packages of split debug information are that may belong to it. */
  packages?: readonly string[];
}
