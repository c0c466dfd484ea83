import { ByteReader } from '../byte-reader.js';
import { SymbolList, SymbolTable } from '../symbol-table.js';
import type { MachoFile } from './macho-commands.js';

const N_STAB = 0xe0;
const N_TYPE = 0x0e;
const N_SECT = 0x0e;

/** Symbols defined in a section. A symbol extends to the next one, at most to the end of its section. */
export function readMachoSymbols(bytes: Uint8Array, file: MachoFile, packedSize: number): SymbolTable {
  const { symtab } = file;
  if (!symtab) return SymbolTable.empty;
  const entrySize = file.is64 ? 16 : 12;
  const count = Math.min(symtab.count, Math.floor(Math.max(0, bytes.length - symtab.symbols) / entrySize));
  const strings = bytes.subarray(symtab.strings, symtab.strings + symtab.stringSize);
  const found = new SymbolList(packedSize);
  if (count === 0) return SymbolTable.empty;
  const reader = new ByteReader(bytes, symtab.symbols);
  for (let index = 0; index < count; index++) {
    const nameOffset = reader.u32();
    const type = reader.u8();
    const section = file.sections[reader.u8() - 1];
    reader.skip(2);
    const address = file.is64 ? reader.u64() : reader.u32();
    if ((type & N_STAB) !== 0 || (type & N_TYPE) !== N_SECT || !section) continue;
    found.add(address, section.address + section.size, nameOffset);
  }
  return SymbolTable.from(found, strings, '_');
}
