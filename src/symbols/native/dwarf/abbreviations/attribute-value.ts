import { SymbolFileError } from '../../../symbol-file-error.js';
import { type ByteReader, uintAt } from '../../byte-reader.js';
import { Form } from '../constants.js';
import type { DwarfSections } from '../sections.js';
import type { Unit } from '../unit.js';
import { SkipStep, skipStepOf } from './skip-steps.js';

export const ValueKind = {
  none: 0,
  address: 1,
  constant: 2,
  reference: 3,
  text: 4,
  rangeIndex: 5,
  signature: 6,
} as const;

/**
 * One attribute's value, overwritten by each `read`.
 *
 * `number` is an address, a constant, a section offset, the `.debug_info` offset of a referenced entry, an index or,
 * with kind `text`, an offset in `text`.
 */
export class AttributeValue {
  kind: number = ValueKind.none;
  number = 0;
  text: Uint8Array;

  constructor(private readonly sections: DwarfSections) {
    this.text = sections.str;
  }

  /** Reads a value of `form` and moves the reader past it. */
  read(reader: ByteReader, form: number, implicit: number, unit: Unit): void {
    switch (form) {
      case Form.addr:
        this.set(ValueKind.address, reader.uint(unit.addressSize));
        return;
      case Form.addrx:
      case Form.gnuAddrIndex:
        this.indexedAddress(reader.uleb(), unit);
        return;
      case Form.addrx1:
        this.indexedAddress(reader.u8(), unit);
        return;
      case Form.addrx2:
        this.indexedAddress(reader.u16(), unit);
        return;
      case Form.addrx3:
        this.indexedAddress(reader.u24(), unit);
        return;
      case Form.addrx4:
        this.indexedAddress(reader.u32(), unit);
        return;
      case Form.data1:
      case Form.flag:
        this.set(ValueKind.constant, reader.u8());
        return;
      case Form.data2:
        this.set(ValueKind.constant, reader.u16());
        return;
      case Form.data4:
        this.set(ValueKind.constant, reader.u32());
        return;
      case Form.data8:
        this.set(ValueKind.constant, reader.u64());
        return;
      case Form.sdata:
        this.set(ValueKind.constant, reader.sleb());
        return;
      case Form.udata:
        this.set(ValueKind.constant, reader.uleb());
        return;
      case Form.implicitConst:
        this.set(ValueKind.constant, implicit);
        return;
      case Form.flagPresent:
        this.set(ValueKind.constant, 1);
        return;
      case Form.secOffset:
        this.set(ValueKind.constant, reader.uint(unit.offsetSize));
        return;
      case Form.rnglistx:
        this.set(ValueKind.rangeIndex, reader.uleb());
        return;
      case Form.ref1:
        this.set(ValueKind.reference, unit.offset + reader.u8());
        return;
      case Form.ref2:
        this.set(ValueKind.reference, unit.offset + reader.u16());
        return;
      case Form.ref4:
        this.set(ValueKind.reference, unit.offset + reader.u32());
        return;
      case Form.ref8:
        this.set(ValueKind.reference, unit.offset + reader.u64());
        return;
      case Form.refUdata:
        this.set(ValueKind.reference, unit.offset + reader.uleb());
        return;
      case Form.refAddr:
        this.set(
          ValueKind.reference,
          unit.infoBase + reader.uint(unit.version <= 2 ? unit.addressSize : unit.offsetSize),
        );
        return;
      case Form.refSig8:
        this.set(ValueKind.signature, reader.u64());
        return;
      case Form.string:
        this.setText(reader.bytes, reader.skipString());
        return;
      case Form.strp:
        this.setText(this.sections.str, reader.uint(unit.offsetSize));
        return;
      case Form.lineStrp:
        this.setText(this.sections.lineStr, reader.uint(unit.offsetSize));
        return;
      case Form.strx:
      case Form.gnuStrIndex:
        this.indexedText(reader.uleb(), unit);
        return;
      case Form.strx1:
        this.indexedText(reader.u8(), unit);
        return;
      case Form.strx2:
        this.indexedText(reader.u16(), unit);
        return;
      case Form.strx3:
        this.indexedText(reader.u24(), unit);
        return;
      case Form.strx4:
        this.indexedText(reader.u32(), unit);
        return;
      case Form.indirect: {
        const actual = reader.uleb();
        if (actual === Form.indirect || actual === Form.implicitConst)
          throw new SymbolFileError('malformed', 'An indirect form leads to another one.');
        this.read(reader, actual, 0, unit);
        return;
      }
      default:
        this.set(ValueKind.none, 0);
        skipValue(reader, form, unit);
    }
  }

  private set(kind: number, number: number): void {
    this.kind = kind;
    this.number = number;
  }

  private setText(text: Uint8Array, offset: number): void {
    this.kind = ValueKind.text;
    this.text = text;
    this.number = offset;
  }

  private indexedAddress(index: number, unit: Unit): void {
    const at = unit.addrBase + index * unit.addressSize;
    this.set(ValueKind.address, uintAt(this.sections.addr, at, unit.addressSize));
  }

  private indexedText(index: number, unit: Unit): void {
    const at = unit.strOffsetsBase + index * unit.offsetSize;
    this.setText(this.sections.str, unit.strBase + uintAt(this.sections.strOffsets, at, unit.offsetSize));
  }
}

/** Moves the reader past a value of `form`. */
export function skipValue(reader: ByteReader, form: number, unit: Unit): void {
  followStep(reader, skipStepOf(form, unit), unit);
}

export function followStep(reader: ByteReader, step: number, unit: Unit): void {
  if (step >= 0) {
    reader.skip(step);
    return;
  }
  switch (step) {
    case SkipStep.uleb:
      reader.uleb();
      return;
    case SkipStep.string:
      reader.skipString();
      return;
    case SkipStep.block1:
      reader.skip(reader.u8());
      return;
    case SkipStep.block2:
      reader.skip(reader.u16());
      return;
    case SkipStep.block4:
      reader.skip(reader.u32());
      return;
    case SkipStep.block:
      reader.skip(reader.uleb());
      return;
    default: {
      const actual = reader.uleb();
      if (actual === Form.indirect) throw new SymbolFileError('malformed', 'An indirect form leads to another one.');
      skipValue(reader, actual, unit);
      return;
    }
  }
}
