import { dashedUuid } from '../../match-key.js';
import { SymbolFileError } from '../../symbol-file-error.js';
import { ByteReader } from '../byte-reader.js';
import { textAt } from '../text-at.js';

const MH_MAGIC = 0xfeedface;
const MH_MAGIC_64 = 0xfeedfacf;
const LC_SEGMENT = 0x1;
const LC_SYMTAB = 0x2;
const LC_SEGMENT_64 = 0x19;
const LC_UUID = 0x1b;

export interface MachoSection {
  readonly name: string;
  readonly segment: string;
  readonly address: number;
  readonly size: number;
  readonly offset: number;
}

export interface MachoSegment {
  readonly name: string;
  readonly address: number;
  readonly size: number;
  readonly protection: number;
}

export interface MachoFile {
  readonly is64: boolean;
  readonly cpuType: number;
  readonly cpuSubtype: number;
  readonly uuid: string | null;
  readonly segments: readonly MachoSegment[];
  /** In load order: a symbol's section number is an index into this list plus one. */
  readonly sections: readonly MachoSection[];
  readonly symtab: { symbols: number; count: number; strings: number; stringSize: number } | null;
}

export function isMacho(bytes: Uint8Array): boolean {
  const magic = magicOf(bytes);
  return magic === MH_MAGIC || magic === MH_MAGIC_64;
}

/** Header and load commands of a thin little-endian Mach-O file (`mach-o/loader.h`). */
export function readMachoCommands(bytes: Uint8Array): MachoFile {
  const reader = new ByteReader(bytes);
  const is64 = reader.u32() === MH_MAGIC_64;
  const cpuType = reader.u32();
  const cpuSubtype = reader.u32() & 0xffffff;
  reader.skip(4);
  const count = reader.u32();
  const size = reader.u32();
  reader.skip(is64 ? 8 : 4);
  if (count * 8 > size) throw new SymbolFileError('malformed', `${count} load commands do not fit into ${size} bytes.`);
  const commandsEnd = reader.pos + size;

  let uuid: string | null = null;
  let symtab: MachoFile['symtab'] = null;
  const segments: MachoSegment[] = [];
  const sections: MachoSection[] = [];
  for (let index = 0; index < count; index++) {
    const start = reader.pos;
    const command = reader.u32();
    const commandSize = reader.u32();
    if (commandSize < 8 || start + commandSize > commandsEnd)
      throw new SymbolFileError('malformed', `Load command ${index} has an impossible size of ${commandSize} bytes.`);
    if (command === LC_UUID) {
      if (uuid !== null) throw new SymbolFileError('malformed', 'The file has two UUIDs.');
      uuid = dashedUuid(Buffer.from(reader.view(16)).toString('hex')).toUpperCase();
    } else if (command === LC_SYMTAB) {
      symtab = { symbols: reader.u32(), count: reader.u32(), strings: reader.u32(), stringSize: reader.u32() };
    } else if (command === LC_SEGMENT_64 || command === LC_SEGMENT) {
      readSegment(
        new ByteReader(bytes, reader.pos, start + commandSize),
        command === LC_SEGMENT_64,
        segments,
        sections,
      );
    }
    reader.seek(start + commandSize);
  }
  return { is64, cpuType, cpuSubtype, uuid, segments, sections, symtab };
}

function readSegment(reader: ByteReader, is64: boolean, segments: MachoSegment[], sections: MachoSection[]): void {
  const word = is64 ? 8 : 4;
  const name = fixedName(reader);
  const address = reader.uint(word);
  const size = reader.uint(word);
  reader.skip(word * 2 + 4);
  const protection = reader.u32();
  const count = reader.u32();
  reader.skip(4);
  const sectionSize = is64 ? 80 : 68;
  if (count * sectionSize > reader.remaining)
    throw new SymbolFileError('malformed', `A segment declares ${count} sections but has no room for them.`);
  segments.push({ name, address, size, protection });
  for (let index = 0; index < count; index++) {
    const next = reader.pos + sectionSize;
    const sectionName = fixedName(reader);
    const segment = fixedName(reader);
    const sectionAddress = reader.uint(word);
    const bytes = reader.uint(word);
    sections.push({ name: sectionName, segment, address: sectionAddress, size: bytes, offset: reader.u32() });
    reader.seek(next);
  }
}

const fixedName = (reader: ByteReader): string => textAt(reader.view(16), 0);

function magicOf(bytes: Uint8Array): number {
  return bytes.length < 28 ? 0 : new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
}
