import type { SymbolTable } from './symbol-table.js';

/** The DWARF sections the reader knows, by their ELF name without the leading dot. */
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

/** What the container formats (ELF, Mach-O) tell about one architecture's code. Addresses are file addresses. */
export interface ObjectImage {
  readonly kind: 'elf' | 'macho';
  /** `arm64`, `arm`, `x86_64`, `x86`, `armv7`, `arm64e`, …; empty when the machine is not known. */
  readonly arch: string;
  /** Mach-O: UUID in upper case with dashes. ELF: the build id in lower-case hex. */
  readonly debugId: string | null;
  /** File address that the start of the loaded image corresponds to. */
  readonly imageBase: number;
  /** Bytes of the file, or of its part for this architecture. */
  readonly size: number;
  /** Bytes of it in the upload: fewer than `size` where an archive packed it. */
  readonly packedSize: number;
  /** Executable address ranges, ascending `[low, high)` pairs; empty when the file does not say. */
  readonly codeRanges: ReadonlyArray<readonly [number, number]>;
  readonly symbols: SymbolTable;
  /** A section's bytes, decompressed; empty when absent. Throws when the compressed form is broken. */
  section(name: DwarfSection): Uint8Array;
}
