import { SymbolFileError } from '../../symbol-file-error.js';
import type { TableBuilder } from '../../table/table-builder.js';
import type { CodeSpan } from '../code-span.js';
import type { ConversionSink } from '../conversion-sink.js';
import { FunctionPool } from '../function-pool.js';
import type { ObjectImage } from '../object-image.js';
import { WorkBudget } from '../work-budget.js';
import { AbbreviationCache } from './abbreviations/abbreviation-cache.js';
import { RangeLists } from './address-ranges.js';
import { CodeEntryReader } from './entries/code-entry.js';
import { ContainerIndex } from './entries/container-index.js';
import { EntryWalk } from './entries/entry-walk.js';
import { QualifiedNames } from './entries/qualified-names.js';
import { ScopeNodes } from './entries/scope-nodes.js';
import { TypeSignatures } from './entries/type-signatures.js';
import { FunctionFlattener } from './function-flattener.js';
import { addBareRows } from './lines/bare-rows.js';
import { FileNames } from './lines/file-names.js';
import { readLineHeader } from './lines/line-header.js';
import { runLineProgram } from './lines/line-program.js';
import { LineRows } from './lines/line-rows.js';
import { type DwarfSections, loadSections } from './sections.js';
import { adoptRoot, adoptTables, JoinedPackages } from './split/joined-packages.js';
import { readUnits, type Unit } from './unit.js';
import { readUnitRoot } from './unit-root.js';

/**
 * Reads the debug information of one image into a table builder, unit by unit. A broken unit keeps what was read of it,
 * does not affect the others, and is reported to the sink.
 */
export class UnitConverter {
  readonly functions = new FunctionPool();
  private readonly nodes = new ScopeNodes();
  private readonly rows: LineRows;
  private readonly containers: ContainerIndex;
  private readonly sections: DwarfSections;
  private readonly budget: WorkBudget;
  private readonly abbreviations: AbbreviationCache;
  private readonly codeEntry: CodeEntryReader;
  private readonly flattener: FunctionFlattener;
  private readonly ownUnits: readonly Unit[];
  private readonly units: readonly Unit[];
  private readonly packages: JoinedPackages;
  /** Skeletons whose split units are missing; nothing is read from them. */
  readonly missingSplits: Unit[] = [];

  constructor(
    private readonly image: ObjectImage,
    private readonly builder: TableBuilder,
    private readonly span: CodeSpan,
    private readonly sink: ConversionSink,
    packages: readonly ObjectImage[],
    packedSize: number,
  ) {
    this.rows = new LineRows(packedSize);
    this.containers = new ContainerIndex(packedSize);
    const report = (where: string, error: SymbolFileError): void => this.report(where, error);
    const own = loadSections(image, report);
    this.ownUnits = readUnits(own.info, (offset, error) => this.report(unitAtOffset(offset), error));
    this.packages = new JoinedPackages(own, packages, report);
    this.sections = this.packages.sections;
    this.units = [...this.ownUnits, ...this.packages.units];
    const { info, line, ranges, rnglists, abbrev } = this.sections;
    this.budget = WorkBudget.forBytes(info.length + line.length + ranges.length + rnglists.length + abbrev.length);
    this.abbreviations = new AbbreviationCache(abbrev, this.budget);
    const lists = new RangeLists(this.sections, this.budget);
    this.codeEntry = new CodeEntryReader(this.sections, this.nodes, lists, span);
    this.flattener = new FunctionFlattener(this.nodes, this.rows, builder, this.functions, span);
  }

  /** Reads every unit. Throws only `SymbolFileError('too_complex')`. */
  run(): void {
    for (const [index, unit] of this.ownUnits.entries())
      this.guard(unitAtOffset(unit.offset), () => this.convert(unit, index));
  }

  /** The string number of each function's name. Call it after every unit has been read. */
  names(): Uint32Array {
    const { sections, units, abbreviations, containers, budget, packages } = this;
    const signatures = new TypeSignatures(sections, units, abbreviations, packages.placeTypeUnit);
    const { strings } = this.builder;
    const names = new QualifiedNames(sections, units, abbreviations, containers, signatures, strings, budget);
    return this.functions.name(strings, this.image.symbols, (offset) => names.number(offset));
  }

  private convert(unit: Unit, index: number): void {
    if (unit.entriesAt === unit.end) return;
    readUnitRoot(unit, this.abbreviations.of(unit), this.sections);
    if (unit.splitId === '' || !this.isSkeleton(unit)) {
      this.convertEntries(unit, index);
      return;
    }
    const split = this.packages.unitOf(unit);
    if (split === undefined) {
      this.missingSplits.push(unit);
      return;
    }
    adoptTables(split, unit);
    readUnitRoot(split, this.abbreviations.of(split), this.sections);
    adoptRoot(split, unit);
    this.convertEntries(split, index);
  }

  /** Clang modules on Apple platforms share names and contain no code. */
  private isSkeleton(unit: Unit): boolean {
    return this.image.kind === 'elf' && !unit.splitName.endsWith('.pcm');
  }

  private convertEntries(unit: Unit, index: number): void {
    const table = this.abbreviations.of(unit);
    this.nodes.clear();
    const files = this.readRows(unit);
    this.flattener.beginUnit(index, files);
    const firstBlock = this.builder.blockCount;
    const { info } = this.sections;
    const walk = new EntryWalk(info, unit, table, this.nodes, this.codeEntry, this.containers, this.budget, () =>
      this.flattener.flatten(),
    );
    unit.firstContainer = this.containers.count;
    this.guard(unitAtOffset(unit.offset), () => walk.run());
    unit.containersEnd = this.containers.count;
    if (files && this.rows.count > 0)
      addBareRows(this.builder, firstBlock, this.rows, files, this.image.symbols, this.functions, this.span);
  }

  private readRows(unit: Unit): FileNames | null {
    this.rows.clear();
    if (unit.stmtList < 0 || unit.signature) return null;
    let files: FileNames | null = null;
    this.guard(`line table at 0x${unit.stmtList.toString(16)}`, () => {
      const header = readLineHeader(unit, this.sections, this.budget);
      files = new FileNames(unit, header, this.builder.strings, this.budget);
      runLineProgram(this.sections.line, header, this.rows, this.span, this.budget);
    });
    this.rows.finish();
    return files;
  }

  private guard(where: string, read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof SymbolFileError) || error.code === 'too_complex') throw error;
      this.report(where, error);
    }
  }

  private report(where: string, error: SymbolFileError): void {
    this.sink.notice({ code: error.code, reason: error.reason, where });
  }
}

const unitAtOffset = (offset: number): string => `unit at 0x${offset.toString(16)}`;
