import { SymbolFileError } from '../../symbol-file-error.js';
import { SectionInflater } from '../compression.js';
import type { DwarfSection, ObjectImage } from '../object-image.js';
import { textAt } from '../text-at.js';
import { type ElfHeader, type ElfSection, ElfType, readElfHeader } from './elf-header.js';
import { readBuildId } from './elf-notes.js';
import { readElfSymbols } from './elf-symbols.js';
import { separateDebugInfo } from './separate-debug-info.js';

const SHT_NOBITS = 8;
const SHF_ALLOC = 2;
const SHF_EXECINSTR = 4;
const SHF_COMPRESSED = 0x800;
const PT_LOAD = 1;
const PF_X = 1;
const EMPTY = new Uint8Array(0);
/** Sections with debug information, and with the names of files that have more of it. */
const READ = /^\.z?debug_|^\.gnu_debug(?:alt)?link$|^\.stab$/;
const CORE = 'This is a core dump. Upload the program and the libraries that the process had loaded.';
const OBJECT =
  'This is an object file or kernel module, whose code has no addresses yet. Upload the program or library it is linked into.';

const ARCHITECTURES = new Map<number, string>([
  [3, 'x86'],
  [8, 'mips'],
  [40, 'arm'],
  [62, 'x86_64'],
  [183, 'arm64'],
  [243, 'riscv64'],
]);

/**
 * Reads a 32-bit or 64-bit ELF file (shared library, executable, or a file with only debug sections). Throws
 * `SymbolFileError` for other types, whose code has no addresses.
 */
export function readElf(bytes: Uint8Array, packedSize: number): ObjectImage {
  const header = readElfHeader(bytes);
  const ranges = codeRanges(header);
  if (header.type === ElfType.core) throw new SymbolFileError('no_symbols', CORE);
  if (header.type === ElfType.relocatable && ranges.length > 0) throw new SymbolFileError('no_symbols', OBJECT);
  const byName = sectionsByName(bytes, header);
  const inflater = new SectionInflater(packedSize);
  return {
    kind: 'elf',
    arch: ARCHITECTURES.get(header.machine) ?? '',
    debugId: readBuildId(bytes, header),
    imageBase: header.segments.find((segment) => segment.type === PT_LOAD)?.address ?? 0,
    size: bytes.length,
    packedSize,
    codeRanges: ranges,
    separateDebugInfo: separateDebugInfo((name) => {
      const section = byName.get(name);
      return section ? contentOf(bytes, section) : EMPTY;
    }),
    symbols: readElfSymbols(bytes, header, packedSize),
    section(name: DwarfSection): Uint8Array {
      const plain = byName.get(`.${name}`);
      if (plain) {
        const content = contentOf(bytes, plain);
        if (content.length === 0 || (plain.flags & SHF_COMPRESSED) === 0) return content;
        return inflater.compressedSection(content, header.is64);
      }
      const old = byName.get(`.z${name}`);
      return old ? inflater.zdebugSection(contentOf(bytes, old)) : EMPTY;
    },
  };
}

function sectionsByName(bytes: Uint8Array, header: ElfHeader): Map<string, ElfSection> {
  const byName = new Map<string, ElfSection>();
  const strings = header.sections[header.nameSection];
  if (!strings || strings.type === SHT_NOBITS) return byName;
  const names = contentOf(bytes, strings);
  for (const section of header.sections) {
    const name = textAt(names, section.name);
    if (READ.test(name) && section.type !== SHT_NOBITS && !byName.has(name)) byName.set(name, section);
  }
  return byName;
}

function contentOf(bytes: Uint8Array, section: ElfSection): Uint8Array {
  if (section.offset + section.size > bytes.length)
    throw new SymbolFileError('truncated', 'A section extends past the end of the file.');
  return bytes.subarray(section.offset, section.offset + section.size);
}

function codeRanges(header: ElfHeader): Array<readonly [number, number]> {
  const sections = header.sections
    .filter((section) => (section.flags & SHF_ALLOC) !== 0 && (section.flags & SHF_EXECINSTR) !== 0 && section.size > 0)
    .map((section) => [section.address, section.address + section.size] as const);
  const segments = header.segments
    .filter((segment) => segment.type === PT_LOAD && (segment.flags & PF_X) !== 0 && segment.memorySize > 0)
    .map((segment) => [segment.address, segment.address + segment.memorySize] as const);
  return [...(sections.length > 0 ? sections : segments)].sort((a, b) => a[0] - b[0]);
}
