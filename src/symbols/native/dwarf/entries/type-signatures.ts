import { SymbolFileError } from '../../../symbol-file-error.js';
import { textAt } from '../../text-at.js';
import type { AbbreviationCache } from '../abbreviations/abbreviation-cache.js';
import { AttributeValue } from '../abbreviations/attribute-value.js';
import type { DwarfSections } from '../sections.js';
import { readTypeUnits, type Unit } from '../unit.js';
import { EntryName, readEntryName } from './entry-name.js';

/** Names of types in type units (DWARF 5, or `.debug_types` of DWARF 4), by signature. */
export class TypeSignatures {
  private units: Map<number, { unit: Unit; info: Uint8Array }> | null = null;

  constructor(
    private readonly sections: DwarfSections,
    private readonly infoUnits: readonly Unit[],
    private readonly abbreviations: AbbreviationCache,
    private readonly placeTypeUnit: (unit: Unit) => void,
  ) {}

  name(signature: number): string {
    const found = this.all().get(signature);
    if (!found?.unit.signature) return '';
    try {
      const { info, unit } = found;
      const value = new AttributeValue(this.sections);
      const entry = new EntryName();
      readEntryName(info, unit, found.unit.signature.typeOffset, this.abbreviations.of(unit), value, entry);
      return entry.nameAt < 0 ? '' : textAt(entry.name, entry.nameAt);
    } catch (error) {
      if (!(error instanceof SymbolFileError) || error.code === 'too_complex') throw error;
      return '';
    }
  }

  private all(): Map<number, { unit: Unit; info: Uint8Array }> {
    if (this.units) return this.units;
    this.units = new Map();
    const { info, types } = this.sections;
    for (const unit of this.infoUnits) if (unit.signature) this.units.set(unit.signature.id, { unit, info });
    for (const unit of readTypeUnits(types)) {
      this.placeTypeUnit(unit);
      if (unit.signature) this.units.set(unit.signature.id, { unit, info: types });
    }
    return this.units;
  }
}
