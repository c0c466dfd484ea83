import { SymbolFileError } from '../../../symbol-file-error.js';
import { copyInto } from '../../../table/copy-into.js';

/** File index of a row that ends a sequence: nothing is known from its address on. */
export const NO_FILE = 0xffffffff;

/** Fifty times the rows of SQLite, which is a single unit. */
const MOST_ROWS = 8_000_000;

/**
 * Rows of one unit's line table, in address order after `finish`. Addresses are relative to the image's code base. A
 * row is valid up to the next one. Reused between units to avoid allocations.
 */
export class LineRows {
  count = 0;
  address = new Uint32Array(4096);
  file = new Uint32Array(4096);
  line = new Uint32Array(4096);
  column = new Uint16Array(4096);
  private sequenceStarts: number[] = [];
  private current = 0;
  private readonly most: number;

  /** `packedBytes`: the file's size in the upload, which caps its rows. */
  constructor(packedBytes: number) {
    this.most = Math.min(MOST_ROWS, 1_000_000 + packedBytes);
  }

  clear(): void {
    this.count = 0;
    this.current = 0;
    this.sequenceStarts = [];
  }

  /** Adds a row to the current sequence. Of several rows at one address the last wins. */
  add(address: number, file: number, line: number, column: number): void {
    let at = this.count;
    if (at > this.current && this.address[at - 1] === address) at--;
    else {
      if (at >= this.address.length) this.grow();
      this.count = at + 1;
    }
    this.address[at] = address;
    this.file[at] = file;
    this.line[at] = line;
    this.column[at] = column > 0xffff ? 0 : column;
  }

  /** Ends the current sequence at `address`. */
  endSequence(address: number): void {
    this.add(address, NO_FILE, 0, 0);
    if (this.count - this.current > 1) this.sequenceStarts.push(this.current);
    else this.count = this.current;
    this.current = this.count;
  }

  /** Discards the rows of the current sequence (removed code). */
  dropSequence(): void {
    this.count = this.current;
  }

  /** Sorts the sequences by address. Where two overlap, the one that starts first keeps its addresses. */
  finish(): void {
    this.count = this.current;
    let ordered = true;
    for (let row = 1; row < this.count && ordered; row++)
      ordered = (this.address[row] as number) >= (this.address[row - 1] as number);
    if (!ordered) this.reorder();
  }

  /** Index of the last row at or before `address`; −1 for none. */
  indexBefore(address: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.address[middle] as number) <= address) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  private reorder(): void {
    const { address, file, line, column } = this;
    const starts = this.sequenceStarts;
    const ends = starts.map((_, index) => starts[index + 1] ?? this.count);
    for (const [index, start] of starts.entries()) this.sortSequence(start, ends[index] as number);
    const order = Uint32Array.from(starts.keys()).sort(
      (a, b) => (address[starts[a] as number] as number) - (address[starts[b] as number] as number) || a - b,
    );
    this.address = new Uint32Array(address.length);
    this.file = new Uint32Array(address.length);
    this.line = new Uint32Array(address.length);
    this.column = new Uint16Array(address.length);
    this.clear();
    let reached = 0;
    for (const sequence of order) {
      const start = starts[sequence] as number;
      const end = ends[sequence] as number;
      const last = address[end - 1] as number;
      if (last <= reached && this.count > 0) continue;
      for (let row = start; row < end; row++) {
        const at = address[row] as number;
        this.add(Math.max(at, reached), file[row] as number, line[row] as number, column[row] as number);
      }
      reached = last;
    }
    this.current = this.count;
  }

  /** Sorts rows whose addresses decrease, which the format forbids. */
  private sortSequence(start: number, end: number): void {
    let ordered = true;
    for (let row = start + 1; row < end && ordered; row++)
      ordered = (this.address[row] as number) >= (this.address[row - 1] as number);
    if (ordered) return;
    const { address, file, line, column } = this;
    const rows = Array.from({ length: end - start }, (_, index) => start + index)
      .sort((a, b) => (address[a] as number) - (address[b] as number) || a - b)
      .map((row) => [address[row], file[row], line[row], column[row]] as [number, number, number, number]);
    for (const [index, [at, fileIndex, lineNumber, columnNumber]] of rows.entries()) {
      address[start + index] = at;
      file[start + index] = fileIndex;
      line[start + index] = lineNumber;
      column[start + index] = columnNumber;
    }
  }

  private grow(): void {
    if (this.count >= this.most)
      throw new SymbolFileError('too_complex', 'A line table has more rows than a file of its size can need.');
    const size = Math.min(this.address.length * 2, this.most);
    this.address = copyInto(new Uint32Array(size), this.address);
    this.file = copyInto(new Uint32Array(size), this.file);
    this.line = copyInto(new Uint32Array(size), this.line);
    this.column = copyInto(new Uint16Array(size), this.column);
  }
}
