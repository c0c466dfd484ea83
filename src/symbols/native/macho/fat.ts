import { SymbolFileError } from '../../symbol-file-error.js';

const FAT_MAGIC = 0xcafebabe;
const FAT_MAGIC_64 = 0xcafebabf;
const MOST_ARCHITECTURES = 64;

export function isFat(bytes: Uint8Array): boolean {
  if (bytes.length < 8) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
  const magic = view.getUint32(0);
  // Java class files begin with the same four bytes, followed by a version of at least 45.
  return (magic === FAT_MAGIC && view.getUint32(4) < 45) || magic === FAT_MAGIC_64;
}

/** The thin files in a universal binary (`mach-o/fat.h`, big-endian). Refuses overlapping slices. */
export function readFatSlices(bytes: Uint8Array): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const is64 = view.getUint32(0) === FAT_MAGIC_64;
  const count = view.getUint32(4);
  const entrySize = is64 ? 32 : 20;
  const tableEnd = 8 + count * entrySize;
  if (count > MOST_ARCHITECTURES || tableEnd > bytes.length)
    throw new SymbolFileError('malformed', `The universal binary declares ${count} architectures.`);
  const slices: Array<{ start: number; end: number }> = [];
  for (let at = 8; at < tableEnd; at += entrySize) {
    const start = is64 ? Number(view.getBigUint64(at + 8)) : view.getUint32(at + 8);
    const size = is64 ? Number(view.getBigUint64(at + 16)) : view.getUint32(at + 12);
    const end = start + size;
    if (start < tableEnd || end > bytes.length)
      throw new SymbolFileError('malformed', 'An architecture of the universal binary is outside the file.');
    if (slices.some((slice) => start < slice.end && slice.start < end))
      throw new SymbolFileError('malformed', 'Two architectures of the universal binary overlap.');
    slices.push({ start, end });
  }
  return slices.map((slice) => bytes.subarray(slice.start, slice.end));
}
