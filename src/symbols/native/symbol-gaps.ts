import type { EntryList } from '../table/assemble-entries.js';
import type { LocationPool } from '../table/location-pool.js';
import { NO_LOCATION } from '../table/table-format.js';
import type { CodeSpan } from './code-span.js';
import type { FunctionPool } from './function-pool.js';
import type { SymbolTable } from './symbol-table.js';

/** Names addresses without debug information from the symbol table. */
export function fillWithSymbols(
  low: number,
  high: number,
  list: EntryList,
  symbols: SymbolTable,
  functions: FunctionPool,
  locations: LocationPool,
  span: CodeSpan,
): void {
  let index = Math.max(0, symbols.indexBefore(low + span.origin));
  for (; index < symbols.length; index++) {
    const symbol = symbols.at(index);
    if (!symbol) break;
    const start = Math.max(low, symbol.address - span.origin);
    if (start >= high) break;
    const next = symbols.at(index + 1)?.address ?? Number.POSITIVE_INFINITY;
    const end = Math.min(symbol.end, next) - span.origin;
    if (end <= start) continue;
    locations.beginFunction();
    list.push(start, locations.add(functions.ofSymbol(index), 0, 0, 0, -1));
    if (end < high) list.push(end, NO_LOCATION);
  }
}
