import { SymbolFileError } from '../../symbol-file-error.js';
import type { DwarfSection, ObjectImage } from '../object-image.js';

const LARGEST_SECTION = 0xfffffff0;

/** The DWARF sections of one image, decompressed. Absent sections are empty. */
export interface DwarfSections {
  readonly info: Uint8Array;
  readonly abbrev: Uint8Array;
  readonly line: Uint8Array;
  readonly str: Uint8Array;
  readonly lineStr: Uint8Array;
  readonly strOffsets: Uint8Array;
  readonly addr: Uint8Array;
  readonly ranges: Uint8Array;
  readonly rnglists: Uint8Array;
  readonly types: Uint8Array;
}

/** Loads all sections. `onBroken` is called for each one that cannot be read; it is then treated as absent. */
export function loadSections(
  image: ObjectImage,
  onBroken: (section: DwarfSection, error: SymbolFileError) => void,
): DwarfSections {
  const load = (name: DwarfSection): Uint8Array => loadSection(image, name, onBroken);
  return {
    info: load('debug_info'),
    abbrev: load('debug_abbrev'),
    line: load('debug_line'),
    str: load('debug_str'),
    lineStr: load('debug_line_str'),
    strOffsets: load('debug_str_offsets'),
    addr: load('debug_addr'),
    ranges: load('debug_ranges'),
    rnglists: load('debug_rnglists'),
    types: load('debug_types'),
  };
}

/** One section, decompressed; empty when it is absent or unreadable, which is reported to `onBroken`. */
export function loadSection(
  image: ObjectImage,
  name: DwarfSection,
  onBroken: (section: DwarfSection, error: SymbolFileError) => void,
): Uint8Array {
  try {
    const bytes = image.section(name);
    if (bytes.length <= LARGEST_SECTION) return bytes;
    throw new SymbolFileError('too_large', 'The section is too large for 32-bit offsets.');
  } catch (error) {
    if (!(error instanceof SymbolFileError)) throw error;
    onBroken(name, error);
    return new Uint8Array(0);
  }
}
