import { SymbolFileError } from '../../symbol-file-error.js';
import { SectionInflater } from '../compression.js';
import type { DwarfSection, ObjectImage } from '../object-image.js';
import { type MachoFile, type MachoSection, readMachoCommands } from './macho-commands.js';
import { readMachoSymbols } from './macho-symbols.js';

const EMPTY = new Uint8Array(0);
const CPU_ARCH_ABI64 = 0x01000000;
const CPU_ARCH_ABI64_32 = 0x02000000;
const VM_PROT_EXECUTE = 4;
const SECTION_NAME_LENGTH = 16;

/** Reads one architecture of a Mach-O file: a dSYM's DWARF file, a dylib or an executable. */
export function readMacho(bytes: Uint8Array, packedSize: number): ObjectImage {
  const file = readMachoCommands(bytes);
  const byName = new Map<string, MachoSection>();
  for (const section of file.sections) {
    if (!byName.has(section.name)) byName.set(section.name, section);
  }
  const inflater = new SectionInflater(packedSize);
  return {
    kind: 'macho',
    arch: machoArchitecture(file.cpuType, file.cpuSubtype),
    debugId: file.uuid,
    imageBase: file.segments.find((segment) => segment.name === '__TEXT')?.address ?? 0,
    size: bytes.length,
    packedSize,
    codeRanges: codeRanges(file),
    separateDebugInfo: null,
    symbols: readMachoSymbols(bytes, file, packedSize),
    section(name: DwarfSection): Uint8Array {
      const plain = byName.get(`__${name}`.slice(0, SECTION_NAME_LENGTH));
      if (plain) return contentOf(bytes, plain);
      const old = byName.get(`__z${name}`.slice(0, SECTION_NAME_LENGTH));
      return old ? inflater.zdebugSection(contentOf(bytes, old)) : EMPTY;
    },
  };
}

/** Apple's name for a CPU type and subtype (`mach/machine.h`); empty when unknown. */
function machoArchitecture(cpuType: number, cpuSubtype: number): string {
  if (cpuType === 7) return 'i386';
  if (cpuType === (7 | CPU_ARCH_ABI64)) return cpuSubtype === 8 ? 'x86_64h' : 'x86_64';
  if (cpuType === (12 | CPU_ARCH_ABI64)) return cpuSubtype === 2 ? 'arm64e' : 'arm64';
  if (cpuType === (12 | CPU_ARCH_ABI64_32)) return 'arm64_32';
  if (cpuType === 12) return ARM_SUBTYPES.get(cpuSubtype) ?? 'arm';
  return '';
}

const ARM_SUBTYPES = new Map<number, string>([
  [6, 'armv6'],
  [9, 'armv7'],
  [11, 'armv7s'],
  [12, 'armv7k'],
]);

function contentOf(bytes: Uint8Array, section: MachoSection): Uint8Array {
  if (section.size === 0) return EMPTY;
  if (section.offset + section.size > bytes.length)
    throw new SymbolFileError('truncated', 'A section extends past the end of the file.');
  return bytes.subarray(section.offset, section.offset + section.size);
}

function codeRanges(file: MachoFile): Array<readonly [number, number]> {
  return file.segments
    .filter((segment) => (segment.protection & VM_PROT_EXECUTE) !== 0 && segment.size > 0)
    .map((segment) => [segment.address, segment.address + segment.size] as const)
    .sort((a, b) => a[0] - b[0]);
}
