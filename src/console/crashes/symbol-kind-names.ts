import type { SymbolKind } from '#documents';

/** Display names of the kinds of symbol files. */
export const SYMBOL_KIND_NAMES: Readonly<Record<SymbolKind, string>> = {
  js_sourcemap: 'JavaScript source map',
  ios_dsym: 'iOS dSYM',
  android_mapping: 'Android mapping',
  android_ndk: 'Android NDK library',
  flutter_symbols: 'Flutter symbols',
};
