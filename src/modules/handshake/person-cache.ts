import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ProjectEnvironment } from '../../kernel/actor.js';
import type { Clock } from '../../kernel/clock.js';
import { GatheredCalls } from '../../kernel/database/gathered-calls.js';
import { readShared } from '../../kernel/database/reading-budget.js';
import { InternedTexts } from '../../kernel/memory/interned-texts.js';
import { PackedRecords } from '../../kernel/memory/packed-records.js';
import { RecordReader, RecordWriter } from '../../kernel/memory/record-fields.js';
import { MINUTE_MS } from '../../kernel/values/durations.js';
import type { PersonFacts } from '../ingest/people/person-facts.js';
import type { PersonSources } from './decision-sources.js';
import type { Snapshot } from './snapshot.js';

/** From this age on, cached data is compared with changes in the background of the requests it serves. */
const READ_AGAIN_MS = 250;
/** Beyond this age it isn't used until that is done. */
const FRESH_MS = 1_000;
/** Changes are reported for two hours; a process that hasn't asked for that long starts over. */
const LONGEST_PAUSE_MS = 30 * MINUTE_MS;
/** Concurrent statements for facts, and ids per statement. */
const GATHERING = { running: 2, group: 500 };
/** Sets of facts that rules use, of all projects. */
const MOST_WANTED = 10_000;
/** Instead of a number of ids: the person has no other. */
const NO_IDS = 2 ** 32 - 1;

/** The ticket of facts whose changes wouldn't be reported. */
export const NOT_KEPT = -1;

export interface KnownPerson extends PersonFacts {
  /** Used by {@link PersonCache.stands} to tell whether they are still valid, or {@link NOT_KEPT}. */
  readonly ticket: number;
}

interface Lookup {
  readonly place: ProjectEnvironment;
  readonly distinctId: string;
  readonly wanted: string;
  readonly person: Promise<KnownPerson>;
  isGone: boolean;
}

/**
 * Facts about persons, cached while they are valid. Changes are read by one statement at most every quarter of a second, whatever the
 * number of requests, so that a lost message can't leave anything stale; unknown persons are looked up together in batches. The least
 * recently used entries are evicted.
 */
export class PersonCache {
  private readonly known: PackedRecords;
  private readonly wanted = new InternedTexts(MOST_WANTED, () => this.known.clear());
  private readonly writer = new RecordWriter();
  private readonly lookups = new Map<string, Lookup>();
  private readonly gathered: GatheredCalls<Lookup, PersonFacts>;
  private position: string | null = null;
  private readAt = Number.NEGATIVE_INFINITY;
  private readingChanges: Promise<void> | null = null;

  constructor(
    private readonly sources: PersonSources,
    private readonly clock: Clock,
    bytes: number,
  ) {
    this.known = new PackedRecords(bytes);
    this.gathered = new GatheredCalls(GATHERING, (lookups) => {
      const { place, wanted } = lookups[0] as Lookup;
      const ids = lookups.map(({ distinctId }) => distinctId);
      return readShared(() => sources.facts(place, ids, JSON.parse(wanted)));
    });
  }

  /** Resolves when the cached data is recent enough; synchronous while it is. */
  upToDate(): Promise<void> | undefined {
    const age = this.clock.now().getTime() - this.readAt;
    if (age >= 0 && age < READ_AGAIN_MS) return undefined;
    this.readingChanges ??= this.readChanges().finally(() => {
      this.readingChanges = null;
    });
    if (!(age >= 0 && age < FRESH_MS)) return this.readingChanges;
    // The cached data gets older, and a later request meets the failure itself.
    this.readingChanges.catch(() => undefined);
    return undefined;
  }

  /** A person's facts; {@link upToDate} has been called in the same turn. */
  get(place: ProjectEnvironment, { wanted }: Snapshot, distinctId: string): KnownPerson | Promise<KnownPerson> {
    const key = keyOf(place.projectId, place.environment, distinctId);
    const known = this.find(key, wanted);
    if (known) return known;
    const pending = this.lookups.get(key);
    if (pending?.wanted === wanted) return pending.person;
    this.forget(key);
    const person = Promise.withResolvers<KnownPerson>();
    const lookup = { place, wanted, distinctId, person: person.promise, isGone: false };
    this.lookups.set(key, lookup);
    person.resolve(this.lookUp(key, lookup));
    return person.promise;
  }

  /** Whether the facts of a ticket may still be used. */
  stands(ticket: number): boolean {
    return this.known.stands(ticket);
  }

  private find(key: string, wanted: string): KnownPerson | null {
    // Before any lookup, because issuing a number may clear everything.
    const number = this.wanted.numberOf(wanted);
    const record = this.known.find(hashOf(key));
    if (!record) return null;
    const fields = new RecordReader(record);
    if (fields.whole() !== number) return null;
    const personId = readPersonId(fields);
    const properties = fields.text() as string;
    const count = fields.whole();
    const ids = count === NO_IDS ? null : Array.from({ length: count }, () => fields.text() as string);
    return { personId, properties, ids, ticket: record.ticket };
  }

  /** Returns the ticket of what it cached. */
  private keep(key: string, wanted: string, { personId, properties, ids }: PersonFacts): number {
    const { writer } = this;
    writer.whole(this.wanted.numberOf(wanted));
    writer.whole(personId === null ? 0 : crc32(personId)).text(personId);
    writer.text(properties).whole(ids?.length ?? NO_IDS);
    for (const id of ids ?? []) writer.text(id);
    return this.known.put(hashOf(key), writer.done());
  }

  private async lookUp(key: string, lookup: Lookup): Promise<KnownPerson> {
    const { place, wanted } = lookup;
    try {
      const facts = await this.gathered.make(`${place.projectId} ${place.environment} ${wanted}`, lookup);
      return { ...facts, ticket: lookup.isGone ? NOT_KEPT : this.keep(key, wanted, facts) };
    } finally {
      if (this.lookups.get(key) === lookup) this.lookups.delete(key);
    }
  }

  private async readChanges(): Promise<void> {
    const { sources, position } = this;
    const now = this.clock.now().getTime();
    const pause = now - this.readAt;
    if (position === null || pause < 0 || pause > LONGEST_PAUSE_MS) {
      this.position = await readShared(() => sources.position());
      this.forgetAll();
    } else {
      const { position: reached, ids, gone } = await readShared(() => sources.changes(position));
      this.position = reached;
      if (ids === null) this.forgetAll();
      else for (const id of ids) this.forget(keyOf(id.projectId, id.environment, id.distinctId));
      if (gone.size > 0) this.forgetPersons(gone);
    }
    this.readAt = now;
  }

  private forgetAll(): void {
    this.known.clear();
    this.forgetLookups();
  }

  private forgetPersons(gone: ReadonlySet<string>): void {
    const hashes = new Set([...gone].map((id) => crc32(id)));
    this.known.deleteWhere((record) => {
      const fields = new RecordReader(record);
      fields.whole();
      const isMeant = hashes.has(fields.whole());
      return isMeant && gone.has(fields.text() ?? '');
    });
    this.forgetLookups();
  }

  private forgetLookups(): void {
    for (const key of this.lookups.keys()) this.forget(key);
  }

  private forget(key: string): void {
    this.known.delete(hashOf(key));
    const pending = this.lookups.get(key);
    if (!pending) return;
    pending.isGone = true;
    this.lookups.delete(key);
  }
}

function keyOf(projectId: string, environment: string, distinctId: string): string {
  return `${projectId} ${environment} ${distinctId}`;
}

/** Persons are identified by 32 bytes of a hash, however long their ids are. */
const hashOf = (key: string): string => hash('sha256', key, 'binary');

function readPersonId(fields: RecordReader): string | null {
  fields.whole();
  return fields.text();
}
