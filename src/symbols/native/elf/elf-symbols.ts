import { SymbolFileError } from '../../symbol-file-error.js';
import { ByteReader } from '../byte-reader.js';
import { SymbolList, SymbolTable } from '../symbol-table.js';
import type { ElfHeader, ElfSection } from './elf-header.js';

const SHT_SYMTAB = 2;
const SHT_STRTAB = 3;
const SHT_DYNSYM = 11;
const SHT_NOBITS = 8;
const SHF_ALLOC = 2;
const EM_ARM = 40;
const EM_AARCH64 = 183;
const STT_NOTYPE = 0;
const STT_OBJECT = 1;
const STT_FUNC = 2;
const STT_GNU_IFUNC = 10;
const DOLLAR = 0x24;

/** The full symbol table, or the dynamic one of a stripped library. */
export function readElfSymbols(bytes: Uint8Array, header: ElfHeader, packedSize: number): SymbolTable {
  const full = header.sections.find((section) => section.type === SHT_SYMTAB && section.size > 0);
  const table = full ?? header.sections.find((section) => section.type === SHT_DYNSYM && section.size > 0);
  if (!table) return SymbolTable.empty;
  const strings = header.sections[table.link];
  if (!strings || strings.type !== SHT_STRTAB)
    throw new SymbolFileError('malformed', 'The symbol table has no string table.');
  const names = bytes.subarray(strings.offset, strings.offset + strings.size);
  const { sized, marks } = rawSymbols(bytes, header, table, names, packedSize);
  const functions = SymbolTable.from(sized, names);
  const before = sized.length;
  for (let index = 0; index < marks.length; index++) {
    const { address, end, nameOffset } = marks.at(index);
    if (functions.find(address) === undefined) sized.add(address, end, nameOffset);
  }
  return sized.length === before ? functions : SymbolTable.from(sized, names);
}

/** Symbols with a size, and labels without one, which yield to sized functions. */
function rawSymbols(
  bytes: Uint8Array,
  header: ElfHeader,
  table: ElfSection,
  names: Uint8Array,
  packedSize: number,
): { sized: SymbolList; marks: SymbolList } {
  const sized = new SymbolList(packedSize);
  const marks = new SymbolList(packedSize);
  const entrySize = header.is64 ? 24 : 16;
  const end = Math.min(bytes.length, table.offset + table.size);
  const marksCode = header.machine === EM_ARM || header.machine === EM_AARCH64;
  const reader = new ByteReader(bytes);
  for (let at = table.offset; at + entrySize <= end; at += entrySize) {
    reader.seek(at);
    const nameOffset = reader.u32();
    let info = 0;
    let sectionIndex = 0;
    let address = 0;
    let size = 0;
    if (header.is64) {
      info = reader.u8();
      reader.skip(1);
      sectionIndex = reader.u16();
      address = reader.u64();
      size = reader.u64();
    } else {
      address = reader.u32();
      size = reader.u32();
      info = reader.u8();
      reader.skip(1);
      sectionIndex = reader.u16();
    }
    const type = info & 0xf;
    if (type !== STT_NOTYPE && type !== STT_OBJECT && type !== STT_FUNC && type !== STT_GNU_IFUNC) continue;
    const section = header.sections[sectionIndex];
    if (sectionIndex === 0 || !section || (section.flags & SHF_ALLOC) === 0) continue;
    const first = names[nameOffset];
    if (first === undefined || first === 0) continue;
    if (type === STT_NOTYPE && marksCode && first === DOLLAR) continue;
    if (header.machine === EM_ARM && type === STT_FUNC) address -= address % 2;
    if (size > 0) sized.add(address, address + size, nameOffset);
    else marks.add(address, openEnd(section, section.address + section.size), nameOffset);
  }
  return { sized, marks };
}

/** A symbol without size extends to the next one, at most to the end of its section. */
function openEnd(section: ElfSection, sectionEnd: number): number {
  return section.size > 0 || section.type === SHT_NOBITS ? sectionEnd : Number.MAX_SAFE_INTEGER;
}
