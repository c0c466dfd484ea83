import type { Finding } from './finding.js';
import { parseInstant } from './instant.js';
import { MOST_COMPARED } from './most-compared.js';
import { parseVersion, type Version } from './versions/version-range.js';

/** Kinds of values, one bit each, so that operators can combine them. */
export const VALUE_KINDS = {
  text: 1,
  number: 2,
  boolean: 4,
  /** Short enough to compare entry by entry. */
  list: 8,
  /** Short enough to look up values in it. */
  longList: 16,
  absent: 32,
  otherType: 64,
  tooLong: 128,
};

/** A value as conditions see it, parsed once for all comparisons. */
export class SubjectValue {
  /** One of {@link VALUE_KINDS}. */
  readonly kind: number;
  private asVersion: Version | null | undefined;
  private asInstant: number | null | undefined;
  private asEntries: readonly SubjectValue[] | undefined;
  private asSet: ReadonlySet<unknown> | undefined;

  /** @param findings results of conditions by slot, if it is cached for subjects with the same value. */
  constructor(
    readonly value: unknown,
    readonly findings: (Finding | undefined)[] | null = null,
  ) {
    this.kind = kindOf(value);
  }

  /** The text parsed as a version, or null. */
  get version(): Version | null {
    if (this.asVersion === undefined) this.asVersion = parseVersion(this.value as string);
    return this.asVersion;
  }

  /** The text parsed as an instant, or null. */
  get instant(): number | null {
    if (this.asInstant === undefined) this.asInstant = parseInstant(this.value as string);
    return this.asInstant;
  }

  /** The entries of a list. */
  get entries(): readonly SubjectValue[] {
    this.asEntries ??= Array.from(this.value as Iterable<unknown>, (entry) => new SubjectValue(entry));
    return this.asEntries;
  }

  /** The entries of a list, for lookup. */
  get set(): ReadonlySet<unknown> {
    this.asSet ??= this.value instanceof Set ? this.value : new Set(this.value as Iterable<unknown>);
    return this.asSet;
  }
}

function kindOf(value: unknown): number {
  if (value === undefined || value === null) return VALUE_KINDS.absent;
  if (typeof value === 'string')
    return value.length > MOST_COMPARED.characters ? VALUE_KINDS.tooLong : VALUE_KINDS.text;
  if (typeof value === 'number') return Number.isNaN(value) ? VALUE_KINDS.otherType : VALUE_KINDS.number;
  if (typeof value === 'boolean') return VALUE_KINDS.boolean;
  // Only cohort names come as a set, and callers cannot make it longer.
  if (value instanceof Set) return VALUE_KINDS.list;
  return Array.isArray(value) ? kindOfList(value) : VALUE_KINDS.otherType;
}

function kindOfList(list: readonly unknown[]): number {
  if (list.length > MOST_COMPARED.entries) return VALUE_KINDS.tooLong;
  if (list.length > MOST_COMPARED.searched) return VALUE_KINDS.longList;
  let characters = 0;
  for (const entry of list) if (typeof entry === 'string') characters += entry.length;
  return characters > MOST_COMPARED.characters ? VALUE_KINDS.longList : VALUE_KINDS.list;
}
