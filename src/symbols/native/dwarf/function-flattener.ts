import { IntervalPaint } from '../../table/interval-paint.js';
import type { TableBuilder } from '../../table/table-builder.js';
import type { CodeSpan } from '../code-span.js';
import type { FunctionPool } from '../function-pool.js';
import { NO_NODE, type ScopeNodes } from './entries/scope-nodes.js';
import type { FileNames } from './lines/file-names.js';
import { type LineRows, NO_FILE } from './lines/line-rows.js';

const DEEPEST_INLINING = 512;

/** Turns a function, its inlined calls and their line rows into table pieces. */
export class FunctionFlattener {
  private readonly paint = new IntervalPaint();
  private files: FileNames | null = null;
  private unit = 0;
  private row = -1;

  constructor(
    private readonly nodes: ScopeNodes,
    private readonly rows: LineRows,
    private readonly builder: TableBuilder,
    private readonly functions: FunctionPool,
    private readonly span: CodeSpan,
  ) {}

  beginUnit(unit: number, files: FileNames | null): void {
    this.unit = unit;
    this.files = files;
    this.row = -1;
  }

  /** The pieces of the function in `nodes`. Of overlapping ranges the innermost wins, or else the later one. */
  flatten(): void {
    const { nodes } = this;
    this.builder.locations.beginFunction();
    this.paint.paint(nodes.rangeCount, nodes.rangeLow, nodes.rangeHigh, this.segment);
    this.builder.endBlock();
  }

  private readonly segment = (low: number, high: number, range: number): void => {
    const { rows, builder, nodes } = this;
    const node = nodes.rangeNode[range] as number;
    const fn = this.functionOf(node, low);
    const parent = this.callLocation(node, low, 0);
    let row = this.rowAt(low);
    let from = low;
    for (;;) {
      const next = row + 1 < rows.count ? (rows.address[row + 1] as number) : high;
      const to = Math.min(next, high);
      if (to > from) {
        const file = row < 0 ? NO_FILE : (rows.file[row] as number);
        const location =
          file === NO_FILE
            ? builder.locations.add(fn, 0, 0, 0, parent)
            : builder.locations.add(
                fn,
                this.files?.number(file) ?? 0,
                rows.line[row] as number,
                rows.column[row] as number,
                parent,
              );
        builder.piece(from, to, location, this.unit);
        from = to;
      }
      if (to >= high) break;
      row++;
    }
    this.row = row;
  };

  /** The row at an address. Starts at the end of the previous segment, since segments come in order. */
  private rowAt(address: number): number {
    const { rows } = this;
    let row = this.row;
    if (row >= 0 && row < rows.count && (rows.address[row] as number) <= address) {
      for (let step = 0; step < 8; step++) {
        if (row + 1 >= rows.count || (rows.address[row + 1] as number) > address) return row;
        row++;
      }
    }
    return rows.indexBefore(address);
  }

  /**
   * A function without a name gets that of the symbol where it is entered, since rarely used parts have their own
   * (`run.cold`). An inlined one has no symbol: the symbol around it is its caller's.
   */
  private functionOf(node: number, address: number): number {
    const { nodes } = this;
    const known = nodes.fn[node] as number;
    if (known >= 0) return known;
    const isInlined = nodes.parent[node] !== NO_NODE;
    const entry = nodes.entry[node] as number;
    const place = (entry < 0 ? address : entry) + this.span.origin;
    const fn = this.functions.ofEntry(nodes.origin[node] as number, isInlined ? -1 : place);
    nodes.fn[node] = fn;
    return fn;
  }

  /** The call site of an inlined function; −1 for a function that is not inlined. */
  private callLocation(node: number, address: number, depth: number): number {
    const { nodes } = this;
    const caller = nodes.parent[node] as number;
    if (caller === NO_NODE || depth > DEEPEST_INLINING) return -1;
    const known = nodes.callLocation[node] as number;
    if (known >= 0) return known;
    const column = nodes.callColumn[node] as number;
    const location = this.builder.locations.add(
      this.functionOf(caller, address),
      this.files?.number(nodes.callFile[node] as number) ?? 0,
      nodes.callLine[node] as number,
      column > 0xffff ? 0 : column,
      this.callLocation(caller, address, depth + 1),
    );
    nodes.callLocation[node] = location;
    return location;
  }
}
