import { SymbolFileError } from '../../symbol-file-error.js';
import { ByteReader, uintAt } from '../byte-reader.js';
import type { WorkBudget } from '../work-budget.js';
import type { DwarfSections } from './sections.js';
import type { Unit } from './unit.js';

/** 2^64 − 1, as closely as a number can hold it. */
const HIGHEST_64 = 2 ** 64 - 2048;

/** Receives address ranges `[low, high)`. */
export type RangeSink = (low: number, high: number) => void;

/** Reads range lists: `.debug_ranges` of DWARF 2 to 4 (section 2.17.3), `.debug_rnglists` of DWARF 5. */
export class RangeLists {
  constructor(
    private readonly sections: DwarfSections,
    private readonly budget: WorkBudget,
  ) {}

  /** The list at a section offset. */
  atOffset(offset: number, unit: Unit, sink: RangeSink): void {
    if (unit.version >= 5) this.rangeList(offset, unit, sink);
    else this.plainRanges(offset, unit, sink);
  }

  /** The list at an index of the unit's offset table (DW_FORM_rnglistx). */
  atIndex(index: number, unit: Unit, sink: RangeSink): void {
    const entry = uintAt(this.sections.rnglists, unit.rnglistsBase + index * unit.offsetSize, unit.offsetSize);
    this.rangeList(unit.rnglistsBase + entry, unit, sink);
  }

  private plainRanges(offset: number, unit: Unit, sink: RangeSink): void {
    const reader = new ByteReader(this.sections.ranges, offset);
    const size = unit.addressSize;
    let base = unit.lowPc;
    for (;;) {
      this.budget.spend(4);
      const low = reader.uint(size);
      const high = reader.uint(size);
      if (low === 0 && high === 0) return;
      if (isHighest(low, size)) base = high;
      else if (high > low) sink(base + low, base + high);
    }
  }

  private rangeList(offset: number, unit: Unit, sink: RangeSink): void {
    const reader = new ByteReader(this.sections.rnglists, offset);
    const size = unit.addressSize;
    let base = unit.lowPc;
    for (;;) {
      this.budget.spend(4);
      const kind = reader.u8();
      switch (kind) {
        case 0:
          return;
        case 1:
          base = this.address(reader.uleb(), unit);
          break;
        case 2: {
          const low = this.address(reader.uleb(), unit);
          sink(low, this.address(reader.uleb(), unit));
          break;
        }
        case 3: {
          const low = this.address(reader.uleb(), unit);
          sink(low, low + reader.uleb());
          break;
        }
        case 4: {
          const low = reader.uleb();
          const high = reader.uleb();
          if (!isHighest(base, size)) sink(base + low, base + high);
          break;
        }
        case 5:
          base = reader.uint(size);
          break;
        case 6: {
          const low = reader.uint(size);
          sink(low, reader.uint(size));
          break;
        }
        case 7: {
          const low = reader.uint(size);
          sink(low, low + reader.uleb());
          break;
        }
        default:
          throw new SymbolFileError('malformed', `A range list contains an entry of unknown kind ${kind}.`);
      }
    }
  }

  private address(index: number, unit: Unit): number {
    return uintAt(this.sections.addr, unit.addrBase + index * unit.addressSize, unit.addressSize);
  }
}

/** The all-ones address: selects a base in `.debug_ranges`, and marks removed code in DWARF 5. */
function isHighest(address: number, size: number): boolean {
  return size === 4 ? address === 0xffffffff : address >= HIGHEST_64;
}
