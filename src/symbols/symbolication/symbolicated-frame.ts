import { demangleSymbol } from '../native/demangle/demangle-symbol.js';
import type { SourceFrame } from '../table/open-table.js';
import type { CrashFrame, ReportedFrame } from './crash-frame.js';

/** A reported frame with what a table says of it. */
export function symbolicatedFrame(reported: ReportedFrame, one: SourceFrame, index: number): CrashFrame {
  return {
    ...reported,
    function: one.function,
    ...(one.symbol === undefined ? {} : { signature: demangleSymbol(one.symbol) }),
    file: one.file || null,
    line: one.line || null,
    column: one.column ?? null,
    status: 'symbolicated',
    reason: null,
    reported: index,
    inlined: one.inlined,
  };
}
