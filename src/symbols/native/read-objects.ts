import { SymbolFileError } from '../symbol-file-error.js';
import { readElf } from './elf/elf.js';
import { isElf } from './elf/elf-header.js';
import { isFat, readFatSlices } from './macho/fat.js';
import { readMacho } from './macho/macho.js';
import { isMacho } from './macho/macho-commands.js';
import type { ObjectImage } from './object-image.js';

/**
 * A reader for each architecture in an ELF, Mach-O or universal file. The readers, too, throw `SymbolFileError`. `packedSize`: bytes of the
 * file in the upload, where an archive packed it.
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

/** What is uploaded by mistake, and what to do. */
const OTHERS: readonly (readonly [magic: string, what: string])[] = [
  ['\x1f\x8b', 'packed by gzip: upload what is in it'],
  ['\x28\xb5\x2f\xfd', 'packed by zstd: upload what is in it'],
  ['\xfd7zXZ', 'packed by xz: upload what is in it'],
  ['Microsoft C/C++ MSF', 'a PDB, which is not read: make a Breakpad file of it with dump_syms, and upload the .sym'],
  ['MZ', 'a Windows program: make a Breakpad file of its PDB with dump_syms, and upload the .sym'],
  ['\0asm', 'a WebAssembly module, whose DWARF is not read: upload its source map'],
  ['BSJB', 'a portable PDB of .NET, which is not read'],
  ['!<arch>\n', 'a static library: upload what it is linked into'],
];

function readSlice(slice: Uint8Array, packedSize: number): ObjectImage {
  if (!isMacho(slice)) throw new SymbolFileError('unsupported', 'The universal binary holds more than Mach-O files.');
  return readMacho(slice, packedSize);
}

/** Whether the file begins like one that `objectReaders` reads. */
export const isNativeObject = (bytes: Uint8Array): boolean => isElf(bytes) || isMacho(bytes) || isFat(bytes);

/** Every architecture in the file. Throws `SymbolFileError` when one of them cannot be read. */
export function readObjects(bytes: Uint8Array, packedSize = bytes.length): ObjectImage[] {
  return objectReaders(bytes, packedSize).map((read) => read());
}
