import { type ConvertedImage, splitReason } from '../native/convert-native.js';
import type { ConvertedTable } from './converted-file.js';

const STRIPPED =
  'The debug information was stripped. Upload the unstripped file from the linker, not the one from the package.';

/** A converted image's level of detail, and why it is not higher. */
export function detailOf(image: ConvertedImage): Pick<ConvertedTable, 'detail' | 'detailReason'> {
  const reason = image.missingSplits === null ? image.separateDebugInfo : splitReason(image.missingSplits);
  if (image.hasDebugInfo) return { detail: 'full', detailReason: reason };
  return { detail: 'names', detailReason: reason ?? STRIPPED };
}
