import { textAt } from './text-at.js';

/** A symbol as the container stores it. `end` is the first address after it. */
export interface RawSymbol {
  readonly address: number;
  readonly end: number;
  readonly nameOffset: number;
}

/**
 * Names of address ranges, sorted by address, one per address. Names are decoded on demand: of a file with full debug
 * information few are needed.
 */
export class SymbolTable {
  private constructor(
    private readonly sorted: readonly RawSymbol[],
    private readonly strings: Uint8Array,
    private readonly prefix: string,
  ) {}

  static readonly empty = new SymbolTable([], new Uint8Array(0), '');

  /**
   * Of several symbols at one address the longest is kept, of equally long ones the last, as LLVM's symbolizer does.
   * `prefix` is removed from the start of names (the underscore of Mach-O).
   */
  static from(symbols: RawSymbol[], strings: Uint8Array, prefix = ''): SymbolTable {
    symbols.sort((a, b) => a.address - b.address || a.end - b.end);
    const unique: RawSymbol[] = [];
    for (const symbol of symbols) {
      const last = unique[unique.length - 1];
      if (last && last.address === symbol.address) unique[unique.length - 1] = symbol;
      else unique.push(symbol);
    }
    return new SymbolTable(unique, strings, prefix);
  }

  get length(): number {
    return this.sorted.length;
  }

  at(index: number): RawSymbol | undefined {
    return this.sorted[index];
  }

  /** As it is stored, without the prefix. */
  name(symbol: RawSymbol): string {
    const text = textAt(this.strings, symbol.nameOffset);
    return this.prefix !== '' && text.startsWith(this.prefix) ? text.slice(this.prefix.length) : text;
  }

  /** Whether the name is one of C++'s. */
  isMangled(symbol: RawSymbol): boolean {
    const at = symbol.nameOffset + this.prefix.length;
    return this.strings[at] === 0x5f && this.strings[at + 1] === 0x5a;
  }

  /** Index of the last symbol at or before `address`; −1 when there is none. */
  indexBefore(address: number): number {
    let low = 0;
    let high = this.sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.sorted[middle] as RawSymbol).address <= address) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** The symbol that holds `address`. */
  find(address: number): RawSymbol | undefined {
    const symbol = this.sorted[this.indexBefore(address)];
    return symbol && address < symbol.end ? symbol : undefined;
  }
}
