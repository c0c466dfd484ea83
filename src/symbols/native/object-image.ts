import type { SymbolTable } from './symbol-table.js';

/** The supported DWARF sections, by ELF name without the leading dot. */
export type DwarfSection =
  | 'debug_info'
  | 'debug_abbrev'
  | 'debug_line'
  | 'debug_str'
  | 'debug_line_str'
  | 'debug_str_offsets'
  | 'debug_addr'
  | 'debug_ranges'
  | 'debug_rnglists'
  | 'debug_types'
  | 'debug_info.dwo'
  | 'debug_abbrev.dwo'
  | 'debug_str.dwo'
  | 'debug_str_offsets.dwo'
  | 'debug_rnglists.dwo'
  | 'debug_types.dwo'
  | 'debug_cu_index'
  | 'debug_tu_index';

/** One architecture's code as described by its container format (ELF, Mach-O). Addresses are file addresses. */
export interface ObjectImage {
  readonly kind: 'elf' | 'macho';
  /** `arm64`, `arm`, `x86_64`, `x86`, `armv7`, `arm64e`, …; empty when unknown. */
  readonly arch: string;
  /** Mach-O: uppercase UUID with dashes. ELF: build id in lowercase hex. */
  readonly debugId: string | null;
  /** File address of the start of the loaded image. */
  readonly imageBase: number;
  /** Size of the file, or of its slice for this architecture. */
  readonly size: number;
  /** Its size in the upload, smaller than `size` when an archive compressed it. */
  readonly packedSize: number;
  /** Executable address ranges as ascending `[low, high)` pairs; empty when the file does not list them. */
  readonly codeRanges: ReadonlyArray<readonly [number, number]>;
  readonly symbols: SymbolTable;
  /** Why its debug information is not complete, or missing, shown to the uploader; null when nothing is known. */
  readonly separateDebugInfo: string | null;
  /** A section's decompressed bytes; empty when absent. Throws when they cannot be decompressed. */
  section(name: DwarfSection): Uint8Array;
}
