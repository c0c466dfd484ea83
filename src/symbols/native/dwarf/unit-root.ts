import { ByteReader } from '../byte-reader.js';
import { textAt } from '../text-at.js';
import type { AbbreviationTable } from './abbreviations/abbreviations.js';
import { AttributeValue, skipValue, ValueKind } from './abbreviations/attribute-value.js';
import { Attribute, Form } from './constants.js';
import type { DwarfSections } from './sections.js';
import { idAt } from './split/package-index.js';
import type { Unit } from './unit.js';

/** Fills in a unit from its first entry. Bases are read first, because other attributes of the entry need them. */
export function readUnitRoot(unit: Unit, table: AbbreviationTable, sections: DwarfSections): void {
  const reader = new ByteReader(sections.info, unit.entriesAt, unit.end);
  const abbreviation = table.get(reader.uleb());
  const start = reader.pos;
  const value = new AttributeValue(sections);
  for (const spec of abbreviation.specs) {
    if (isBase(spec.attribute)) {
      value.read(reader, spec.form, spec.implicit, unit);
      setBase(unit, spec.attribute, value.number);
    } else skipValue(reader, spec.form, unit);
  }
  reader.seek(start);
  for (const spec of abbreviation.specs) {
    if (!isWanted(spec.attribute)) {
      skipValue(reader, spec.form, unit);
      continue;
    }
    if (spec.attribute === Attribute.gnuDwoId && spec.form === Form.data8)
      unit.splitId = idAt(reader.bytes, reader.pos);
    value.read(reader, spec.form, spec.implicit, unit);
    if (spec.attribute === Attribute.lowPc && value.kind === ValueKind.address) unit.lowPc = value.number;
    else if (spec.attribute === Attribute.stmtList) unit.stmtList = value.number;
    else if (spec.attribute === Attribute.language) unit.language = value.number;
    else if (value.kind !== ValueKind.text) continue;
    else if (spec.attribute === Attribute.name) unit.name = textAt(value.text, value.number);
    else if (isSplitName(spec.attribute)) unit.splitName = textAt(value.text, value.number);
    else if (spec.attribute === Attribute.compDir) unit.compDir = textAt(value.text, value.number);
  }
}

function isBase(attribute: number): boolean {
  return (
    attribute === Attribute.strOffsetsBase ||
    attribute === Attribute.addrBase ||
    attribute === Attribute.gnuAddrBase ||
    attribute === Attribute.gnuRangesBase ||
    attribute === Attribute.rnglistsBase
  );
}

function setBase(unit: Unit, attribute: number, base: number): void {
  if (attribute === Attribute.strOffsetsBase) unit.strOffsetsBase = base;
  else if (attribute === Attribute.rnglistsBase) unit.rnglistsBase = base;
  else if (attribute === Attribute.gnuRangesBase) unit.splitRangesBase = base;
  else unit.addrBase = base;
}

function isWanted(attribute: number): boolean {
  return (
    attribute === Attribute.lowPc ||
    attribute === Attribute.stmtList ||
    attribute === Attribute.language ||
    attribute === Attribute.name ||
    attribute === Attribute.compDir ||
    attribute === Attribute.gnuDwoId ||
    isSplitName(attribute)
  );
}

function isSplitName(attribute: number): boolean {
  return attribute === Attribute.dwoName || attribute === Attribute.gnuDwoName;
}
