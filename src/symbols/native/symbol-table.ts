import { SymbolFileError } from '../symbol-file-error.js';
import { copyInto } from '../table/copy-into.js';
import { mostSymbols } from '../table/most-symbols.js';
import { textAt } from './text-at.js';

/** A symbol as stored in the container. `end` is the first address after it. */
export interface RawSymbol {
  readonly address: number;
  readonly end: number;
  readonly nameOffset: number;
}

/** Symbols as plain numbers: a small archive may contain more than a million. */
export class SymbolList {
  length = 0;
  addresses = new Float64Array(1024);
  ends = new Float64Array(1024);
  nameOffsets = new Uint32Array(1024);
  private readonly most: number;

  /** `packedSize`: the file's size in the upload. */
  constructor(packedSize: number) {
    this.most = mostSymbols(packedSize);
  }

  /** Throws `SymbolFileError('too_complex')`. */
  add(address: number, end: number, nameOffset: number): void {
    const at = this.length++;
    if (at >= this.most)
      throw new SymbolFileError('too_complex', 'It has more symbols than a file of its size can have.');
    if (at >= this.addresses.length) {
      this.addresses = copyInto(new Float64Array(at * 2), this.addresses);
      this.ends = copyInto(new Float64Array(at * 2), this.ends);
      this.nameOffsets = copyInto(new Uint32Array(at * 2), this.nameOffsets);
    }
    this.addresses[at] = address;
    this.ends[at] = end;
    this.nameOffsets[at] = nameOffset;
  }

  at(index: number): RawSymbol {
    const { addresses, ends, nameOffsets } = this;
    return {
      address: addresses[index] as number,
      end: ends[index] as number,
      nameOffset: nameOffsets[index] as number,
    };
  }

  /** Sorted by address; of several symbols at one address the longest, or the last of equally long ones. */
  sorted(): SymbolList {
    const { addresses, ends } = this;
    const order = new Uint32Array(this.length).map((_, index) => index);
    order.sort(
      (a, b) =>
        (addresses[a] as number) - (addresses[b] as number) || (ends[a] as number) - (ends[b] as number) || a - b,
    );
    const unique = new SymbolList(Number.POSITIVE_INFINITY);
    for (const [place, index] of order.entries()) {
      const { address, end, nameOffset } = this.at(index);
      if (address !== addresses[order[place + 1] as number]) unique.add(address, end, nameOffset);
    }
    return unique;
  }
}

/**
 * Names of address ranges, sorted by address, one per address. Names are decoded on demand, because a file with full
 * debug information needs few.
 */
export class SymbolTable {
  private constructor(
    private readonly sorted: SymbolList,
    private readonly strings: Uint8Array,
    private readonly prefix: string,
  ) {}

  static readonly empty = new SymbolTable(new SymbolList(0), new Uint8Array(0), '');

  /**
   * Of several symbols at one address the longest is kept, or the last of equally long ones, as in LLVM's symbolizer.
   * `prefix` is removed from names (Mach-O's underscore).
   */
  static from(symbols: SymbolList, strings: Uint8Array, prefix = ''): SymbolTable {
    return new SymbolTable(symbols.sorted(), strings, prefix);
  }

  get length(): number {
    return this.sorted.length;
  }

  at(index: number): RawSymbol | undefined {
    return index >= 0 && index < this.sorted.length ? this.sorted.at(index) : undefined;
  }

  /** As stored, without the prefix. */
  name(symbol: RawSymbol): string {
    const text = textAt(this.strings, symbol.nameOffset);
    return this.prefix !== '' && text.startsWith(this.prefix) ? text.slice(this.prefix.length) : text;
  }

  isMangled(symbol: RawSymbol): boolean {
    const at = symbol.nameOffset + this.prefix.length;
    return this.strings[at] === 0x5f && this.strings[at + 1] === 0x5a;
  }

  /** Index of the last symbol at or before `address`; −1 for none. */
  indexBefore(address: number): number {
    let low = 0;
    let high = this.sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.sorted.addresses[middle] as number) <= address) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** The symbol that contains `address`. */
  find(address: number): RawSymbol | undefined {
    const symbol = this.at(this.indexBefore(address));
    return symbol && address < symbol.end ? symbol : undefined;
  }
}
