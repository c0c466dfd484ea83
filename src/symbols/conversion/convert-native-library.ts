import { elfKeys, normalizeKey } from '../match-key.js';
import { silentSink } from '../native/conversion-sink.js';
import { type ConvertedImage, convertNative } from '../native/convert-native.js';
import { packagedUnitIds } from '../native/dwarf/split/joined-packages.js';
import { isNativeObject, readObjects } from '../native/read-objects.js';
import { breakpadTable } from './breakpad-table.js';
import type { ConversionInput, ConvertedFile, ConvertedTable } from './converted-file.js';
import { eachNativeFile } from './native-files.js';
import { nativeTable } from './native-table.js';
import { splitKey, splitPackages } from './split-packages.js';
import { TableList } from './table-list.js';

const NO_SYMBOLS = 'No library with a build id found. Link with -Wl,--build-id, or set match_key for a single library.';

/**
 * Maximum number of ids by which a file without its packages is found when one arrives; the rest are looked up once
 * some are known.
 */
const MOST_WANTED = 10_000;

/**
 * Android libraries and Linux programs; events refer to them by GNU build id. A stripped one still has function names.
 * Split debug information is read from packages in the same archive or uploaded separately.
 */
export function convertNativeLibrary(input: ConversionInput): ConvertedFile {
  const tables = new TableList(input.path);
  const ids: string[] = [];
  const packages = splitPackages({ path: input.path, name: input.originalName }, input.packages ?? []);
  const leftOut = eachNativeFile(input.path, input.originalName, (file) => {
    const bytes = file.read();
    const breakpad = breakpadTable(bytes, file.packedSize);
    if (breakpad !== null) {
      ids.push(breakpad.id);
      tables.push(breakpad.table);
      return;
    }
    if (!isNativeObject(bytes) && file.name !== input.originalName) return;
    const packed = isNativeObject(bytes) ? packageTable(bytes, file.packedSize) : null;
    if (packed !== null) {
      if (file.name === input.originalName) tables.push(packed);
      return;
    }
    for (const image of convertNative(bytes, silentSink, packages, file.packedSize).images) {
      const id = image.debugId ?? (input.matchKey || null);
      if (id === null) continue;
      if (!ids.includes(id)) ids.push(id);
      tables.push(tableOf(image, id, input.matchKey));
    }
  });
  return {
    matchKey: input.matchKey || ids.join(',') || input.originalName,
    tables: tables.finish(leftOut, NO_SYMBOLS),
  };
}

function tableOf(image: ConvertedImage, id: string, matchKey: string): ConvertedTable {
  const wanted = (image.missingSplits?.ids ?? []).slice(0, MOST_WANTED).map(splitKey);
  return nativeTable(image, [
    ...elfKeys(id),
    normalizeKey(id),
    ...(matchKey ? [normalizeKey(matchKey)] : []),
    ...wanted,
  ]);
}

/** A package alone has no table; it is found by its units and read together with the file that lacks them. */
function packageTable(bytes: Uint8Array, packedSize: number): ConvertedTable | null {
  const [image] = readObjects(bytes, packedSize);
  const units = image === undefined ? [] : packagedUnitIds(image);
  if (image === undefined || units.length === 0) return null;
  return {
    format: 'split_package',
    keys: units.map(splitKey),
    arch: image.arch,
    detail: 'full',
    detailReason: null,
    dartSections: null,
    table: new Uint8Array(0),
  };
}
