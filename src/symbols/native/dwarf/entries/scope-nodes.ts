import { SymbolFileError } from '../../../symbol-file-error.js';
import { copyInto } from '../../../table/copy-into.js';

/** An unknown call site. */
export const NO_NODE = -1;

/** Limit for nodes and for ranges: hundreds of times what the largest function of the test files has, a Rust one. */
const MOST_NODES = 1_048_576;

/**
 * The current function (a node without parent) and the calls inlined into it, in entry order, with their address
 * ranges. Addresses are relative to the image's code base. Reused for every function.
 */
export class ScopeNodes {
  count = 0;
  /** Offset of the entry that has the name. */
  origin = new Float64Array(256);
  parent = new Int32Array(256);
  callFile = new Uint32Array(256);
  callLine = new Uint32Array(256);
  callColumn = new Uint32Array(256);
  /** Table location of the call once created; −1 before. */
  callLocation = new Int32Array(256);
  /** Where it is entered: the start of its first range (DWARF 5, section 2.18); −1 without one. */
  entry = new Float64Array(256);
  /** Number of the function once assigned; −1 before. */
  fn = new Int32Array(256);

  rangeCount = 0;
  rangeLow = new Uint32Array(256);
  rangeHigh = new Uint32Array(256);
  rangeNode = new Int32Array(256);

  clear(): void {
    this.count = 0;
    this.rangeCount = 0;
  }

  add(origin: number, parent: number): number {
    const node = this.count++;
    if (node >= this.parent.length) this.growNodes();
    this.origin[node] = origin;
    this.parent[node] = parent;
    this.callFile[node] = 0;
    this.callLine[node] = 0;
    this.callColumn[node] = 0;
    this.callLocation[node] = -1;
    this.entry[node] = -1;
    this.fn[node] = -1;
    return node;
  }

  addRange(low: number, high: number, node: number): void {
    const at = this.rangeCount++;
    if (at >= this.rangeLow.length) this.growRanges();
    this.rangeLow[at] = low;
    this.rangeHigh[at] = high;
    this.rangeNode[at] = node;
    if ((this.entry[node] as number) < 0) this.entry[node] = low;
  }

  private growNodes(): void {
    const size = doubled(this.parent.length);
    this.origin = copyInto(new Float64Array(size), this.origin);
    this.parent = copyInto(new Int32Array(size), this.parent);
    this.callFile = copyInto(new Uint32Array(size), this.callFile);
    this.callLine = copyInto(new Uint32Array(size), this.callLine);
    this.callColumn = copyInto(new Uint32Array(size), this.callColumn);
    this.callLocation = copyInto(new Int32Array(size), this.callLocation);
    this.entry = copyInto(new Float64Array(size), this.entry);
    this.fn = copyInto(new Int32Array(size), this.fn);
  }

  private growRanges(): void {
    const size = doubled(this.rangeLow.length);
    this.rangeLow = copyInto(new Uint32Array(size), this.rangeLow);
    this.rangeHigh = copyInto(new Uint32Array(size), this.rangeHigh);
    this.rangeNode = copyInto(new Int32Array(size), this.rangeNode);
  }
}

function doubled(length: number): number {
  if (length >= MOST_NODES)
    throw new SymbolFileError(
      'too_complex',
      'A function has more inlined calls or ranges than any compiler generates.',
    );
  return length * 2;
}
