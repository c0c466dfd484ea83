/**
 * The format of a converted file's table. For `script` it is the text. `split_package` has no table: the file itself is
 * read with the one that lacks it.
 */
export type TableFormat = 'native' | 'source_map' | 'script' | 'mapping' | 'split_package';

/** A file's level of detail: source lines, only function names (a stripped library), or only a script's code. */
export type SymbolDetail = 'full' | 'names' | 'code';

export interface ConvertedTable {
  format: TableFormat;
  /** The keys events use for it: debug ids, build ids, file names; normalized by `normalizeKey`. */
  keys: string[];
  /** Architecture, empty when the kind has none. */
  arch: string;
  detail: SymbolDetail;
  /** What debug information is missing and what to do, shown to the uploader; null when it is complete. */
  detailReason: string | null;
  /** File addresses at which Dart's code starts, in hexadecimal; null except for Flutter. */
  dartSections: { isolate: string | null; vm: string | null } | null;
  table: Uint8Array;
}

export interface ConvertedFile {
  /** The artifact's `match_key` when the upload gave none. */
  matchKey: string;
  /** The lowercase UUID in a script or its map. */
  debugId?: string | null;
  tables: ConvertedTable[];
}

export interface ConversionInput {
  /** The local path of the uploaded bytes. */
  path: string;
  originalName: string;
  release: string;
  /** The upload's `match_key`, empty when not given. */
  matchKey: string;
  /** Local paths of split debug information packages that may belong to it. */
  packages?: readonly string[];
}
