import { SymbolFileError } from '../symbol-file-error.js';
import { readElf } from './elf/elf.js';
import { isElf } from './elf/elf-header.js';
import { isFat, readFatSlices } from './macho/fat.js';
import { readMacho } from './macho/macho.js';
import { isMacho } from './macho/macho-commands.js';
import type { ObjectImage } from './object-image.js';

/**
 * A reader for each architecture in an ELF, Mach-O or universal file. The readers also throw `SymbolFileError`.
 * `packedSize`: the file's size in the upload, if an archive compressed it.
 */
export function objectReaders(bytes: Uint8Array, packedSize = bytes.length): Array<() => ObjectImage> {
  if (isElf(bytes)) return [() => readElf(bytes, packedSize)];
  if (isMacho(bytes)) return [() => readMacho(bytes, packedSize)];
  if (isFat(bytes)) {
    const packed = packedSize / bytes.length;
    return readFatSlices(bytes).map((slice) => () => readSlice(slice, Math.ceil(slice.length * packed)));
  }
  const found = OTHERS.find(([magic]) => Buffer.from(magic, 'latin1').equals(bytes.subarray(0, magic.length)));
  throw new SymbolFileError('not_recognized', `The file is neither ELF nor Mach-O${found ? `, but ${found[1]}` : ''}.`);
}

/** Files that are uploaded by mistake, and what to do instead. */
const OTHERS: readonly (readonly [magic: string, what: string])[] = [
  ['\x1f\x8b', 'compressed with gzip: upload its content'],
  ['\x28\xb5\x2f\xfd', 'compressed with zstd: upload its content'],
  ['\xfd7zXZ', 'compressed with xz: upload its content'],
  ['Microsoft C/C++ MSF', 'a PDB, which is not supported: convert it with dump_syms and upload the .sym file'],
  ['MZ', 'a Windows program: convert its PDB with dump_syms and upload the .sym file'],
  ['\0asm', 'a WebAssembly module, whose DWARF is not supported: upload its source map'],
  ['BSJB', 'a .NET portable PDB, which is not supported'],
  ['!<arch>\n', 'a static library: upload the binary it is linked into'],
];

function readSlice(slice: Uint8Array, packedSize: number): ObjectImage {
  if (!isMacho(slice))
    throw new SymbolFileError('unsupported', 'The universal binary contains other files than Mach-O.');
  return readMacho(slice, packedSize);
}

/** Whether the file begins like one that `objectReaders` supports. */
export const isNativeObject = (bytes: Uint8Array): boolean => isElf(bytes) || isMacho(bytes) || isFat(bytes);

/** Every architecture in the file. Throws `SymbolFileError` when one cannot be read. */
export function readObjects(bytes: Uint8Array, packedSize = bytes.length): ObjectImage[] {
  return objectReaders(bytes, packedSize).map((read) => read());
}
