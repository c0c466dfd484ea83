import type { SymbolSource } from '../../../src/symbols/symbolication/symbol-source.js';

/** A source without any symbols. */
export const NO_SYMBOLS: SymbolSource = {
  native: async () => null,
  flutter: async () => null,
  sourceMap: async () => null,
  script: async () => null,
  mapping: async () => null,
};
