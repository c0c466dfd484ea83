import type { SymbolKind } from '#documents';

/** Kinds of symbol files as people call them. */
export const SYMBOL_KIND_NAMES: Readonly<Record<SymbolKind, string>> = {
  js_sourcemap: 'JavaScript source map',
  ios_dsym: 'iOS dSYM',
  android_mapping: 'Android mapping',
  android_ndk: 'Android NDK library',
  flutter_symbols: 'Flutter symbols',
};
