import { dashedUuid, normalizeKey } from '../match-key.js';
import { silentSink } from '../native/conversion-sink.js';
import { convertNative } from '../native/convert-native.js';
import { isNativeObject } from '../native/read-objects.js';
import { breakpadTable } from './breakpad-table.js';
import type { ConversionInput, ConvertedFile } from './converted-file.js';
import { eachNativeFile } from './native-files.js';
import { nativeTable } from './native-table.js';
import { TableList } from './table-list.js';

const NO_SYMBOLS =
  'The bundle contains no DWARF file with a UUID. Upload the .dSYM folder as a zip, including Contents/Resources/DWARF.';

/** dSYM bundles: every architecture of every DWARF file in them, keyed by LC_UUID. */
export function convertDsym(input: ConversionInput): ConvertedFile {
  const tables = new TableList(input.path);
  const ids: string[] = [];
  const leftOut = eachNativeFile(input.path, input.originalName, (file) => {
    if (file.name.includes('/') && !/(^|\/)DWARF\/[^/]+$/.test(file.name)) return;
    const bytes = file.read();
    const breakpad = breakpadTable(bytes, file.packedSize);
    if (breakpad !== null) {
      ids.push(dashedUuid(breakpad.id));
      tables.push(breakpad.table);
      return;
    }
    if (!isNativeObject(bytes) && file.name !== input.originalName) return;
    for (const image of convertNative(bytes, silentSink, [], file.packedSize).images) {
      if (image.debugId === null) continue;
      const key = normalizeKey(image.debugId);
      // A bundle may contain the same binary twice.
      if (tables.all.some((table) => table.keys.includes(key))) continue;
      ids.push(dashedUuid(image.debugId));
      tables.push(nativeTable(image, [key]));
    }
  });
  return { matchKey: input.matchKey || ids.join(','), tables: tables.finish(leftOut, NO_SYMBOLS) };
}
