import { demangleSymbol } from '../native/demangle/demangle-symbol.js';
import type { SourceFrame } from '../table/open-table.js';
import type { CrashFrame, ReportedFrame } from './crash-frame.js';

const NAMES_ONLY = 'The stored symbols know no more than the name.';

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
    reason: one.file === '' && one.line === 0 ? NAMES_ONLY : null,
    reported: index,
    inlined: one.inlined,
  };
}
