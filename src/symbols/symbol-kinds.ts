import { convertDsym } from './conversion/convert-dsym.js';
import { convertFlutterSymbols } from './conversion/convert-flutter-symbols.js';
import { convertJsSourceMap } from './conversion/convert-js-source-map.js';
import { convertMapping, mappingIdIn } from './conversion/convert-mapping.js';
import { convertNativeLibrary } from './conversion/convert-native-library.js';
import type { ConversionInput, ConvertedFile } from './conversion/converted-file.js';
import { debugIdsIn } from './conversion/native-files.js';
import { dashedUuid } from './match-key.js';

export interface SymbolKindRow {
  description: string;
  /** Converts the file into tables; throws SymbolFileError when it is not of this kind. */
  convert(input: ConversionInput): ConvertedFile;
  /** Reads only the file's own `match_key`, used when the upload gave none; empty when it has none. */
  identify(input: ConversionInput): string;
}

/** Every kind of symbol artifact (docs/rest.md, Symbols). */
export const SYMBOL_KINDS = {
  js_sourcemap: {
    description: 'A source map of a JavaScript bundle, including Metro and Hermes, or the script itself, for its code.',
    convert: convertJsSourceMap,
    identify: ({ originalName }) => originalName.replace(/\.map$/i, ''),
  },
  ios_dsym: {
    description: 'A zip of one or more dSYM bundles, or the Mach-O file in one.',
    convert: convertDsym,
    identify: ({ path, originalName }) => debugIdsIn(path, originalName).map(dashedUuid).join(','),
  },
  android_mapping: {
    description: 'A ProGuard or R8 mapping file.',
    convert: convertMapping,
    identify: ({ path, release }) => mappingIdIn(path) ?? release,
  },
  android_ndk: {
    description:
      'An ELF library or program with debug information, its split debug information package (.dwp), or a zip of these.',
    convert: convertNativeLibrary,
    identify: ({ path, originalName }) => debugIdsIn(path, originalName).join(','),
  },
  flutter_symbols: {
    description: 'The symbols of a Flutter build (--split-debug-info): one file, or its folder as a zip.',
    convert: convertFlutterSymbols,
    identify: ({ path, originalName }) =>
      debugIdsIn(path, originalName).join(',') || originalName.replace(/\.symbols$/, ''),
  },
} as const satisfies Record<string, SymbolKindRow>;

export type SymbolKind = keyof typeof SYMBOL_KINDS;

export const isSymbolKind = (text: unknown): text is SymbolKind =>
  typeof text === 'string' && Object.hasOwn(SYMBOL_KINDS, text);
