import { SymbolFileError } from '../symbol-file-error.js';
import { readElf } from './elf/elf.js';
import { isElf } from './elf/elf-header.js';
import { isFat, readFatSlices } from './macho/fat.js';
import { readMacho } from './macho/macho.js';
import { isMacho } from './macho/macho-commands.js';
import type { ObjectImage } from './object-image.js';

/** A reader for each architecture in an ELF, Mach-O or universal file. The readers, too, throw `SymbolFileError`. */
export function objectReaders(bytes: Uint8Array): Array<() => ObjectImage> {
  if (isElf(bytes)) return [() => readElf(bytes)];
  if (isMacho(bytes)) return [() => readMacho(bytes)];
  if (isFat(bytes)) return readFatSlices(bytes).map((slice) => () => readSlice(slice));
  throw new SymbolFileError('not_recognized', 'The file is neither ELF nor Mach-O.');
}

function readSlice(slice: Uint8Array): ObjectImage {
  if (!isMacho(slice)) throw new SymbolFileError('unsupported', 'The universal binary holds more than Mach-O files.');
  return readMacho(slice);
}

/** Whether the file begins like one that `objectReaders` reads. */
export function isNativeObject(bytes: Uint8Array): boolean {
  return isElf(bytes) || isMacho(bytes) || isFat(bytes);
}

/** Every architecture in the file. Throws `SymbolFileError` when one of them cannot be read. */
export function readObjects(bytes: Uint8Array): ObjectImage[] {
  return objectReaders(bytes).map((read) => read());
}
