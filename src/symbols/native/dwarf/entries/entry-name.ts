import { ByteReader } from '../../byte-reader.js';
import type { AbbreviationTable } from '../abbreviations/abbreviations.js';
import { type AttributeValue, followStep, ValueKind } from '../abbreviations/attribute-value.js';
import { Attribute } from '../constants.js';
import type { Unit } from '../unit.js';

/** An entry's name data. Texts are given by position, `at` is −1 without one. Overwritten by `readEntryName`. */
export class EntryName {
  tag = 0;
  name: Uint8Array = NO_TEXT;
  nameAt = -1;
  linkageName: Uint8Array = NO_TEXT;
  linkageNameAt = -1;
  /** The entry this one completes (specification) or is an instance of (abstract origin); −1 for none. */
  refersTo = -1;
  /** Signature of the type unit that describes the type; −1 for none. */
  signature = -1;
}

const NO_TEXT = new Uint8Array(0);

/** Reads the name data of the entry at `offset`. Throws `SymbolFileError` when there is no entry. */
export function readEntryName(
  info: Uint8Array,
  unit: Unit,
  offset: number,
  table: AbbreviationTable,
  value: AttributeValue,
  into: EntryName,
): void {
  const reader = new ByteReader(info, offset, unit.end);
  const abbreviation = table.get(reader.uleb());
  into.tag = abbreviation.tag;
  into.nameAt = -1;
  into.linkageNameAt = -1;
  into.refersTo = -1;
  into.signature = -1;
  for (const { spec, step } of abbreviation.nameSteps) {
    if (spec === null) {
      if (step >= 0) reader.skip(step);
      else followStep(reader, step, unit);
      continue;
    }
    switch (spec.attribute) {
      case Attribute.name:
        value.read(reader, spec.form, spec.implicit, unit);
        if (value.kind !== ValueKind.text) break;
        into.name = value.text;
        into.nameAt = value.number;
        break;
      case Attribute.linkageName:
      case Attribute.mipsLinkageName:
        value.read(reader, spec.form, spec.implicit, unit);
        if (value.kind !== ValueKind.text) break;
        into.linkageName = value.text;
        into.linkageNameAt = value.number;
        break;
      case Attribute.specification:
      case Attribute.abstractOrigin:
        value.read(reader, spec.form, spec.implicit, unit);
        if (value.kind === ValueKind.reference) into.refersTo = value.number;
        break;
      default:
        value.read(reader, spec.form, spec.implicit, unit);
        if (value.kind === ValueKind.signature) into.signature = value.number;
    }
  }
}
