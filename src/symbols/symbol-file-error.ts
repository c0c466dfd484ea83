/**
 * Why a symbol file cannot be used.
 *
 * - `not_recognized`: no known file kind.
 * - `truncated`: a read would go past the end of the file or of a section.
 * - `malformed`: a count, size, offset or form contradicts the format.
 * - `unsupported`: a valid but unsupported variant (big-endian objects, for example).
 * - `too_large`: a declared size exceeds its limit.
 * - `too_complex`: reading would take more work than a file of this size can need.
 * - `no_symbols`: the file contains neither debug information nor symbol names.
 * - `corrupt_table`: a stored conversion result is damaged.
 * - `not_json`, `invalid_source_map`, `invalid_mappings`: a file that is not a source map, or breaks ECMA-426.
 * - `not_a_mapping`: no line of a ProGuard or R8 mapping.
 * - `unsafe_archive`: a zip archive with names, sizes or positions that no tool writes.
 * - `empty_archive`: a zip archive without any file that could contain symbols.
 * - `hash_mismatch`: the stored bytes differ from the uploaded ones.
 * - `timeout`, `out_of_memory`: the conversion exceeded its limits.
 * - `internal`: the conversion failed for a reason unrelated to the file.
 */
export type SymbolFileCode =
  | 'not_recognized'
  | 'truncated'
  | 'malformed'
  | 'unsupported'
  | 'too_large'
  | 'too_complex'
  | 'no_symbols'
  | 'corrupt_table'
  | 'not_json'
  | 'invalid_source_map'
  | 'invalid_mappings'
  | 'not_a_mapping'
  | 'unsafe_archive'
  | 'empty_archive'
  | 'hash_mismatch'
  | 'timeout'
  | 'out_of_memory'
  | 'internal';

/** A symbol file was rejected: `code` for programs, `reason` for the uploader. */
export class SymbolFileError extends Error {
  override readonly name = 'SymbolFileError';

  constructor(
    readonly code: SymbolFileCode,
    readonly reason: string,
  ) {
    super(`${code}: ${reason}`);
  }
}
