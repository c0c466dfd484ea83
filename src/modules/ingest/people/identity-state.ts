import { newPrefixedId } from '../../../kernel/ids.js';
import type { WarningReason } from '../warnings/warning-reasons.js';
import { memberBytes, propertiesOf, propertiesText, TooManyMembers } from './person-properties.js';

/** Maximum bytes of JSON text in a profile: each small change stores it anew, so its cost must be limited. */
export const MAX_PROFILE_BYTES = 4 * 1024 * 1024;
/** Maximum properties of a profile: each takes time to read and index. */
const MAX_PROFILE_MEMBERS = 10_000;
/** Maximum ids of a person: all of them move when the person is merged into another. */
const MAX_PERSON_IDS = 10_000;

export interface KnownId {
  distinctId: string;
  personId: string;
  /** The id it was made an alias of, null for an id that came by itself. */
  aliasOf: string | null;
  /** The person's properties as JSON text. */
  properties: string;
  createdAt: Date;
  /** All ids of the person, in at least one of the rows if it may be merged. */
  personIds: readonly string[];
}

interface Person {
  id: string;
  properties: Map<string, string>;
  /** Bytes of the properties' JSON text. */
  bytes: number;
  ids: string[];
  createdAt: Date;
  isNew: boolean;
  changed: boolean;
}

/** One alias that took effect, with what is needed to view and undo it. */
export interface Merge {
  id: string;
  aliasId: string;
  distinctId: string;
  personId: string;
  /** Null if the alias was an unknown id. */
  mergedPersonId: string | null;
  mergedIds: string[];
  mergedProperties: string;
  /** Properties that the kept person got from the merged one. */
  takenProperties: string;
  mergedCreatedAt: Date;
}

export interface IdentityChanges {
  persons: { id: string; properties: string; createdAt: Date }[];
  ids: { distinctId: string; personId: string; aliasOf: string | null }[];
  /** Persons that were merged into others: all their ids move. */
  moves: { from: string; to: string }[];
  merges: Merge[];
}

/**
 * The persons behind some ids of one project and environment, in memory: aliases and people operations are applied one after the other,
 * then the changes are stored at once. The caller holds the lock on the environment's identities.
 */
export class IdentityState {
  private readonly persons = new Map<string, Person>();
  private readonly personOf = new Map<string, Person>();
  private readonly aliasOf = new Map<string, string | null>();
  private readonly touchedIds = new Set<string>();
  private readonly unitedInto = new Map<Person, Person>();
  private readonly merges: Merge[] = [];

  constructor(
    known: readonly KnownId[],
    private readonly now: Date,
  ) {
    for (const row of known) {
      let person = this.persons.get(row.personId);
      if (!person) {
        const { personId: id, createdAt } = row;
        const properties = propertiesOf(row.properties);
        const bytes = bytesOf(properties);
        person = { id, properties, bytes, ids: [...row.personIds], createdAt, isNew: false, changed: false };
        this.persons.set(id, person);
      } else if (row.personIds.length > person.ids.length) person.ids = [...row.personIds];
      this.personOf.set(row.distinctId, person);
      this.aliasOf.set(row.distinctId, row.aliasOf);
    }
  }

  /**
   * Merges the alias's person into the kept id's person, whose properties win. Returns why an alias is ignored, or `profile_too_large` if
   * some properties didn't fit; the record of the merge has them.
   */
  alias(aliasId: string, distinctId: string): WarningReason | null {
    if (aliasId === distinctId) return 'self_alias';
    const merged = this.personOf.get(aliasId);
    const kept = this.personOf.get(distinctId);
    if (merged && merged === kept) return this.aliasOf.get(aliasId) === distinctId ? null : 'cyclic_alias';
    if ((merged?.ids.length ?? 1) + (kept?.ids.length ?? 1) > MAX_PERSON_IDS) return 'too_many_ids';
    const into = kept ?? this.create(distinctId);
    const taken = new Map<string, string>();
    let hadRoom = true;
    for (const [key, value] of merged?.properties ?? []) {
      if (into.properties.has(key)) continue;
      const bytes = memberBytes(key, value);
      if (into.bytes + bytes > MAX_PROFILE_BYTES || into.properties.size >= MAX_PROFILE_MEMBERS) {
        hadRoom = false;
        continue;
      }
      into.properties.set(key, value);
      into.bytes += bytes;
      taken.set(key, value);
    }
    this.merges.push({
      id: newPrefixedId('mrg'),
      aliasId,
      distinctId,
      personId: into.id,
      mergedPersonId: merged?.id ?? null,
      mergedIds: merged ? [...merged.ids] : [aliasId],
      mergedProperties: propertiesText(merged?.properties ?? new Map()),
      takenProperties: propertiesText(taken),
      mergedCreatedAt: merged?.createdAt ?? this.now,
    });
    into.changed = true;
    if (merged) this.move(merged, into);
    else into.ids.push(aliasId);
    this.personOf.set(aliasId, into);
    this.aliasOf.set(aliasId, distinctId);
    this.touchedIds.add(aliasId);
    return hadRoom ? null : 'profile_too_large';
  }

  /**
   * Merges properties into the id's person, created for an unknown id; null removes a key. Returns `profile_too_large`, and leaves the
   * profile unchanged, if it would exceed {@link MAX_PROFILE_BYTES} or {@link MAX_PROFILE_MEMBERS}.
   */
  people(distinctId: string, properties: string): WarningReason | null {
    const person = this.personOf.get(distinctId) ?? this.create(distinctId);
    const given = givenOf(properties);
    if (given === null) return 'profile_too_large';
    let growth = 0;
    let added = 0;
    for (const [key, value] of given) {
      const before = person.properties.get(key);
      if (before !== undefined) growth -= memberBytes(key, before);
      if (value !== 'null') growth += memberBytes(key, value);
      added += Number(value !== 'null') - Number(before !== undefined);
    }
    const isTooLong = growth > 0 && person.bytes + growth > MAX_PROFILE_BYTES;
    if (isTooLong || (added > 0 && person.properties.size + added > MAX_PROFILE_MEMBERS)) return 'profile_too_large';
    for (const [key, value] of given) {
      if (value === 'null') person.properties.delete(key);
      else person.properties.set(key, value);
    }
    person.bytes += growth;
    person.changed = true;
    return null;
  }

  changes(): IdentityChanges {
    return {
      persons: [...this.persons.values()]
        .filter((person) => person.changed)
        .map(({ id, properties, createdAt }) => ({ id, properties: propertiesText(properties), createdAt })),
      ids: [...this.touchedIds].map((distinctId) => ({
        distinctId,
        personId: (this.personOf.get(distinctId) as Person).id,
        aliasOf: this.aliasOf.get(distinctId) ?? null,
      })),
      moves: [...this.unitedInto]
        .filter(([from]) => !from.isNew)
        .map(([from, to]) => ({ from: from.id, to: this.last(to).id })),
      merges: this.merges,
    };
  }

  private create(distinctId: string): Person {
    const person: Person = {
      id: newPrefixedId('prs'),
      properties: new Map(),
      bytes: bytesOf(new Map()),
      ids: [distinctId],
      createdAt: this.now,
      isNew: true,
      changed: true,
    };
    this.persons.set(person.id, person);
    this.personOf.set(distinctId, person);
    this.aliasOf.set(distinctId, null);
    this.touchedIds.add(distinctId);
    return person;
  }

  private move(merged: Person, into: Person): void {
    this.persons.delete(merged.id);
    for (const id of merged.ids) {
      into.ids.push(id);
      if (this.personOf.has(id)) this.personOf.set(id, into);
    }
    this.unitedInto.set(merged, into);
  }

  /** The person that one stands for after all merges. */
  private last(person: Person): Person {
    let at = person;
    for (let next = this.unitedInto.get(at); next; next = this.unitedInto.get(at)) at = next;
    return at;
  }
}

/** Null for more than any profile holds. */
function givenOf(properties: string): Map<string, string> | null {
  try {
    return propertiesOf(properties, MAX_PROFILE_MEMBERS);
  } catch (error) {
    if (error instanceof TooManyMembers) return null;
    throw error;
  }
}

const bytesOf = (properties: ReadonlyMap<string, string>): number => {
  let bytes = 2;
  for (const [key, value] of properties) bytes += memberBytes(key, value);
  return bytes;
};
