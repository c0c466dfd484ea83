import { BARE, type TableBuilder } from '../../../table/table-builder.js';
import type { CodeSpan } from '../../code-span.js';
import { type FunctionPool, UNNAMED } from '../../function-pool.js';
import type { SymbolTable } from '../../symbol-table.js';
import type { FileNames } from './file-names.js';
import { type LineRows, NO_FILE } from './line-rows.js';

/**
 * Adds line rows that no function of the unit covers (assembler, thunks, generated code). File and line are known; the
 * name comes from the symbol table.
 */
export function addBareRows(
  builder: TableBuilder,
  firstBlock: number,
  rows: LineRows,
  files: FileNames,
  symbols: SymbolTable,
  functions: FunctionPool,
  span: CodeSpan,
): void {
  const covered = coveredRanges(builder, firstBlock);
  builder.locations.beginFunction();
  let next = 0;
  for (let row = 0; row + 1 < rows.count; row++) {
    const file = rows.file[row] as number;
    if (file === NO_FILE) continue;
    let from = rows.address[row] as number;
    const to = rows.address[row + 1] as number;
    while (from < to) {
      while (next < covered.length && (covered[next] as Range).high <= from) next++;
      const cover = covered[next];
      if (cover && cover.low <= from) {
        from = cover.high;
        continue;
      }
      const gapEnd = cover ? Math.min(to, cover.low) : to;
      const index = symbols.indexBefore(from + span.origin);
      const symbol = symbols.at(index);
      const isInside = symbol !== undefined && from + span.origin < symbol.end;
      const fn = isInside ? functions.ofSymbol(index) : UNNAMED;
      const bound = isInside ? symbol.end : Number.POSITIVE_INFINITY;
      const nextSymbol = symbols.at(index + 1)?.address ?? Number.POSITIVE_INFINITY;
      const end = Math.min(gapEnd, Math.min(bound, nextSymbol) - span.origin);
      const location = builder.locations.add(
        fn,
        files.number(file),
        rows.line[row] as number,
        rows.column[row] as number,
        -1,
      );
      builder.piece(from, end, location, BARE);
      from = end;
    }
  }
  builder.endBlock();
}

interface Range {
  readonly low: number;
  readonly high: number;
}

function coveredRanges(builder: TableBuilder, firstBlock: number): Range[] {
  const ranges: Range[] = [];
  for (let block = firstBlock; block < builder.blockCount; block++)
    ranges.push({ low: builder.blockLow[block] as number, high: builder.blockHigh[block] as number });
  return ranges.sort((a, b) => a.low - b.low);
}
