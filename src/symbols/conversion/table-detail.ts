import { type ConvertedImage, splitReason } from '../native/convert-native.js';
import type { ConvertedTable } from './converted-file.js';

const STRIPPED =
  'The debug information was stripped from it: upload the file as the linker wrote it, before it is stripped for the package.';

/** What a converted image knows, and why it does not know more. */
export function detailOf(image: ConvertedImage): Pick<ConvertedTable, 'detail' | 'detailReason'> {
  const reason = image.missingSplits === null ? null : splitReason(image.missingSplits);
  if (image.hasDebugInfo) return { detail: 'full', detailReason: reason };
  return { detail: 'names', detailReason: reason ?? STRIPPED };
}
