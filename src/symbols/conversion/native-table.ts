import { type ConvertedImage, splitReason } from '../native/convert-native.js';
import type { ConvertedTable } from './converted-file.js';

const STRIPPED =
  'The debug information was stripped. Upload the unstripped file from the linker, not the one from the package.';

/** The table of a converted image under these keys, with its level of detail and why it is not higher. */
export function nativeTable(
  { arch, table, hasDebugInfo, missingSplits, separateDebugInfo }: ConvertedImage,
  keys: readonly string[],
  dartSections: ConvertedTable['dartSections'] = null,
): ConvertedTable {
  const reason = missingSplits === null ? separateDebugInfo : splitReason(missingSplits);
  return {
    format: 'native',
    keys: [...new Set(keys)],
    arch,
    detail: hasDebugInfo ? 'full' : 'names',
    detailReason: hasDebugInfo ? reason : (reason ?? STRIPPED),
    dartSections,
    table,
  };
}
