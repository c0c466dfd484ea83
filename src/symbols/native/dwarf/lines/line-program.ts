import { SymbolFileError } from '../../../symbol-file-error.js';
import { ByteReader } from '../../byte-reader.js';
import type { CodeSpan } from '../../code-span.js';
import type { WorkBudget } from '../../work-budget.js';
import type { LineHeader } from './line-header.js';
import type { LineRows } from './line-rows.js';

const DW_LNE_end_sequence = 1;
const DW_LNE_set_address = 2;
const DW_LNE_define_file = 3;

/**
 * Runs a line program (DWARF 5, section 6.2.5) and adds its rows. Sequences outside `span` belong to removed code and
 * are dropped. On VLIW machines, all operations of an instruction count as one.
 */
export function runLineProgram(
  line: Uint8Array,
  header: LineHeader,
  rows: LineRows,
  span: CodeSpan,
  budget: WorkBudget,
): void {
  const reader = new ByteReader(line, header.programAt, header.programEnd);
  budget.spend(reader.remaining);
  const { opcodeBase, lineBase, lineRange, minimumInstructionLength: unitLength } = header;
  const { origin } = span;
  const lowest = span.low - origin;
  const length = span.high - origin;
  const constAdd = lineRange === 0 ? 0 : Math.floor((255 - opcodeBase) / lineRange) * unitLength;
  let address = -origin;
  let file = 1;
  let row = 1;
  let column = 0;
  let dead = true;
  const bytes = line;
  const end = header.programEnd;
  while (reader.pos < end) {
    const opcode = bytes[reader.pos++] as number;
    if (opcode >= opcodeBase) {
      if (lineRange === 0) throw new SymbolFileError('malformed', 'A line table has a line range of zero.');
      const adjusted = opcode - opcodeBase;
      const advance = (adjusted / lineRange) | 0;
      address += advance * unitLength;
      row = (row + lineBase + (adjusted - advance * lineRange)) | 0;
      if (!dead && address < length) rows.add(address, file, row, column);
      continue;
    }
    switch (opcode) {
      case 0: {
        const size = reader.uleb();
        if (size === 0) break;
        const next = reader.pos + size;
        const extended = reader.u8();
        if (extended === DW_LNE_end_sequence) {
          if (dead) rows.dropSequence();
          else rows.endSequence(Math.min(Math.max(address, 0), length));
          address = -origin;
          file = 1;
          row = 1;
          column = 0;
          dead = true;
        } else if (extended === DW_LNE_set_address) {
          const operand = size - 1 === 4 || size - 1 === 8 ? size - 1 : header.addressSize;
          const target = reader.uint(operand);
          address = target - origin;
          // Linkers leave zero or the highest addresses for removed functions.
          dead = target === 0 || address < lowest || address >= length;
          if (dead) rows.dropSequence();
        } else if (extended === DW_LNE_define_file) {
          const at = reader.skipString();
          header.files.push({ directory: reader.uleb(), text: bytes, at });
        }
        reader.seek(next);
        break;
      }
      case 1:
        if (!dead && address < length) rows.add(address, file, row, column);
        break;
      case 2:
        address += reader.uleb() * unitLength;
        break;
      case 3:
        row = (row + reader.sleb()) | 0;
        break;
      case 4:
        file = reader.uleb();
        break;
      case 5:
        column = reader.uleb();
        break;
      case 6:
      case 7:
      case 10:
      case 11:
        break;
      case 8:
        address += constAdd;
        break;
      case 9:
        address += reader.u16();
        break;
      default: {
        const operands = header.opcodeLengths[opcode - 1] as number;
        for (let index = 0; index < operands; index++) reader.uleb();
      }
    }
  }
  rows.dropSequence();
}
