import type { WorkBudget } from '../../work-budget.js';
import type { Unit } from '../unit.js';
import { AbbreviationTable } from './abbreviations.js';

const ATTRIBUTES_KEPT = 300_000;

/** Recently used abbreviation tables. A large program has thousands, one per unit, too many to keep. */
export class AbbreviationCache {
  private readonly kept = new Map<number, AbbreviationTable>();
  private lastUnit: Unit | null = null;
  private lastTable: AbbreviationTable | null = null;
  private size = 0;

  constructor(
    private readonly abbrev: Uint8Array,
    private readonly budget: WorkBudget,
  ) {}

  of(unit: Unit): AbbreviationTable {
    if (unit === this.lastUnit && this.lastTable) return this.lastTable;
    const sizes = (unit.addressSize === 8 ? 1 : 0) + (unit.offsetSize === 8 ? 2 : 0) + (unit.version <= 2 ? 4 : 0);
    const key = unit.abbrevOffset * 8 + sizes;
    let table = this.kept.get(key);
    if (table === undefined) {
      table = new AbbreviationTable(this.abbrev, unit.abbrevOffset, unit, this.budget);
      this.size += table.size;
      for (const [oldest, { size }] of this.kept) {
        if (this.size <= ATTRIBUTES_KEPT) break;
        this.kept.delete(oldest);
        this.size -= size;
      }
    } else this.kept.delete(key);
    this.kept.set(key, table);
    this.lastUnit = unit;
    this.lastTable = table;
    return table;
  }
}
