import { SymbolFileError } from '../../../symbol-file-error.js';
import { ByteReader } from '../../byte-reader.js';
import type { WorkBudget } from '../../work-budget.js';
import { Attribute, Form, Tag } from '../constants.js';
import type { AttributeSpec } from './attribute-spec.js';
import { type CodeStep, codeStepsOf } from './code-steps.js';
import { type NameStep, nameStepsOf } from './name-steps.js';
import { skipStepOf, skipStepsOf, UNKNOWN_STEP, type UnitSizes } from './skip-steps.js';

/** How the walk treats entries of an abbreviation. */
export const EntryRole = { plain: 0, unit: 1, leafTree: 2, container: 3, function: 4, inlined: 5 } as const;

const LARGEST_TABLE = 500_000;
const LARGEST_LEAF_CODE = 20_000;

/** One abbreviation declaration, prepared for a unit's sizes. */
export interface Abbreviation {
  readonly tag: number;
  readonly role: number;
  readonly hasChildren: boolean;
  /** Has an address or a range list, so it may describe code. */
  readonly hasCode: boolean;
  /** Nothing below it matters, and DW_AT_sibling may lead past it. */
  readonly isSubtreeSkipped: boolean;
  /** Empty for the role `plain`. */
  readonly specs: readonly AttributeSpec[];
  /** Size of a fixed-size entry; −1 when `steps` must be followed. */
  readonly fixedSize: number;
  readonly steps: readonly number[];
  /** For the roles `function` and `inlined`; empty for the others. */
  readonly codeSteps: readonly CodeStep[];
  /** For all but the role `plain`. */
  readonly nameSteps: readonly NameStep[];
  /** Offset of a four-byte, unit-relative DW_AT_sibling after the code; −1 without one. */
  readonly siblingAt: number;
}

export class AbbreviationTable {
  /** Total number of attributes: the cost of keeping the table. */
  size = 0;
  /** By code: the size of an irrelevant entry without children or variable parts; −1 otherwise. */
  leafSizes = new Int32Array(64).fill(-1);
  private readonly dense: Array<Abbreviation | undefined> = [];
  private readonly sparse = new Map<number, Abbreviation>();

  constructor(bytes: Uint8Array, offset: number, sizes: UnitSizes, budget: WorkBudget) {
    const reader = new ByteReader(bytes, Math.min(offset, bytes.length));
    while (reader.remaining > 0) {
      const start = reader.pos;
      const code = reader.uleb();
      if (code === 0) break;
      const abbreviation = readAbbreviation(reader, sizes);
      if (code === this.dense.length + 1) this.dense.push(abbreviation);
      else this.sparse.set(code, abbreviation);
      this.noteLeaf(code, abbreviation);
      budget.spend((reader.pos - start) * 4);
      this.size += abbreviation.specs.length + 1;
      if (this.size > LARGEST_TABLE)
        throw new SymbolFileError('too_complex', 'An abbreviation table is larger than any compiler generates.');
    }
  }

  private noteLeaf(code: number, { role, hasChildren, fixedSize }: Abbreviation): void {
    if (code > LARGEST_LEAF_CODE || hasChildren || role >= EntryRole.function || fixedSize < 0) return;
    if (code >= this.leafSizes.length) {
      const larger = new Int32Array(code * 2).fill(-1);
      larger.set(this.leafSizes);
      this.leafSizes = larger;
    }
    if (this.leafSizes[code] === -1) this.leafSizes[code] = fixedSize;
  }

  get(code: number): Abbreviation {
    const found = this.dense[code - 1] ?? this.sparse.get(code);
    if (found === undefined) throw new SymbolFileError('malformed', `Abbreviation ${code} is not declared.`);
    return found;
  }
}

function readAbbreviation(reader: ByteReader, sizes: UnitSizes): Abbreviation {
  const tag = reader.uleb();
  const hasChildren = reader.u8() !== 0;
  const role = roleOf(tag);
  const known = skipStepsOf(sizes);
  const specs: AttributeSpec[] = [];
  const steps: number[] = [];
  let hasCode = false;
  let hasSibling = false;
  let isDeclaration = false;
  for (;;) {
    const attribute = reader.uleb();
    const form = reader.uleb();
    if (attribute === 0 && form === 0) break;
    const implicit = form === Form.implicitConst ? reader.sleb() : 0;
    if (role !== EntryRole.plain) specs.push({ attribute, form, implicit });
    if (attribute === Attribute.lowPc || attribute === Attribute.ranges) hasCode = true;
    else if (attribute === Attribute.sibling) hasSibling = true;
    else if (attribute === Attribute.declaration) isDeclaration = true;
    const listed = known[form] ?? UNKNOWN_STEP;
    const step = listed === UNKNOWN_STEP ? skipStepOf(form, sizes) : listed;
    const last = steps[steps.length - 1];
    if (step >= 0 && last !== undefined && last >= 0) steps[steps.length - 1] = last + step;
    else steps.push(step);
  }
  const isBarren = role === EntryRole.leafTree || (role === EntryRole.function && isDeclaration && !hasCode);
  const isSubtreeSkipped = hasChildren && hasSibling && isBarren;
  const [only = 0] = steps;
  return {
    tag,
    role,
    hasChildren,
    hasCode,
    isSubtreeSkipped,
    specs,
    fixedSize: steps.length <= 1 && only >= 0 ? only : -1,
    steps,
    codeSteps: role >= EntryRole.function ? codeStepsOf(specs, role === EntryRole.inlined, sizes) : [],
    nameSteps: role === EntryRole.plain ? [] : nameStepsOf(specs, sizes),
    siblingAt: isSubtreeSkipped ? siblingOffset(specs, sizes) : -1,
  };
}

function siblingOffset(specs: readonly AttributeSpec[], sizes: UnitSizes): number {
  let offset = 0;
  for (const { attribute, form } of specs) {
    if (attribute === Attribute.sibling) return form === Form.ref4 ? offset : -1;
    const step = skipStepOf(form, sizes);
    if (step < 0) return -1;
    offset += step;
  }
  return -1;
}

function roleOf(tag: number): number {
  switch (tag) {
    case Tag.subprogram:
      return EntryRole.function;
    case Tag.inlinedSubroutine:
      return EntryRole.inlined;
    case Tag.namespace:
    case Tag.module:
    case Tag.classType:
    case Tag.structureType:
    case Tag.unionType:
    case Tag.interfaceType:
    case Tag.enumerationType:
      return EntryRole.container;
    case Tag.compileUnit:
    case Tag.partialUnit:
    case Tag.skeletonUnit:
    case Tag.typeUnit:
      return EntryRole.unit;
    case Tag.subroutineType:
    case Tag.callSite:
    case Tag.gnuCallSite:
      return EntryRole.leafTree;
    default:
      return EntryRole.plain;
  }
}
