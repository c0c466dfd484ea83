import { SymbolFileError } from '../symbol-file-error.js';
import { copyInto } from './copy-into.js';
import { LocationPool } from './location-pool.js';
import { StringPool } from './string-pool.js';

const MOST_EXPECTED = 4_000_000;
const LOCATIONS_PER_ENTRY = 3;

/** Unit number of blocks that come from line rows without a function. */
export const BARE = -1;

/**
 * Collects blocks of entries. A block is an address range `[low, high)` with its entries, the first one at `low`.
 * Blocks may overlap; `assembleTable` decides which one is visible.
 */
export class TableBuilder {
  readonly strings: StringPool;
  readonly locations: LocationPool;
  entryCount = 0;
  address: Uint32Array<ArrayBuffer>;
  location: Uint32Array<ArrayBuffer>;
  blockCount = 0;
  blockLow = new Uint32Array(1024);
  blockHigh = new Uint32Array(1024);
  blockFirst = new Uint32Array(1024);
  blockUnit = new Int32Array(1024);
  private open = false;
  private readonly mostEntries: number;

  /**
   * `sourceBytes`: size of the converted data, which caps the table's size. `packedBytes`: its size in the upload, if
   * an archive compressed it. `parts`: how many such parts the file has.
   */
  constructor(sourceBytes: number, packedBytes: number, parts = 1) {
    this.mostEntries = Math.floor(500_000 / parts + Math.min(sourceBytes / 3, packedBytes / 2));
    const expected = Math.min(MOST_EXPECTED, Math.max(8192, Math.floor(Math.min(sourceBytes, packedBytes * 12) / 128)));
    this.strings = new StringPool(16_000_000 + sourceBytes * 4);
    this.locations = new LocationPool(expected * 2, this.mostEntries * LOCATIONS_PER_ENTRY);
    this.address = new Uint32Array(expected);
    this.location = new Uint32Array(expected);
  }

  /** Adds a piece. Adjacent pieces of one unit form a block until `endBlock`. */
  piece(low: number, high: number, location: number, unit: number): void {
    if (this.open && (this.blockHigh[this.blockCount - 1] as number) !== low) this.open = false;
    if (!this.open) this.beginBlock(low, unit);
    else if (this.location[this.entryCount - 1] === location) {
      this.blockHigh[this.blockCount - 1] = high;
      return;
    }
    const at = this.entryCount++;
    if (at >= this.mostEntries)
      throw new SymbolFileError('too_complex', 'The line tables are larger than a file of its size can need.');
    if (at >= this.address.length) {
      this.address = copyInto(new Uint32Array(at * 2), this.address);
      this.location = copyInto(new Uint32Array(at * 2), this.location);
    }
    this.address[at] = low;
    this.location[at] = location;
    this.blockHigh[this.blockCount - 1] = high;
  }

  endBlock(): void {
    this.open = false;
  }

  /** Index after the last entry of a block. */
  blockEnd(block: number): number {
    return block + 1 < this.blockCount ? (this.blockFirst[block + 1] as number) : this.entryCount;
  }

  private beginBlock(low: number, unit: number): void {
    const block = this.blockCount++;
    if (block >= this.blockLow.length) {
      this.blockLow = copyInto(new Uint32Array(block * 2), this.blockLow);
      this.blockHigh = copyInto(new Uint32Array(block * 2), this.blockHigh);
      this.blockFirst = copyInto(new Uint32Array(block * 2), this.blockFirst);
      this.blockUnit = copyInto(new Int32Array(block * 2), this.blockUnit);
    }
    this.blockLow[block] = low;
    this.blockFirst[block] = this.entryCount;
    this.blockUnit[block] = unit;
    this.open = true;
  }
}
