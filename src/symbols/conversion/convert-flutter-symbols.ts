import { normalizeKey } from '../match-key.js';
import { silentSink } from '../native/conversion-sink.js';
import { convertNative } from '../native/convert-native.js';
import { isNativeObject, readObjects } from '../native/read-objects.js';
import type { ConversionInput, ConvertedFile } from './converted-file.js';
import { eachNativeFile } from './native-files.js';
import { nativeTable } from './native-table.js';
import { TableList } from './table-list.js';

const ISOLATE = '_kDartIsolateSnapshotInstructions';
const VM = '_kDartVmSnapshotInstructions';

const NO_SYMBOLS = 'No symbols file found. Upload the --split-debug-info folder as a zip.';

/**
 * Symbols of a Flutter build, keyed by build id. iOS symbols have none: they are keyed by the upload's `match_key` or
 * else their file name, and events find them by release and architecture.
 */
export function convertFlutterSymbols(input: ConversionInput): ConvertedFile {
  const tables = new TableList(input.path);
  const ids: string[] = [];
  const leftOut = eachNativeFile(input.path, input.originalName, (file) => {
    const bytes = file.read();
    if (!isNativeObject(bytes) && file.name !== input.originalName) return;
    const base = file.name.slice(file.name.lastIndexOf('/') + 1);
    const sections = dartSections(bytes);
    for (const image of convertNative(bytes, silentSink, [], file.packedSize).images) {
      const id = image.debugId ?? (input.matchKey || base.replace(/\.symbols$/, ''));
      if (!ids.includes(id)) ids.push(id);
      tables.push(nativeTable(image, [id, input.matchKey || id].map(normalizeKey), sections));
    }
  });
  return { matchKey: input.matchKey || ids.join(','), tables: tables.finish(leftOut, NO_SYMBOLS) };
}

function dartSections(bytes: Buffer): { isolate: string | null; vm: string | null } {
  const found = new Map<string, string>();
  const symbols = readObjects(bytes)[0]?.symbols;
  for (let index = 0; symbols !== undefined && index < symbols.length; index++) {
    const symbol = symbols.at(index);
    if (symbol === undefined) continue;
    const name = symbols.name(symbol);
    if (name === ISOLATE || name === VM) found.set(name, symbol.address.toString(16));
  }
  return { isolate: found.get(ISOLATE) ?? null, vm: found.get(VM) ?? null };
}
