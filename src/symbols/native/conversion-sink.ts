import type { SymbolFileCode } from '../symbol-file-error.js';

/** A part that could not be read, and where. */
export interface ConversionNotice {
  readonly code: SymbolFileCode;
  readonly reason: string;
  readonly where: string;
}

/** Receives the parts of a file that had to be left out of the conversion. */
export interface ConversionSink {
  notice(notice: ConversionNotice): void;
}

/** A sink that ignores everything. */
export const silentSink: ConversionSink = { notice: () => {} };
