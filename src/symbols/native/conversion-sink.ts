import type { SymbolFileCode } from '../symbol-file-error.js';

export interface ConversionNotice {
  readonly code: SymbolFileCode;
  readonly reason: string;
  readonly where: string;
}

/** Notified of parts of a file that had to be left out while the rest was converted. */
export interface ConversionSink {
  notice(notice: ConversionNotice): void;
}

export const silentSink: ConversionSink = { notice: () => {} };
