import { LRUCache } from 'lru-cache';
import { demangleSymbol } from '../native/demangle/demangle-symbol.js';
import type { SourceFrame } from '../table/open-table.js';
import type { CrashFrame, ReportedFrame } from './crash-frame.js';

const NAMES_ONLY = 'The stored symbols contain only the name.';

/** Signatures by symbol: crashes of a release share a few functions, and long templates take a while to demangle. */
const signatures = new LRUCache<string, string>({ max: 4_096 });

export function symbolicatedFrame(reported: ReportedFrame, one: SourceFrame, index: number): CrashFrame {
  return {
    function: one.function,
    signature: one.symbol === undefined ? undefined : signatureOf(one.symbol),
    file: one.file || null,
    line: one.line || null,
    column: one.column ?? null,
    address: reported.address,
    module: reported.module,
    inApp: reported.inApp,
    status: 'symbolicated',
    reason: one.file === '' && one.line === 0 ? NAMES_ONLY : null,
    reported: index,
    inlined: one.inlined,
  };
}

function signatureOf(symbol: string): string {
  let signature = signatures.get(symbol);
  if (signature === undefined) {
    signature = demangleSymbol(symbol);
    signatures.set(symbol, signature);
  }
  return signature;
}
