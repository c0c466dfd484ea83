import { SymbolFileError } from '../../../symbol-file-error.js';
import { ByteReader } from '../../byte-reader.js';
import type { WorkBudget } from '../../work-budget.js';
import { AttributeValue, ValueKind } from '../abbreviations/attribute-value.js';
import type { DwarfSections } from '../sections.js';
import { type Unit, unitExtent } from '../unit.js';

const DW_LNCT_path = 1;
const DW_LNCT_directory_index = 2;
const MOST_FORMATS = 64;
const MOST_FILES = 262_144;
const NOWHERE: LineFile = { directory: 0, text: new Uint8Array(0), at: 0 };

/** A text within a section, read on demand. */
export interface TextPlace {
  readonly text: Uint8Array;
  readonly at: number;
}

export interface LineFile extends TextPlace {
  readonly directory: number;
}

/** The header of a line program (DWARF 5, section 6.2.4; DWARF 2 to 4 likewise). */
export interface LineHeader {
  readonly version: number;
  readonly minimumInstructionLength: number;
  readonly lineBase: number;
  readonly lineRange: number;
  readonly opcodeBase: number;
  readonly opcodeLengths: Uint8Array;
  readonly directories: readonly TextPlace[];
  readonly files: LineFile[];
  readonly programAt: number;
  readonly programEnd: number;
  readonly addressSize: number;
}

export function readLineHeader(unit: Unit, sections: DwarfSections, budget: WorkBudget): LineHeader {
  const extent = unitExtent(sections.line, unit.stmtList);
  const reader = new ByteReader(sections.line, extent.contentAt, extent.end);
  const version = reader.u16();
  if (version < 2 || version > 5)
    throw new SymbolFileError('unsupported', `Line table version ${version} is not supported.`);
  let addressSize = unit.addressSize;
  if (version >= 5) {
    addressSize = reader.u8();
    reader.skip(1);
  }
  const headerLength = reader.uint(extent.offsetSize);
  const programAt = reader.pos + headerLength;
  const minimumInstructionLength = reader.u8();
  if (version >= 4) reader.skip(1);
  reader.skip(1);
  const lineBase = (reader.u8() << 24) >> 24;
  const lineRange = reader.u8();
  const opcodeBase = reader.u8();
  if (opcodeBase === 0) throw new SymbolFileError('malformed', 'A line table has an opcode base of zero.');
  const opcodeLengths = reader.view(opcodeBase - 1);
  const start = reader.pos;
  const { directories, files } =
    version >= 5 ? readEntryTables(reader, unit, sections, extent.offsetSize) : readPlainTables(reader);
  budget.spend((reader.pos - start) * 4);
  if (programAt > extent.end) throw new SymbolFileError('truncated', 'A line table is truncated in its header.');
  return {
    version,
    minimumInstructionLength,
    lineBase,
    lineRange,
    opcodeBase,
    opcodeLengths,
    directories,
    files,
    programAt,
    programEnd: extent.end,
    addressSize,
  };
}

function readPlainTables(reader: ByteReader): { directories: TextPlace[]; files: LineFile[] } {
  const text = reader.bytes;
  const directories: TextPlace[] = [NOWHERE];
  const files: LineFile[] = [NOWHERE];
  for (;;) {
    const at = reader.skipString();
    if (text[at] === 0) break;
    if (directories.length > MOST_FILES) throw tooManyFiles();
    directories.push({ text, at });
  }
  for (;;) {
    const at = reader.skipString();
    if (text[at] === 0) break;
    if (files.length > MOST_FILES) throw tooManyFiles();
    files.push({ directory: reader.uleb(), text, at });
    reader.uleb();
    reader.uleb();
  }
  return { directories, files };
}

function readEntryTables(
  reader: ByteReader,
  unit: Unit,
  sections: DwarfSections,
  offsetSize: 4 | 8,
): { directories: TextPlace[]; files: LineFile[] } {
  // The line program's own offset size applies here; it can differ from the unit's.
  const sizes = Object.assign(Object.create(unit) as Unit, { offsetSize });
  const value = new AttributeValue(sections);
  const directories = readEntries(reader, sizes, value);
  return { directories, files: readEntries(reader, sizes, value) };
}

function readEntries(reader: ByteReader, unit: Unit, value: AttributeValue): LineFile[] {
  const formatCount = reader.u8();
  if (formatCount > MOST_FORMATS)
    throw new SymbolFileError('malformed', 'A line table describes too many file fields.');
  const formats: Array<readonly [number, number]> = [];
  for (let index = 0; index < formatCount; index++) formats.push([reader.uleb(), reader.uleb()]);
  const count = reader.uleb();
  if (count > reader.remaining)
    throw new SymbolFileError('truncated', 'A line table declares more files than it contains.');
  if (count > MOST_FILES) throw tooManyFiles();
  const entries: LineFile[] = [];
  for (let index = 0; index < count; index++) {
    let { text, at, directory } = NOWHERE;
    for (const [content, form] of formats) {
      value.read(reader, form, 0, unit);
      if (content === DW_LNCT_path && value.kind === ValueKind.text) {
        text = value.text;
        at = value.number;
      } else if (content === DW_LNCT_directory_index) directory = value.number;
    }
    entries.push({ directory, text, at });
  }
  return entries;
}

function tooManyFiles(): SymbolFileError {
  return new SymbolFileError('too_complex', 'A line table names more files than any compiler generates.');
}
