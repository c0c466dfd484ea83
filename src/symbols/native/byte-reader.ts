import { SymbolFileError } from '../symbol-file-error.js';

const TWO_32 = 4294967296;
const LONGEST_LEB128 = 16;

/**
 * A checked little-endian cursor over `bytes[start, end)`. Reads past `end` throw `SymbolFileError('truncated')`.
 * Positions are absolute within `bytes`.
 */
export class ByteReader {
  pos: number;
  readonly end: number;

  constructor(
    readonly bytes: Uint8Array,
    start = 0,
    end = bytes.length,
  ) {
    if (start < 0 || end > bytes.length || start > end)
      throw new SymbolFileError('truncated', 'An offset points outside the file.');
    this.pos = start;
    this.end = end;
  }

  get remaining(): number {
    return this.end - this.pos;
  }

  seek(position: number): void {
    if (!(position >= 0 && position <= this.end)) throw pastEnd();
    this.pos = position;
  }

  skip(count: number): void {
    if (!(count >= 0 && count <= this.end - this.pos)) throw pastEnd();
    this.pos += count;
  }

  u8(): number {
    if (this.pos >= this.end) throw pastEnd();
    return this.bytes[this.pos++] as number;
  }

  u16(): number {
    const at = this.pos;
    if (at + 2 > this.end) throw pastEnd();
    this.pos = at + 2;
    return (this.bytes[at] as number) | ((this.bytes[at + 1] as number) << 8);
  }

  u24(): number {
    return this.u16() | (this.u8() << 16);
  }

  u32(): number {
    const at = this.pos;
    const bytes = this.bytes;
    if (at + 4 > this.end) throw pastEnd();
    this.pos = at + 4;
    return (
      ((bytes[at] as number) |
        ((bytes[at + 1] as number) << 8) |
        ((bytes[at + 2] as number) << 16) |
        ((bytes[at + 3] as number) << 24)) >>>
      0
    );
  }

  /** Exact below 2^53; larger values lose low bits, which callers treat as out of range. */
  u64(): number {
    const low = this.u32();
    return this.u32() * TWO_32 + low;
  }

  /** An unsigned integer of `size` bytes: 1, 2, 4 or 8. */
  uint(size: number): number {
    if (size === 4) return this.u32();
    if (size === 8) return this.u64();
    if (size === 2) return this.u16();
    if (size === 1) return this.u8();
    throw new SymbolFileError('malformed', `Integers of ${size} bytes are not supported.`);
  }

  uleb(): number {
    const first = this.u8();
    if (first < 0x80) return first;
    let value = first & 0x7f;
    let scale = 128;
    for (let count = 1; count < LONGEST_LEB128; count++) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    throw new SymbolFileError('malformed', 'A variable-length integer does not end.');
  }

  sleb(): number {
    let value = 0;
    let scale = 1;
    for (let count = 0; count < LONGEST_LEB128; count++) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      scale *= 128;
      if (byte < 0x80) return byte & 0x40 ? value - scale : value;
    }
    throw new SymbolFileError('malformed', 'A variable-length integer does not end.');
  }

  /** Skips a NUL-terminated string and returns the position of its first byte. */
  skipString(): number {
    const start = this.pos;
    const bytes = this.bytes;
    let at = start;
    while (at < this.end) {
      if (bytes[at++] === 0) {
        this.pos = at;
        return start;
      }
    }
    throw pastEnd();
  }

  /** A view, not a copy, of the next `count` bytes. */
  view(count: number): Uint8Array {
    const start = this.pos;
    this.skip(count);
    return this.bytes.subarray(start, this.pos);
  }
}

/** The unsigned integer of 4 or 8 bytes at `offset`; throws `SymbolFileError('truncated')` outside `bytes`. */
export function uintAt(bytes: Uint8Array, offset: number, size: number): number {
  if (!(offset >= 0 && offset + size <= bytes.length)) throw pastEnd();
  const low =
    ((bytes[offset] as number) |
      ((bytes[offset + 1] as number) << 8) |
      ((bytes[offset + 2] as number) << 16) |
      ((bytes[offset + 3] as number) << 24)) >>>
    0;
  return size === 8 ? uintAt(bytes, offset + 4, 4) * TWO_32 + low : low;
}

function pastEnd(): SymbolFileError {
  return new SymbolFileError('truncated', 'The file is truncated.');
}
