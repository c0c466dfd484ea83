import { SymbolFileError } from '../../../symbol-file-error.js';
import { ByteReader } from '../../byte-reader.js';

/** Where one unit's parts are in the sections of a package. */
export interface Contribution {
  /** Sixteen hex digits, the same as in the unit's skeleton in the linked file. */
  readonly id: string;
  readonly unitsAt: number;
  readonly unitsEnd: number;
  readonly abbrevAt: number;
  readonly strOffsetsAt: number;
  readonly rnglistsAt: number;
}

const HEADER_BYTES = 16;
const MOST_COLUMNS = 16;
const Column = { info: 1, types: 2, abbrev: 3, strOffsets: 6, rnglists: 8 } as const;

/**
 * Reads `.debug_cu_index` or `.debug_tu_index` (DWARF 5, section 7.3.5.3; GNU's earlier form is version 2) in unit
 * order. `areTypes`: type units in `.debug_types.dwo`. Throws `SymbolFileError`.
 */
export function readPackageIndex(index: Uint8Array, areTypes = false): Contribution[] {
  if (index.length === 0) return [];
  const reader = new ByteReader(index);
  const version = reader.u32() & 0xffff;
  if (version !== 2 && version !== 5)
    throw new SymbolFileError('unsupported', `Package index version ${version} is not supported.`);
  const columns = reader.u32();
  const units = reader.u32();
  const slots = reader.u32();
  if (columns > MOST_COLUMNS || units > slots) throw malformed();
  const rowsAt = HEADER_BYTES + slots * 8;
  const columnsAt = rowsAt + slots * 4;
  const offsetsAt = columnsAt + columns * 4;
  const sizesAt = offsetsAt + units * columns * 4;
  reader.seek(sizesAt + units * columns * 4);
  const kinds = Array.from({ length: columns }, (_, column) => wordAt(reader, columnsAt + column * 4));
  const unitColumn = kinds.indexOf(areTypes ? Column.types : Column.info);
  if (unitColumn < 0) return [];
  const found: Contribution[] = [];
  for (let slot = 0; slot < slots; slot++) {
    const row = wordAt(reader, rowsAt + slot * 4);
    if (row === 0) continue;
    if (row > units) throw malformed();
    const cell = (table: number, column: number): number =>
      column < 0 ? 0 : wordAt(reader, table + ((row - 1) * columns + column) * 4);
    const unitsAt = cell(offsetsAt, unitColumn);
    found.push({
      id: idAt(index, HEADER_BYTES + slot * 8),
      unitsAt,
      unitsEnd: unitsAt + cell(sizesAt, unitColumn),
      abbrevAt: cell(offsetsAt, kinds.indexOf(Column.abbrev)),
      strOffsetsAt: cell(offsetsAt, kinds.indexOf(Column.strOffsets)),
      rnglistsAt: cell(offsetsAt, kinds.indexOf(Column.rnglists)),
    });
  }
  return found.sort((a, b) => a.unitsAt - b.unitsAt);
}

/** The id of a split unit as 16 hex digits. Throws `SymbolFileError('truncated')`. */
export function idAt(bytes: Uint8Array, offset: number): string {
  const reader = new ByteReader(bytes, offset);
  const low = reader.u32();
  return reader.u32().toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}

function wordAt(reader: ByteReader, at: number): number {
  reader.seek(at);
  return reader.u32();
}

function malformed(): SymbolFileError {
  return new SymbolFileError('malformed', 'The package index is inconsistent.');
}
