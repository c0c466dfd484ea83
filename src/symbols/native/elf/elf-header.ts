import { SymbolFileError } from '../../symbol-file-error.js';
import { ByteReader } from '../byte-reader.js';

const SHN_XINDEX = 0xffff;
const LARGEST_SECTION_COUNT = 1_000_000;

export interface ElfSection {
  readonly name: number;
  readonly type: number;
  readonly flags: number;
  readonly address: number;
  readonly offset: number;
  readonly size: number;
  readonly link: number;
  readonly entrySize: number;
}

export interface ElfSegment {
  readonly type: number;
  readonly flags: number;
  readonly offset: number;
  readonly address: number;
  readonly fileSize: number;
  readonly memorySize: number;
}

export interface ElfHeader {
  readonly is64: boolean;
  /** `ElfType`, or another number. */
  readonly type: number;
  readonly machine: number;
  readonly sections: readonly ElfSection[];
  readonly segments: readonly ElfSegment[];
  readonly nameSection: number;
}

export const ElfType = { relocatable: 1, core: 4 } as const;

export function isElf(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && bytes[0] === 0x7f && bytes[1] === 0x45 && bytes[2] === 0x4c && bytes[3] === 0x46;
}

/** Header, section and program headers of a little-endian ELF file (System V ABI, chapters 4 and 5). */
export function readElfHeader(bytes: Uint8Array): ElfHeader {
  const reader = new ByteReader(bytes);
  reader.skip(4);
  const elfClass = reader.u8();
  if (elfClass !== 1 && elfClass !== 2)
    throw new SymbolFileError('malformed', `ELF class ${elfClass} is neither 32 nor 64 bits.`);
  if (reader.u8() !== 1) throw new SymbolFileError('unsupported', 'Only little-endian ELF files are supported.');
  const is64 = elfClass === 2;
  const word = is64 ? 8 : 4;
  reader.seek(16);
  const type = reader.u16();
  const machine = reader.u16();
  reader.skip(4 + word);
  const segmentOffset = reader.uint(word);
  const sectionOffset = reader.uint(word);
  reader.skip(4 + 2);
  const segmentSize = reader.u16();
  const segmentCount = reader.u16();
  const sectionSize = reader.u16();
  let sectionCount = reader.u16();
  let nameSection = reader.u16();

  const sections: ElfSection[] = [];
  if (sectionOffset !== 0) {
    if (sectionSize < (is64 ? 64 : 40)) throw new SymbolFileError('malformed', 'ELF section headers are too small.');
    const first = readSection(new ByteReader(bytes, checked(sectionOffset, bytes)), is64);
    if (sectionCount === 0) sectionCount = first.size;
    if (nameSection === SHN_XINDEX) nameSection = first.link;
    if (sectionCount > LARGEST_SECTION_COUNT || sectionOffset + sectionCount * sectionSize > bytes.length)
      throw new SymbolFileError('truncated', `The file declares ${sectionCount} sections but ends before them.`);
    for (let index = 0; index < sectionCount; index++)
      sections.push(readSection(new ByteReader(bytes, sectionOffset + index * sectionSize), is64));
  }
  const segments: ElfSegment[] = [];
  if (segmentOffset !== 0 && segmentCount !== 0) {
    if (segmentSize < (is64 ? 56 : 32)) throw new SymbolFileError('malformed', 'ELF program headers are too small.');
    for (let index = 0; index < segmentCount; index++)
      segments.push(readSegment(new ByteReader(bytes, checked(segmentOffset + index * segmentSize, bytes)), is64));
  }
  return { is64, type, machine, sections, segments, nameSection };
}

function checked(offset: number, bytes: Uint8Array): number {
  if (offset > bytes.length) throw new SymbolFileError('truncated', 'An ELF header table is past the end of the file.');
  return offset;
}

function readSection(reader: ByteReader, is64: boolean): ElfSection {
  const word = is64 ? 8 : 4;
  const name = reader.u32();
  const type = reader.u32();
  const flags = reader.uint(word);
  const address = reader.uint(word);
  const offset = reader.uint(word);
  const size = reader.uint(word);
  const link = reader.u32();
  reader.skip(4 + word);
  return { name, type, flags, address, offset, size, link, entrySize: reader.uint(word) };
}

function readSegment(reader: ByteReader, is64: boolean): ElfSegment {
  const type = reader.u32();
  if (is64) {
    const flags = reader.u32();
    const offset = reader.u64();
    const address = reader.u64();
    reader.skip(8);
    return { type, flags, offset, address, fileSize: reader.u64(), memorySize: reader.u64() };
  }
  const offset = reader.u32();
  const address = reader.u32();
  reader.skip(4);
  const fileSize = reader.u32();
  const memorySize = reader.u32();
  return { type, flags: reader.u32(), offset, address, fileSize, memorySize };
}
