import type { SymbolFileError } from '../../../symbol-file-error.js';
import type { DwarfSection, ObjectImage } from '../../object-image.js';
import { type DwarfSections, loadSection } from '../sections.js';
import { readUnits, type Unit } from '../unit.js';
import { type Contribution, readPackageIndex } from './package-index.js';

type OnBroken = (where: string, error: SymbolFileError) => void;

/**
 * A linked file's sections with those of its package behind them, so that one offset names one place. The linked file keeps
 * addresses, range lists of DWARF 4 and line tables; the package has entries, abbreviations and names.
 */
export class JoinedPackage {
  readonly sections: DwarfSections;
  /** The package's units, by offset. */
  readonly units: Unit[];
  private readonly byId = new Map<string, Unit>();
  private readonly typeContributions: Contribution[];

  constructor(
    private readonly own: DwarfSections,
    image: ObjectImage,
    onBroken: OnBroken,
  ) {
    const load = (name: DwarfSection): Uint8Array => loadSection(image, name, onBroken);
    this.sections = {
      ...own,
      info: joined(own.info, load('debug_info.dwo')),
      abbrev: joined(own.abbrev, load('debug_abbrev.dwo')),
      str: joined(own.str, load('debug_str.dwo')),
      strOffsets: joined(own.strOffsets, load('debug_str_offsets.dwo')),
      rnglists: joined(own.rnglists, load('debug_rnglists.dwo')),
      types: joined(own.types, load('debug_types.dwo')),
    };
    const unitIndex = readPackageIndex(image.section('debug_cu_index'));
    const typeIndex = image.section('debug_tu_index');
    const contributions = [...unitIndex, ...readPackageIndex(typeIndex)].sort((a, b) => a.unitsAt - b.unitsAt);
    this.typeContributions = readPackageIndex(typeIndex, true);
    const all = readUnits(this.sections.info, (offset, error) => onBroken(`unit at 0x${offset.toString(16)}`, error), {
      from: own.info.length,
    });
    this.units = all.filter((unit) => this.place(unit, own.info.length, contributions));
    const byOffset = new Map(this.units.map((unit) => [unit.offset - own.info.length, unit]));
    for (const { id, unitsAt } of unitIndex) {
      const unit = byOffset.get(unitsAt);
      if (unit) this.byId.set(id, unit);
    }
    for (const unit of this.units) if (unit.splitId !== '') this.byId.set(unit.splitId, unit);
  }

  /** The unit that a skeleton stands for. */
  unitOf(skeleton: Unit): Unit | undefined {
    return this.byId.get(skeleton.splitId);
  }

  /** Tells a unit of DWARF 4's type sections where its parts lie. */
  readonly placeTypeUnit = (unit: Unit): void => {
    if (unit.offset >= this.own.types.length) this.place(unit, this.own.types.length, this.typeContributions);
  };

  private place(unit: Unit, start: number, contributions: readonly Contribution[]): boolean {
    const { own } = this;
    const found = around(contributions, unit.offset - start);
    if (!found) return false;
    const isLong = unit.offsetSize === 8;
    const rnglistsAt = own.rnglists.length + found.rnglistsAt;
    unit.abbrevOffset += own.abbrev.length + found.abbrevAt;
    unit.strOffsetsBase = own.strOffsets.length + found.strOffsetsAt + (unit.version < 5 ? 0 : isLong ? 16 : 8);
    unit.strBase = own.str.length;
    unit.infoBase = start + found.unitsAt;
    unit.rnglistsBase = rnglistsAt + (isLong ? 20 : 12);
    unit.rangesBase = unit.version < 5 ? 0 : rnglistsAt;
    return true;
  }
}

/** What a split unit takes over from its skeleton: the linked file's tables, by which its numbers count. */
export function adoptTables(unit: Unit, skeleton: Unit): void {
  unit.addrBase = skeleton.addrBase;
  if (unit.version < 5) unit.rangesBase = skeleton.splitRangesBase;
}

/** What the skeleton says in the unit's place, once the unit itself is read. */
export function adoptRoot(unit: Unit, skeleton: Unit): void {
  unit.lowPc = skeleton.lowPc;
  unit.stmtList = skeleton.stmtList;
  if (skeleton.compDir !== '') unit.compDir = skeleton.compDir;
}

/** The ids of the units in a package; empty for every other file. */
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

function joined(own: Uint8Array, split: Uint8Array): Uint8Array {
  if (split.length === 0) return own;
  const both = new Uint8Array(own.length + split.length);
  both.set(own);
  both.set(split, own.length);
  return both;
}
