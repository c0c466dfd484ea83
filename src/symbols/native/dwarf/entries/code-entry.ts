import { SymbolFileError } from '../../../symbol-file-error.js';
import type { ByteReader } from '../../byte-reader.js';
import type { CodeSpan } from '../../code-span.js';
import type { Abbreviation } from '../abbreviations/abbreviations.js';
import { AttributeValue, followStep, ValueKind } from '../abbreviations/attribute-value.js';
import { CodeSlot, type CodeStep } from '../abbreviations/code-steps.js';
import type { RangeLists } from '../address-ranges.js';
import { Attribute, Form } from '../constants.js';
import type { DwarfSections } from '../sections.js';
import type { Unit } from '../unit.js';
import type { ScopeNodes } from './scope-nodes.js';

/** Reads functions and inlined calls: their code, call site, and where to find the name. */
export class CodeEntryReader {
  private readonly value: AttributeValue;
  private node = 0;
  private readonly addRange = (low: number, high: number): void => {
    const { span } = this;
    if (low === 0 || low < span.low || low >= span.high || high <= low) return;
    this.nodes.addRange(low - span.origin, Math.min(high, span.high) - span.origin, this.node);
  };

  constructor(
    sections: DwarfSections,
    private readonly nodes: ScopeNodes,
    private readonly ranges: RangeLists,
    private readonly span: CodeSpan,
  ) {
    this.value = new AttributeValue(sections);
  }

  /** Reads the entry at the reader's position into `node`. */
  read(reader: ByteReader, abbreviation: Abbreviation, unit: Unit, node: number): void {
    const { nodes } = this;
    const { codeSteps } = abbreviation;
    let low = -1;
    let high = -1;
    let rangesSlot = 0;
    let ranges = 0;
    this.node = node;
    for (let index = 0; index < codeSteps.length; index++) {
      const { slot, form, implicit, step } = codeSteps[index] as CodeStep;
      if (slot === CodeSlot.skip) {
        if (step >= 0) reader.skip(step);
        else followStep(reader, step, unit);
        continue;
      }
      const number = this.numberOf(reader, form, implicit, unit);
      switch (slot) {
        case CodeSlot.low:
          low = number;
          break;
        case CodeSlot.highAddress:
          high = number;
          break;
        case CodeSlot.highLength:
          // Compilers write DW_AT_low_pc before it, although the standard does not require that order.
          high = low >= 0 ? low + number : -2 - number;
          break;
        case CodeSlot.origin:
          nodes.origin[node] = number;
          break;
        case CodeSlot.callFile:
          nodes.callFile[node] = number;
          break;
        case CodeSlot.callLine:
          nodes.callLine[node] = number;
          break;
        case CodeSlot.callColumn:
          nodes.callColumn[node] = number;
          break;
        default:
          rangesSlot = slot;
          ranges = number;
      }
    }
    if (high < -1) high = low - 2 - high;
    if (low >= 0 && high >= 0) this.addRange(low, high);
    else if (rangesSlot !== 0) this.readRanges(rangesSlot, ranges, unit);
  }

  /** The target of the entry's DW_AT_sibling; −1 without one. Leaves the reader at the end of that attribute. */
  sibling(reader: ByteReader, abbreviation: Abbreviation, unit: Unit): number {
    for (const spec of abbreviation.specs) {
      this.value.read(reader, spec.form, spec.implicit, unit);
      if (spec.attribute !== Attribute.sibling) continue;
      return this.value.kind === ValueKind.reference ? this.value.number : -1;
    }
    return -1;
  }

  /** The forms that compilers use for code, checked first. */
  private numberOf(reader: ByteReader, form: number, implicit: number, unit: Unit): number {
    switch (form) {
      case Form.data1:
        return reader.u8();
      case Form.data2:
        return reader.u16();
      case Form.data4:
        return reader.u32();
      case Form.ref4:
        return unit.offset + reader.u32();
      case Form.udata:
        return reader.uleb();
      case Form.addr:
        return reader.uint(unit.addressSize);
      default:
        this.value.read(reader, form, implicit, unit);
        return this.value.number;
    }
  }

  private readRanges(slot: number, number: number, unit: Unit): void {
    try {
      if (slot === CodeSlot.rangesIndex) this.ranges.atIndex(number, unit, this.addRange);
      else this.ranges.atOffset(unit.rangesBase + number, unit, this.addRange);
    } catch (error) {
      // A damaged list loses the rest of its function's ranges, but not the unit's other functions.
      if (!(error instanceof SymbolFileError) || error.code === 'too_complex') throw error;
    }
  }
}
