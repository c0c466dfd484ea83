import { SymbolFileError } from '../../../symbol-file-error.js';
import { Form } from '../constants.js';

/** Steps over unused attribute values: a byte count, or one of these. */
export const SkipStep = { uleb: -1, string: -2, block1: -3, block2: -4, block4: -5, block: -6, indirect: -7 } as const;

/** The sizes that some forms depend on. */
export interface UnitSizes {
  readonly version: number;
  readonly addressSize: number;
  readonly offsetSize: number;
}

const CODES_WITH_A_TABLE = 0x2d;
const tables = new Map<number, Int8Array>();

/** A table of `skipStepOf` for the standard forms and a unit's sizes; 127 for unknown forms. */
export function skipStepsOf(sizes: UnitSizes): Int8Array {
  const key = (sizes.version <= 2 ? 100 : 0) + sizes.addressSize * 10 + sizes.offsetSize;
  let table = tables.get(key);
  if (table === undefined) {
    table = Int8Array.from({ length: CODES_WITH_A_TABLE }, (_, form) => stepOf(form, sizes) ?? UNKNOWN_STEP);
    tables.set(key, table);
  }
  return table;
}

/** Marks an unknown form in the table of `skipStepsOf`. */
export const UNKNOWN_STEP = 127;

/** How to step over a value of `form`: bytes (0 or more), or a `SkipStep`. */
export function skipStepOf(form: number, sizes: UnitSizes): number {
  const step = stepOf(form, sizes);
  if (step === undefined) throw new SymbolFileError('malformed', `Unknown DWARF form 0x${form.toString(16)}.`);
  return step;
}

function stepOf(form: number, sizes: UnitSizes): number | undefined {
  switch (form) {
    case Form.addr:
      return sizes.addressSize;
    case Form.refAddr:
      return sizes.version <= 2 ? sizes.addressSize : sizes.offsetSize;
    case Form.strp:
    case Form.secOffset:
    case Form.lineStrp:
    case Form.strpSup:
    case Form.gnuRefAlt:
    case Form.gnuStrpAlt:
      return sizes.offsetSize;
    case Form.flagPresent:
    case Form.implicitConst:
      return 0;
    case Form.data1:
    case Form.flag:
    case Form.ref1:
    case Form.strx1:
    case Form.addrx1:
      return 1;
    case Form.data2:
    case Form.ref2:
    case Form.strx2:
    case Form.addrx2:
      return 2;
    case Form.strx3:
    case Form.addrx3:
      return 3;
    case Form.data4:
    case Form.ref4:
    case Form.refSup4:
    case Form.strx4:
    case Form.addrx4:
      return 4;
    case Form.data8:
    case Form.ref8:
    case Form.refSup8:
    case Form.refSig8:
      return 8;
    case Form.data16:
      return 16;
    case Form.sdata:
    case Form.udata:
    case Form.refUdata:
    case Form.strx:
    case Form.addrx:
    case Form.loclistx:
    case Form.rnglistx:
    case Form.gnuAddrIndex:
    case Form.gnuStrIndex:
      return SkipStep.uleb;
    case Form.string:
      return SkipStep.string;
    case Form.block1:
      return SkipStep.block1;
    case Form.block2:
      return SkipStep.block2;
    case Form.block4:
      return SkipStep.block4;
    case Form.block:
    case Form.exprloc:
      return SkipStep.block;
    case Form.indirect:
      return SkipStep.indirect;
    default:
      return undefined;
  }
}
