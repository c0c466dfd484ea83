import type { ByteWindow } from './byte-window.js';

/** What the header and section table of an ELF file say about it. */
export interface ElfFacts {
  arch: string;
  buildId: string | null;
  /** `object`: compiler output that is not linked yet. `core`: the memory of a crashed process. */
  type: 'image' | 'object' | 'core';
  hasDebugInfo: boolean;
  hasSymbols: boolean;
  /** `package` holds the units of many files, `unit` those of one. */
  split: 'package' | 'unit' | null;
  isDart: boolean;
}

interface Section {
  name: string;
  type: number;
  offset: number;
  size: number;
}

const ARCHITECTURES: Record<number, string> = {
  3: 'x86',
  8: 'mips',
  40: 'arm',
  62: 'x86_64',
  183: 'arm64',
  243: 'riscv64',
};
const TYPES: Record<number, ElfFacts['type']> = { 1: 'object', 4: 'core' };
const SHT_SYMTAB = 2;
const SHT_STRTAB = 3;
const SHT_NOTE = 7;
const MOST_SECTIONS = 20_000;
const MOST_BYTES = 16 * 1024 * 1024;
const BUILD_ID = 3;

/** Reads a little-endian ELF file (System V ABI, chapters 4 and 5); null when it is not one. */
export async function elfFacts(bytes: ByteWindow): Promise<ElfFacts | null> {
  const header = await bytes.at(0, 64);
  if (header.length < 52 || header.readUInt32BE(0) !== 0x7f454c46 || header[5] !== 1) return null;
  const is64 = header[4] === 2;
  if (is64 && header.length < 64) return null;
  const sections = await sectionsOf(bytes, header, is64);
  const has = (...names: string[]) => sections.some(({ name }) => names.includes(name));
  const type = TYPES[header.readUInt16LE(16)] ?? 'image';
  const isPackage = has('.debug_cu_index');
  const isSplit = has('.debug_info.dwo', '.zdebug_info.dwo');
  return {
    arch: ARCHITECTURES[header.readUInt16LE(18)] ?? `machine ${header.readUInt16LE(18)}`,
    buildId: await buildIdOf(bytes, sections),
    type,
    hasDebugInfo: has('.debug_info', '.zdebug_info', '.debug_line', '.zdebug_line'),
    hasSymbols: sections.some((section) => section.type === SHT_SYMTAB),
    split: isPackage ? 'package' : isSplit && !has('.debug_info', '.zdebug_info') ? 'unit' : null,
    isDart: await hasDartNames(bytes, sections),
  };
}

async function sectionsOf(bytes: ByteWindow, header: Buffer, is64: boolean): Promise<Section[]> {
  const start = is64 ? Number(header.readBigUInt64LE(40)) : header.readUInt32LE(32);
  const entry = header.readUInt16LE(is64 ? 58 : 46);
  const count = Math.min(header.readUInt16LE(is64 ? 60 : 48), MOST_SECTIONS);
  const namesAt = header.readUInt16LE(is64 ? 62 : 50);
  if (start === 0 || entry < (is64 ? 64 : 40)) return [];
  const table = await bytes.at(start, entry * count);
  const rows = Array.from({ length: Math.floor(table.length / entry) }, (_, index) => {
    const row = table.subarray(index * entry, (index + 1) * entry);
    return {
      nameAt: row.readUInt32LE(0),
      type: row.readUInt32LE(4),
      offset: is64 ? Number(row.readBigUInt64LE(24)) : row.readUInt32LE(16),
      size: is64 ? Number(row.readBigUInt64LE(32)) : row.readUInt32LE(20),
    };
  });
  const texts = rows[namesAt];
  const names = texts ? await bytes.at(texts.offset, Math.min(texts.size, MOST_BYTES)) : Buffer.alloc(0);
  return rows.map(({ nameAt, ...row }) => {
    const end = names.indexOf(0, nameAt);
    return { ...row, name: nameAt < names.length && end >= 0 ? names.toString('latin1', nameAt, end) : '' };
  });
}

/** A note holds the lengths of its owner and content, its type, then both, each padded to four bytes. */
async function buildIdOf(bytes: ByteWindow, sections: readonly Section[]): Promise<string | null> {
  for (const { type, offset, size } of sections) {
    if (type !== SHT_NOTE) continue;
    const notes = await bytes.at(offset, Math.min(size, MOST_BYTES));
    for (let at = 0; at + 12 <= notes.length; ) {
      const owner = notes.readUInt32LE(at);
      const length = notes.readUInt32LE(at + 4);
      const content = at + 12 + Math.ceil(owner / 4) * 4;
      const isOfGnu = notes.toString('latin1', at + 12, at + 12 + owner) === 'GNU\0';
      if (isOfGnu && notes.readUInt32LE(at + 8) === BUILD_ID && length > 0 && length <= 64)
        return notes.toString('hex', content, content + length);
      at = content + Math.ceil(length / 4) * 4;
    }
  }
  return null;
}

/** The names Dart's ahead-of-time compiler gives its snapshots, in every app and its symbols. */
async function hasDartNames(bytes: ByteWindow, sections: readonly Section[]): Promise<boolean> {
  for (const { type, offset, size } of sections) {
    if (type !== SHT_STRTAB) continue;
    if ((await bytes.at(offset, Math.min(size, MOST_BYTES))).includes('_kDartIsolateSnapshotInstructions')) return true;
  }
  return false;
}
