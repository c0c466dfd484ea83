import { Attribute, Form } from '../constants.js';
import type { AttributeSpec } from './attribute-spec.js';
import { skipStepOf, type UnitSizes } from './skip-steps.js';

/** How an attribute of a function or an inlined call is treated. */
export const CodeSlot = {
  skip: 0,
  low: 1,
  highAddress: 2,
  highLength: 3,
  rangesOffset: 4,
  rangesIndex: 5,
  origin: 6,
  callFile: 7,
  callLine: 8,
  callColumn: 9,
} as const;

/** One attribute to read or, with the slot `skip`, a step over some. */
export interface CodeStep {
  readonly slot: number;
  readonly form: number;
  readonly implicit: number;
  readonly step: number;
}

const ADDRESSES: ReadonlySet<number> = new Set([
  Form.addr,
  Form.addrx,
  Form.addrx1,
  Form.addrx2,
  Form.addrx3,
  Form.addrx4,
  Form.gnuAddrIndex,
]);

const CONSTANTS: ReadonlySet<number> = new Set([
  Form.data1,
  Form.data2,
  Form.data4,
  Form.data8,
  Form.sdata,
  Form.udata,
  Form.implicitConst,
  Form.secOffset,
]);

const REFERENCES: ReadonlySet<number> = new Set([
  Form.ref1,
  Form.ref2,
  Form.ref4,
  Form.ref8,
  Form.refUdata,
  Form.refAddr,
]);

/** Relevant attributes one by one; the others merged into as few steps as their sizes allow. */
export function codeStepsOf(specs: readonly AttributeSpec[], isInlined: boolean, sizes: UnitSizes): CodeStep[] {
  const steps: CodeStep[] = [];
  for (const { attribute, form, implicit } of specs) {
    const slot = slotOf(attribute, form, isInlined);
    const step = skipStepOf(form, sizes);
    const last = steps[steps.length - 1];
    if (slot === CodeSlot.skip && last?.slot === CodeSlot.skip && last.step >= 0 && step >= 0) {
      steps[steps.length - 1] = { ...last, step: last.step + step };
    } else steps.push({ slot, form, implicit, step });
  }
  return steps;
}

function slotOf(attribute: number, form: number, isInlined: boolean): number {
  switch (attribute) {
    case Attribute.lowPc:
      return ADDRESSES.has(form) ? CodeSlot.low : CodeSlot.skip;
    case Attribute.highPc:
      if (ADDRESSES.has(form)) return CodeSlot.highAddress;
      return CONSTANTS.has(form) ? CodeSlot.highLength : CodeSlot.skip;
    case Attribute.ranges:
      if (form === Form.rnglistx) return CodeSlot.rangesIndex;
      return CONSTANTS.has(form) ? CodeSlot.rangesOffset : CodeSlot.skip;
    case Attribute.abstractOrigin:
      // A function keeps its own entry: if it turns out to have no name, its symbol is found by its own address.
      return isInlined && REFERENCES.has(form) ? CodeSlot.origin : CodeSlot.skip;
    case Attribute.callFile:
      return CONSTANTS.has(form) ? CodeSlot.callFile : CodeSlot.skip;
    case Attribute.callLine:
      return CONSTANTS.has(form) ? CodeSlot.callLine : CodeSlot.skip;
    case Attribute.callColumn:
      return CONSTANTS.has(form) ? CodeSlot.callColumn : CodeSlot.skip;
    default:
      return CodeSlot.skip;
  }
}
