import { SymbolFileError } from '../../../symbol-file-error.js';
import { ByteReader, uintAt } from '../../byte-reader.js';
import type { WorkBudget } from '../../work-budget.js';
import { type Abbreviation, type AbbreviationTable, EntryRole } from '../abbreviations/abbreviations.js';
import { followStep } from '../abbreviations/attribute-value.js';
import { SkipStep } from '../abbreviations/skip-steps.js';
import type { Unit } from '../unit.js';
import type { CodeEntryReader } from './code-entry.js';
import type { ContainerIndex } from './container-index.js';
import { ContainerStack } from './container-stack.js';
import { NO_NODE, type ScopeNodes } from './scope-nodes.js';

const DEEPEST = 4096;

/**
 * Walks the entries of one unit and passes on each outermost function with its inlined calls. Entries that describe
 * neither code nor a name's context are skipped unread.
 */
export class EntryWalk {
  private readonly scopeNode = new Int32Array(DEEPEST);
  private readonly scopeDepth = new Int32Array(DEEPEST);
  private scopes = 0;
  private readonly containers: ContainerStack;
  private readonly reader: ByteReader;

  constructor(
    info: Uint8Array,
    private readonly unit: Unit,
    private readonly table: AbbreviationTable,
    private readonly nodes: ScopeNodes,
    private readonly codeEntry: CodeEntryReader,
    index: ContainerIndex,
    private readonly budget: WorkBudget,
    private readonly onFunction: () => void,
  ) {
    this.reader = new ByteReader(info, unit.entriesAt, unit.end);
    this.containers = new ContainerStack(index);
  }

  run(): void {
    try {
      this.walk();
    } finally {
      this.containers.leave(0, this.unit.end);
      this.budget.spend(this.unit.end - this.unit.entriesAt);
    }
  }

  private walk(): void {
    const { reader, table, containers } = this;
    const { bytes, end } = reader;
    const { leafSizes } = table;
    let depth = 0;
    let pos = reader.pos;
    while (pos < end) {
      const offset = pos;
      let code = bytes[pos++] as number;
      if (code >= 0x80) {
        reader.pos = offset;
        code = reader.uleb();
        pos = reader.pos;
      }
      const leafSize = leafSizes[code] as number;
      if (leafSize >= 0) {
        // The unit itself, the only entry at this depth, may be a leaf.
        if (depth === 0) break;
        pos += leafSize;
        continue;
      }
      if (code === 0) {
        containers.leave(depth, offset);
        if (this.scopes > 0) this.leaveScopes(depth);
        depth--;
        if (depth <= 0) break;
        continue;
      }
      const abbreviation = table.get(code);
      if (abbreviation.isSubtreeSkipped) {
        if (abbreviation.role === EntryRole.function) containers.keep();
        const next = this.siblingOf(abbreviation, pos);
        if (next > pos) {
          pos = next;
          continue;
        }
      }
      if (abbreviation.role >= EntryRole.function) {
        containers.keep();
        reader.pos = pos;
        this.codeAt(abbreviation, offset, depth);
        pos = reader.pos;
        if (abbreviation.hasChildren) depth++;
        continue;
      }
      pos = abbreviation.fixedSize >= 0 ? pos + abbreviation.fixedSize : this.skipped(abbreviation.steps, pos);
      if (!abbreviation.hasChildren) {
        if (depth === 0) break;
        continue;
      }
      depth++;
      if (depth >= DEEPEST) throw new SymbolFileError('malformed', 'Debug entries are nested too deeply.');
      if (abbreviation.role === EntryRole.container) containers.push(offset, depth);
    }
    if (pos > end) throw new SymbolFileError('truncated', 'A debug entry extends past the end of its unit.');
  }

  /** The end of the attributes that begin at `start`. It may be past the end of the unit, which the walk detects. */
  private skipped(steps: readonly number[], start: number): number {
    const { reader } = this;
    const { bytes } = reader;
    let pos = start;
    for (const step of steps) {
      if (step >= 0) pos += step;
      else if (step === SkipStep.uleb) {
        while ((bytes[pos++] as number) >= 0x80);
      } else {
        reader.seek(pos);
        followStep(reader, step, this.unit);
        pos = reader.pos;
      }
    }
    return pos;
  }

  private codeAt(abbreviation: Abbreviation, offset: number, depth: number): void {
    const { nodes, reader } = this;
    const outer = this.scopes > 0 ? (this.scopeNode[this.scopes - 1] as number) : NO_NODE;
    const isInlined = abbreviation.role === EntryRole.inlined;
    let node = NO_NODE;
    if (abbreviation.hasCode || (isInlined && outer !== NO_NODE)) {
      node = nodes.add(offset, isInlined ? outer : NO_NODE);
      this.codeEntry.read(reader, abbreviation, this.unit, node);
    } else reader.pos = this.skipped(abbreviation.steps, reader.pos);

    if (abbreviation.hasChildren) {
      if (this.scopes >= DEEPEST - 1 || depth >= DEEPEST - 1)
        throw new SymbolFileError('malformed', 'Debug entries are nested too deeply.');
      this.scopeNode[this.scopes] = node;
      this.scopeDepth[this.scopes] = depth + 1;
      this.scopes++;
      this.containers.push(offset, depth + 1);
    } else if (this.scopes === 0) this.finishFunction();
  }

  private leaveScopes(depth: number): void {
    while (this.scopes > 0 && (this.scopeDepth[this.scopes - 1] as number) >= depth) this.scopes--;
    if (this.scopes === 0) this.finishFunction();
  }

  private finishFunction(): void {
    if (this.nodes.rangeCount > 0) this.onFunction();
    this.nodes.clear();
  }

  /** The next entry at the same depth according to DW_AT_sibling; −1 when missing or invalid. */
  private siblingOf(abbreviation: Abbreviation, attributesAt: number): number {
    if (abbreviation.siblingAt >= 0) {
      const at = attributesAt + abbreviation.siblingAt;
      const next = this.unit.offset + uintAt(this.reader.bytes, at, 4);
      return next > at && next < this.unit.end ? next : -1;
    }
    this.reader.seek(attributesAt);
    const target = this.codeEntry.sibling(this.reader, abbreviation, this.unit);
    return target > this.reader.pos && target < this.unit.end ? target : -1;
  }
}
