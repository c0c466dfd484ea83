import type { SymbolFileCode } from '../symbol-file-error.js';

export interface ConversionNotice {
  readonly code: SymbolFileCode;
  readonly reason: string;
  readonly where: string;
}

/** Receives the parts of a file that had to be left out of the conversion. */
export interface ConversionSink {
  notice(notice: ConversionNotice): void;
}

export const silentSink: ConversionSink = { notice: () => {} };
