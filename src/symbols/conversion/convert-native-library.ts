import { elfKeys, normalizeKey } from '../match-key.js';
import { convertNative } from '../native/convert-native.js';
import { isNativeObject } from '../native/read-objects.js';
import { SymbolFileError } from '../symbol-file-error.js';
import type { ConversionInput, ConvertedFile, ConvertedTable } from './converted-file.js';
import { eachNativeFile } from './native-files.js';

/** Android libraries; events name them by their GNU build id. A stripped one still knows names of functions. */
export function convertNativeLibrary(input: ConversionInput): ConvertedFile {
  const tables: ConvertedTable[] = [];
  const ids: string[] = [];
  eachNativeFile(input.path, input.originalName, (file) => {
    const bytes = file.read();
    if (!isNativeObject(bytes) && file.name !== input.originalName) return;
    for (const image of convertNative(bytes).images) {
      const id = image.debugId ?? (input.matchKey || null);
      if (id === null) continue;
      if (!ids.includes(id)) ids.push(id);
      tables.push({
        format: 'native',
        keys: [
          ...new Set([...elfKeys(id), normalizeKey(id), ...(input.matchKey ? [normalizeKey(input.matchKey)] : [])]),
        ],
        arch: image.arch,
        detail: image.hasDebugInfo ? 'full' : 'names',
        dartSections: null,
        table: image.table,
      });
    }
  });
  if (tables.length === 0) {
    throw new SymbolFileError(
      'no_symbols',
      'No library with a build id was found; link with -Wl,--build-id, or name one by match_key.',
    );
  }
  return { matchKey: input.matchKey || ids.join(','), tables };
}
