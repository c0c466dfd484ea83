import { SymbolFileError } from '../../../symbol-file-error.js';
import { copyInto } from '../../../table/copy-into.js';

/**
 * Namespaces, modules, types and functions that enclose an entry: extents within `.debug_info`, sorted by start. Only
 * those that contain a function are kept.
 */
export class ContainerIndex {
  count = 0;
  private starts = new Uint32Array(4096);
  private ends = new Uint32Array(4096);
  private parents = new Int32Array(4096);
  private readonly most: number;

  /** `packedBytes`: the file's size in the upload, which caps its containers. */
  constructor(packedBytes: number) {
    this.most = 500_000 + packedBytes;
  }

  /** `start` must not be below an earlier one. Returns the container's number. */
  open(start: number, parent: number): number {
    const container = this.count++;
    if (container >= this.most)
      throw new SymbolFileError('too_complex', 'More types and functions are nested than a file of its size can have.');
    if (container >= this.starts.length) {
      this.starts = copyInto(new Uint32Array(container * 2), this.starts);
      this.ends = copyInto(new Uint32Array(container * 2), this.ends);
      this.parents = copyInto(new Int32Array(container * 2), this.parents);
    }
    this.starts[container] = start;
    this.ends[container] = 0xffffffff;
    this.parents[container] = parent;
    return container;
  }

  close(container: number, end: number): void {
    this.ends[container] = end;
  }

  /** The innermost container in `[from, to)` around the entry at `offset`, not the entry itself; −1 for none. */
  around(offset: number, from: number, to: number): number {
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.starts[middle] as number) < offset) low = middle + 1;
      else high = middle;
    }
    let container = low - 1;
    while (container >= from && (this.ends[container] as number) <= offset)
      container = this.parents[container] as number;
    return container >= from ? container : -1;
  }

  start(container: number): number {
    return this.starts[container] as number;
  }

  parent(container: number): number {
    return this.parents[container] as number;
  }
}
