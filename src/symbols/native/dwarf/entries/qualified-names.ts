import { SymbolFileError } from '../../../symbol-file-error.js';
import type { StringPool } from '../../../table/string-pool.js';
import { demangleSymbol } from '../../demangle/demangle-symbol.js';
import { textAt } from '../../text-at.js';
import type { WorkBudget } from '../../work-budget.js';
import type { AbbreviationCache } from '../abbreviations/abbreviation-cache.js';
import { AttributeValue } from '../abbreviations/attribute-value.js';
import { Tag } from '../constants.js';
import type { DwarfSections } from '../sections.js';
import { type Unit, unitAt } from '../unit.js';
import type { ContainerIndex } from './container-index.js';
import { EntryName, readEntryName } from './entry-name.js';
import { NameTexts } from './name-texts.js';
import type { TypeSignatures } from './type-signatures.js';

const LONGEST_CHAIN = 32;
const DEEPEST_NESTING = 64;
const RUST = 0x1c;

/** Finds function names: DW_AT_name along specifications and abstract origins, qualified by the enclosing scopes. */
export class QualifiedNames {
  private readonly value: AttributeValue;
  private readonly entry = new EntryName();
  private readonly texts: NameTexts;
  private readonly prefixes: Array<number | undefined>;

  constructor(
    private readonly sections: DwarfSections,
    private readonly units: readonly Unit[],
    private readonly abbreviations: AbbreviationCache,
    private readonly containers: ContainerIndex,
    private readonly signatures: TypeSignatures,
    private readonly strings: StringPool,
    budget: WorkBudget,
  ) {
    this.value = new AttributeValue(sections);
    this.texts = new NameTexts(strings, budget);
    this.prefixes = new Array<number | undefined>(containers.count).fill(undefined);
  }

  /** String number of the function's qualified name, else of its linkage name, else 0. */
  number(offset: number): number {
    return this.numberAt(offset, 0);
  }

  private numberAt(offset: number, nesting: number): number {
    const { entry } = this;
    let at = offset;
    let name: Uint8Array | null = null;
    let nameAt = 0;
    let linkageName: Uint8Array | null = null;
    let linkageNameAt = 0;
    let unit: Unit | undefined;
    let declaredAt = offset;
    for (let hop = 0; hop < LONGEST_CHAIN && at >= 0; hop++) {
      if (unit === undefined || at < unit.entriesAt || at >= unit.end) {
        const next = unitAt(this.units, at);
        if (!next) break;
        unit = next;
      }
      if (!this.read(unit, at)) break;
      declaredAt = at;
      if (name === null && entry.nameAt >= 0) {
        name = entry.name;
        nameAt = entry.nameAt;
      }
      if (linkageName === null && entry.linkageNameAt >= 0) {
        linkageName = entry.linkageName;
        linkageNameAt = entry.linkageNameAt;
      }
      at = entry.refersTo;
    }
    if (unit === undefined || name === null || name[nameAt] === 0)
      return linkageName === null ? 0 : this.strings.add(demangleSymbol(textAt(linkageName, linkageNameAt)));
    const separator = separatorOf(unit.language);
    if (separator === '') return this.texts.number(name, nameAt, 0);
    const container = this.containers.around(declaredAt, unit.firstContainer, unit.containersEnd);
    const prefix = this.prefixOf(container, unit, separator, nesting);
    const number = this.texts.number(name, nameAt, prefix);
    const hasOverloads = nesting === 0 && linkageName !== null && unit.language !== RUST;
    return hasOverloads ? this.texts.withSymbol(number, linkageName as Uint8Array, linkageNameAt) : number;
  }

  private prefixOf(container: number, unit: Unit, separator: string, nesting: number): number {
    if (container < 0 || nesting > DEEPEST_NESTING) return 0;
    const known = this.prefixes[container];
    if (known !== undefined) return known;
    const start = this.containers.start(container);
    let text = '';
    if (this.read(unit, start)) {
      const { tag, name, nameAt, signature } = this.entry;
      if (tag === Tag.subprogram) text = (this.strings.all[this.numberAt(start, nesting + 1)] ?? '') + separator;
      else {
        const own = (nameAt < 0 ? '' : textAt(name, nameAt)) || this.nameBySignature(signature) || anonymous(tag);
        const outer = this.prefixOf(this.containers.parent(container), unit, separator, nesting + 1);
        text = this.texts.prefixText(outer) + own + separator;
      }
    }
    const prefix = this.texts.prefix(text);
    this.prefixes[container] = prefix;
    return prefix;
  }

  private nameBySignature(signature: number): string {
    return signature < 0 ? '' : this.signatures.name(signature);
  }

  private read(unit: Unit, offset: number): boolean {
    try {
      readEntryName(this.sections.info, unit, offset, this.abbreviations.of(unit), this.value, this.entry);
      return true;
    } catch (error) {
      if (!(error instanceof SymbolFileError) || error.code === 'too_complex') throw error;
      return false;
    }
  }
}

function anonymous(tag: number): string {
  switch (tag) {
    case Tag.namespace:
      return '(anonymous namespace)';
    case Tag.classType:
      return '(anonymous class)';
    case Tag.unionType:
      return '(anonymous union)';
    default:
      return '(anonymous struct)';
  }
}

const DOT = new Set([0x09, 0x0a, 0x0b, 0x13, 0x16, 0x17, 0x1b, 0x1e, 0x26, 0x27, 0x32]);
const NONE = new Set([0x01, 0x02, 0x03, 0x0c, 0x0d, 0x10, 0x1d, 0x2c, 0x2e, 0x2f, 0x31, 0x3e, 0x8001]);

/**
 * The separator between a function's name and its enclosing scopes, by DW_AT_language (DWARF 5, section 7.12, and
 * dwarfstd.org's later numbers): a dot in Pascal, Modula, Java, D, Go, OCaml, Swift, Kotlin, Zig and C#; none, so only
 * the plain name, in C, Objective-C, assembler, and Ada, whose compiler writes the scopes into the name; a double colon
 * elsewhere.
 */
function separatorOf(language: number): string {
  if (NONE.has(language)) return '';
  return DOT.has(language) ? '.' : '::';
}
