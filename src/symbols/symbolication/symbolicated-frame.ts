import { LRUCache } from 'lru-cache';
import { demangleSymbol } from '../native/demangle/demangle-symbol.js';
import type { SourceFrame } from '../table/open-table.js';
import type { CrashFrame, ReportedFrame } from './crash-frame.js';

const NAMES_ONLY = 'The stored symbols know no more than the name.';

/** Signatures by symbol: the same few functions stand in the crashes of a release, and to read a long template takes a while. */
const signatures = new LRUCache<string, string>({ max: 4_096 });

/** A reported frame with what a table says about it. */
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
