import { endianness } from 'node:os';
import { SymbolFileError } from '../symbol-file-error.js';
import { type UnsignedName, unsigned } from './signed-name.js';
import {
  FLAG_DEBUG_INFO,
  HEADER_BYTES,
  Header,
  LOCATION_STRIDE,
  NO_LOCATION,
  TABLE_MAGIC,
  TABLE_VERSION,
} from './table-format.js';

/** One source frame. `line` 0 and `file` '' mean unknown; `inlined`: the next frame contains its call. */
export interface SourceFrame {
  readonly function: string;
  readonly file: string;
  readonly line: number;
  /** 1-based; absent when unknown. */
  readonly column?: number;
  readonly inlined: boolean;
  /** The C++ symbol from which `demangleSymbol` reads the parameter list, if any. */
  readonly symbol?: string;
}

export interface OpenTable {
  /** File address of the start of the loaded image. */
  readonly imageBase: number;
  readonly hasDebugInfo: boolean;
  /** The frames at a file address, innermost first; empty when unknown. */
  lookup(fileAddress: number): SourceFrame[];
}

const DEEPEST_INLINING = 1024;
const LANDMARK_DISTANCE = 64;

/** Opens a table from `convertNative`. Throws `SymbolFileError('corrupt_table')` when it is invalid. */
export function openTable(bytes: Uint8Array): OpenTable {
  if (endianness() !== 'LE')
    throw new SymbolFileError('unsupported', 'Symbol tables can be read only on little-endian machines.');
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  return new Table(aligned);
}

class Table implements OpenTable {
  readonly imageBase: number;
  readonly hasDebugInfo: boolean;
  private readonly origin: number;
  private readonly addresses: Uint32Array;
  private readonly entries: Uint32Array;
  /** Every 64th address, so that a search begins in cached memory. */
  private readonly landmarks: Uint32Array;
  private readonly locations: Uint32Array;
  private readonly ends: Uint32Array;
  private readonly texts: Buffer;
  private readonly decoded: Array<UnsignedName | undefined> = [];

  constructor(bytes: Uint8Array) {
    if (bytes.length < HEADER_BYTES) throw corrupt();
    const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
    if (header.getUint32(Header.magic, true) !== TABLE_MAGIC) throw corrupt();
    if (header.getUint32(Header.version, true) !== TABLE_VERSION) throw corrupt();
    const entries = header.getUint32(Header.entries, true);
    const locations = header.getUint32(Header.locations, true);
    const strings = header.getUint32(Header.strings, true);
    const textBytes = header.getUint32(Header.textBytes, true);
    const locationBytes = locations * LOCATION_STRIDE * 4;
    const size = HEADER_BYTES + entries * 8 + locationBytes + strings * 4 + textBytes;
    if (size !== bytes.length) throw corrupt();
    this.hasDebugInfo = (header.getUint32(Header.flags, true) & FLAG_DEBUG_INFO) !== 0;
    this.origin = header.getFloat64(Header.origin, true);
    this.imageBase = header.getFloat64(Header.imageBase, true);
    let at = bytes.byteOffset + HEADER_BYTES;
    const words = (count: number): Uint32Array => {
      const part = new Uint32Array(bytes.buffer, at, count);
      at += count * 4;
      return part;
    };
    this.addresses = words(entries);
    this.entries = words(entries);
    this.locations = words(locations * LOCATION_STRIDE);
    this.ends = words(strings);
    this.texts = Buffer.from(bytes.buffer, at, textBytes);
    this.landmarks = new Uint32Array(Math.ceil(entries / LANDMARK_DISTANCE));
    for (let mark = 0; mark < this.landmarks.length; mark++)
      this.landmarks[mark] = this.addresses[mark * LANDMARK_DISTANCE] as number;
  }

  lookup(fileAddress: number): SourceFrame[] {
    const address = fileAddress - this.origin;
    const frames: SourceFrame[] = [];
    if (!(address >= 0 && address <= 0xffffffff)) return frames;
    const { locations } = this;
    let location = this.locationAt(address);
    while (location * LOCATION_STRIDE < locations.length && frames.length < DEEPEST_INLINING) {
      const at = location * LOCATION_STRIDE;
      const { name, symbol } = this.text(locations[at] as number);
      const file = this.text(locations[at + 1] as number).name;
      const line = locations[at + 2] as number;
      const column = locations[at + 3] as number;
      const parent = locations[at + 4] as number;
      const inlined = parent !== 0;
      frames.push(frameOf(name, symbol, file, line, column, inlined));
      if (!inlined) return frames;
      if (parent > location) throw corrupt();
      location = parent - 1;
    }
    return frames;
  }

  private locationAt(address: number): number {
    const { addresses, landmarks } = this;
    const mark = countUpTo(landmarks, address, 0, landmarks.length);
    if (mark === 0) return NO_LOCATION;
    const from = (mark - 1) * LANDMARK_DISTANCE;
    const to = Math.min(from + LANDMARK_DISTANCE, addresses.length);
    return this.entries[countUpTo(addresses, address, from, to) - 1] as number;
  }

  private text(number: number): UnsignedName {
    const known = this.decoded[number];
    if (known !== undefined) return known;
    if (number >= this.ends.length) throw corrupt();
    const start = number === 0 ? 0 : (this.ends[number - 1] as number);
    const text = unsigned(this.texts.toString('utf8', start, this.ends[number] as number));
    this.decoded[number] = text;
    return text;
  }
}

/** Unknown members are absent. Written out, because copying a frame costs more than the rest of a lookup. */
function frameOf(
  name: string,
  symbol: string | null,
  file: string,
  line: number,
  column: number,
  inlined: boolean,
): SourceFrame {
  if (symbol === null)
    return column === 0 ? { function: name, file, line, inlined } : { function: name, file, line, column, inlined };
  if (column === 0) return { function: name, file, line, inlined, symbol };
  return { function: name, file, line, column, inlined, symbol };
}

/** The index after the last of the ascending values in `[from, to)` that is at most `limit`. */
function countUpTo(values: Uint32Array, limit: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function corrupt(): SymbolFileError {
  return new SymbolFileError(
    'corrupt_table',
    'The stored symbol table is damaged. Delete the symbol file and upload it again.',
  );
}
