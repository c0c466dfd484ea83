import { SymbolFileError } from '../../symbol-file-error.js';
import { ByteReader } from '../byte-reader.js';
import type { UnitSizes } from './abbreviations/skip-steps.js';
import { UnitType } from './constants.js';
import { idAt } from './split/package-index.js';

const DWARF64_ESCAPE = 0xffffffff;
const FIRST_RESERVED_LENGTH = 0xfffffff0;

/** A unit of `.debug_info`: its header, and the data of its first entry that applies to all others. */
export class Unit implements UnitSizes {
  strOffsetsBase: number;
  addrBase: number;
  rnglistsBase: number;
  /** Base offsets in joined sections for its names, entries and range lists. */
  strBase = 0;
  infoBase = 0;
  rangesBase = 0;
  /** The id and file of the split unit that it is or is the skeleton of; empty for whole units. */
  splitId = '';
  splitName = '';
  /** For a DWARF 4 skeleton: the base of its split unit's range lists. */
  splitRangesBase = 0;
  lowPc = 0;
  language = 0;
  /** The range of its container numbers, end exclusive. */
  firstContainer = 0;
  containersEnd = 0;
  /** Offset of the line program; −1 for none. */
  stmtList = -1;
  name = '';
  compDir = '';

  constructor(
    readonly offset: number,
    readonly end: number,
    readonly version: number,
    readonly offsetSize: 4 | 8,
    readonly addressSize: number,
    public abbrevOffset: number,
    readonly entriesAt: number,
    readonly signature: { readonly id: number; readonly typeOffset: number } | null,
  ) {
    // Offsets of the first contribution's content, for producers that leave the base attributes out.
    const headerSize = offsetSize === 8 ? 16 : 8;
    this.strOffsetsBase = headerSize;
    this.addrBase = headerSize;
    this.rnglistsBase = headerSize + 4;
  }
}

/**
 * The units of a section in order. A unit with an inconsistent header is skipped; the walk ends at a length that leads
 * outside the section. `onBroken` is called for both.
 */
export function readUnits(
  info: Uint8Array,
  onBroken: (offset: number, error: SymbolFileError) => void,
  { from = 0 } = {},
): Unit[] {
  return unitsOf(info, false, onBroken, from);
}

/** The readable type units of DWARF 4's `.debug_types`. */
export const readTypeUnits = (types: Uint8Array): Unit[] => unitsOf(types, true, () => {});

function unitsOf(
  info: Uint8Array,
  areTypes: boolean,
  onBroken: (offset: number, error: SymbolFileError) => void,
  from = 0,
): Unit[] {
  const units: Unit[] = [];
  let offset = from;
  while (offset + 11 < info.length) {
    try {
      const { contentAt, end, offsetSize } = unitExtent(info, offset);
      try {
        if (end > contentAt) units.push(readHeader(new ByteReader(info, contentAt, end), offset, offsetSize, areTypes));
      } catch (error) {
        if (!(error instanceof SymbolFileError)) throw error;
        onBroken(offset, error);
      }
      offset = end;
    } catch (error) {
      if (!(error instanceof SymbolFileError)) throw error;
      onBroken(offset, error);
      break;
    }
  }
  return units;
}

/** The unit whose entries include `offset`. */
export function unitAt(units: readonly Unit[], offset: number): Unit | undefined {
  let low = 0;
  let high = units.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((units[middle] as Unit).offset <= offset) low = middle + 1;
    else high = middle;
  }
  const unit = units[low - 1];
  return unit && offset >= unit.entriesAt && offset < unit.end ? unit : undefined;
}

/** Reads the length field of a unit, a line program or a list header; returns where its content starts and ends. */
export function unitExtent(
  bytes: Uint8Array,
  offset: number,
): { readonly contentAt: number; readonly end: number; readonly offsetSize: 4 | 8 } {
  const reader = new ByteReader(bytes, offset);
  let length = reader.u32();
  let offsetSize: 4 | 8 = 4;
  if (length === DWARF64_ESCAPE) {
    length = reader.u64();
    offsetSize = 8;
  } else if (length >= FIRST_RESERVED_LENGTH) {
    throw new SymbolFileError('malformed', 'A unit has a reserved length.');
  }
  const contentAt = reader.pos;
  reader.skip(length);
  return { contentAt, end: reader.pos, offsetSize };
}

function readHeader(reader: ByteReader, offset: number, offsetSize: 4 | 8, isType: boolean): Unit {
  const version = reader.u16();
  if (version < 2 || version > 5)
    throw new SymbolFileError('unsupported', `DWARF version ${version} is not supported.`);
  let type: number = isType ? UnitType.type : UnitType.compile;
  let abbrevOffset = 0;
  let addressSize = 0;
  if (version >= 5) {
    type = reader.u8();
    addressSize = reader.u8();
    abbrevOffset = reader.uint(offsetSize);
  } else {
    abbrevOffset = reader.uint(offsetSize);
    addressSize = reader.u8();
  }
  if (addressSize !== 4 && addressSize !== 8)
    throw new SymbolFileError('unsupported', `Addresses of ${addressSize} bytes are not supported.`);
  let signature: Unit['signature'] = null;
  let splitId = '';
  if (type === UnitType.skeleton || type === UnitType.splitCompile) {
    splitId = idAt(reader.bytes, reader.pos);
    reader.skip(8);
  }
  if (type === UnitType.type || type === UnitType.splitType)
    signature = { id: reader.u64(), typeOffset: offset + reader.uint(offsetSize) };
  const unit = new Unit(offset, reader.end, version, offsetSize, addressSize, abbrevOffset, reader.pos, signature);
  unit.splitId = splitId;
  return unit;
}
