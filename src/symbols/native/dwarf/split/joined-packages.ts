import { SymbolFileError } from '../../../symbol-file-error.js';
import type { DwarfSection, ObjectImage } from '../../object-image.js';
import { type DwarfSections, loadSection } from '../sections.js';
import { readUnits, type Unit } from '../unit.js';
import { type Contribution, readPackageIndex } from './package-index.js';

type OnBroken = (where: string, error: SymbolFileError) => void;

/** The sections of a package that are appended to those of the linked file. */
const PARTS = {
  info: 'debug_info.dwo',
  abbrev: 'debug_abbrev.dwo',
  str: 'debug_str.dwo',
  strOffsets: 'debug_str_offsets.dwo',
  rnglists: 'debug_rnglists.dwo',
  types: 'debug_types.dwo',
} as const satisfies Partial<Record<keyof DwarfSections, DwarfSection>>;

type Part = keyof typeof PARTS;
const PART_NAMES = Object.keys(PARTS) as Part[];

/** Where one package's sections begin in the joined ones. */
type Starts = Record<Part, number>;

/**
 * A linked file's sections followed by those of its packages, so that each offset is unique. The linked file provides
 * addresses, DWARF 4 range lists and line tables; the packages provide entries, abbreviations and names.
 */
export class JoinedPackages {
  readonly sections: DwarfSections;
  /** The packages' units, by offset. */
  readonly units: Unit[] = [];
  private readonly byId = new Map<string, Unit>();
  private readonly types: { starts: Starts; contributions: Contribution[] }[] = [];

  constructor(own: DwarfSections, images: readonly ObjectImage[], onBroken: OnBroken) {
    const loaded = images.map((image) => forEachPart((part) => loadSection(image, PARTS[part], onBroken)));
    this.sections = { ...own, ...forEachPart((part) => joined([own[part], ...loaded.map((parts) => parts[part])])) };
    let starts = forEachPart((part) => own[part].length);
    for (const [index, image] of images.entries()) {
      const begin = starts;
      const parts = loaded[index] as Record<Part, Uint8Array>;
      starts = forEachPart((part) => begin[part] + parts[part].length);
      try {
        this.add(image, begin, starts.info, onBroken);
      } catch (error) {
        if (!(error instanceof SymbolFileError)) throw error;
        onBroken('split debug information package', error);
      }
    }
  }

  /** The split unit of a skeleton, from the first package that has it. */
  unitOf(skeleton: Unit): Unit | undefined {
    return this.byId.get(skeleton.splitId);
  }

  /** Sets where the parts of a DWARF 4 type unit are. */
  readonly placeTypeUnit = (unit: Unit): void => {
    const found = this.types.findLast(({ starts }) => starts.types <= unit.offset);
    if (found) place(unit, found.starts.types, found.starts, found.contributions);
  };

  private add(image: ObjectImage, starts: Starts, end: number, onBroken: OnBroken): void {
    const unitIndex = readPackageIndex(image.section('debug_cu_index'));
    const typeIndex = image.section('debug_tu_index');
    const contributions = [...unitIndex, ...readPackageIndex(typeIndex)].sort((a, b) => a.unitsAt - b.unitsAt);
    this.types.push({ starts, contributions: readPackageIndex(typeIndex, true) });
    const report = (offset: number, error: SymbolFileError): void =>
      onBroken(`unit at 0x${offset.toString(16)}`, error);
    const all = readUnits(this.sections.info.subarray(0, end), report, { from: starts.info });
    const units = all.filter((unit) => place(unit, starts.info, starts, contributions));
    const byOffset = new Map(units.map((unit) => [unit.offset - starts.info, unit]));
    for (const unit of units) this.name(unit.splitId, unit);
    for (const { id, unitsAt } of unitIndex) this.name(id, byOffset.get(unitsAt));
    for (const unit of units) this.units.push(unit);
  }

  private name(id: string, unit: Unit | undefined): void {
    if (unit && id !== '' && !this.byId.has(id)) this.byId.set(id, unit);
  }
}

function place(unit: Unit, start: number, starts: Starts, contributions: readonly Contribution[]): boolean {
  const found = around(contributions, unit.offset - start);
  if (!found) return false;
  const isLong = unit.offsetSize === 8;
  const rnglistsAt = starts.rnglists + found.rnglistsAt;
  unit.abbrevOffset += starts.abbrev + found.abbrevAt;
  unit.strOffsetsBase = starts.strOffsets + found.strOffsetsAt + (unit.version < 5 ? 0 : isLong ? 16 : 8);
  unit.strBase = starts.str;
  unit.infoBase = start + found.unitsAt;
  unit.rnglistsBase = rnglistsAt + (isLong ? 20 : 12);
  unit.rangesBase = unit.version < 5 ? 0 : rnglistsAt;
  return true;
}

/** Copies from a skeleton to its split unit the linked file's tables that its numbers refer to. */
export function adoptTables(unit: Unit, skeleton: Unit): void {
  unit.addrBase = skeleton.addrBase;
  if (unit.version < 5) unit.rangesBase = skeleton.splitRangesBase;
}

/** Applies the skeleton's values once the unit itself has been read. */
export function adoptRoot(unit: Unit, skeleton: Unit): void {
  unit.lowPc = skeleton.lowPc;
  unit.stmtList = skeleton.stmtList;
  if (skeleton.compDir !== '') unit.compDir = skeleton.compDir;
}

/** The ids of the units in a package; empty for any other file. */
export function packagedUnitIds(image: ObjectImage): string[] {
  return readPackageIndex(image.section('debug_cu_index')).map(({ id }) => id);
}

function around(contributions: readonly Contribution[], offset: number): Contribution | undefined {
  let low = 0;
  let high = contributions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((contributions[middle] as Contribution).unitsAt <= offset) low = middle + 1;
    else high = middle;
  }
  const found = contributions[low - 1];
  return found && offset < found.unitsEnd ? found : undefined;
}

function joined(sections: readonly Uint8Array[]): Uint8Array {
  const filled = sections.filter(({ length }) => length > 0);
  const [only] = filled;
  if (only === undefined || filled.length === 1) return only ?? new Uint8Array(0);
  const all = new Uint8Array(filled.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const section of filled) {
    all.set(section, at);
    at += section.length;
  }
  return all;
}

function forEachPart<T>(make: (part: Part) => T): Record<Part, T> {
  return Object.fromEntries(PART_NAMES.map((part) => [part, make(part)])) as Record<Part, T>;
}
