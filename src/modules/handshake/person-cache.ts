import { LRUCache } from 'lru-cache';
import type { Clock } from '../../kernel/clock.js';
import { GatheredCalls } from '../../kernel/database/gathered-calls.js';
import { readShared } from '../../kernel/database/reading-budget.js';
import type { PersonFacts } from '../ingest/people/person-facts.js';
import type { PersonSources, Place } from './decision-sources.js';
import type { Snapshot } from './snapshot.js';

/** From this age on what is known is compared with what changed, behind the requests it serves. */
const LOOK_MS = 250;
/** Beyond this age it serves nobody before that is done. */
const FRESH_MS = 1_000;
/** Changes are told for two hours; who has not asked for so long begins anew. */
const LONGEST_PAUSE_MS = 30 * 60_000;
/** Statements for facts under way at once, and ids in one. */
const GATHERING = { running: 2, group: 500 };
/** What an entry takes beside its texts, in bytes. */
const OVERHEAD = 250;
/** Texts of facts that persons share, and how long they are at most: many persons of a fleet have the same few properties. */
const SHARED = { texts: 1_000, length: 200 };

/** Somebody's facts, as they are kept. */
export interface KnownPerson extends PersonFacts {
  /** Which facts these are, as {@link Snapshot.wanted} says it. */
  readonly wanted: string;
  /** Whether they must not be used any more: they changed, or nobody would hear if they did. */
  isGone: boolean;
}

interface Lookup {
  readonly place: Place;
  readonly distinctId: string;
  readonly wanted: string;
  readonly person: Promise<KnownPerson>;
  isGone: boolean;
}

/**
 * Facts about persons, kept as long as they stand. What changed is asked for by one statement a quarter of a second at most,
 * whatever the number of requests, so that no lost message can leave anything behind; who is not known is looked up together with all
 * others of the moment. The least recently used make room.
 */
export class PersonCache {
  private readonly known: LRUCache<string, KnownPerson>;
  private readonly lookups = new Map<string, Lookup>();
  private readonly shared = new Map<string, string>();
  private readonly gathered: GatheredCalls<Lookup, PersonFacts>;
  private position: string | null = null;
  private lookedAt = Number.NEGATIVE_INFINITY;
  private looking: Promise<void> | null = null;

  constructor(
    private readonly sources: PersonSources,
    private readonly clock: Clock,
    bytes: number,
  ) {
    this.known = new LRUCache({
      maxSize: bytes,
      sizeCalculation: ({ properties, ids }, key) =>
        OVERHEAD + Buffer.byteLength(key) + Buffer.byteLength(properties) + (ids === null ? 0 : bytesOfList(ids)),
      dispose: (person) => {
        person.isGone = true;
      },
    });
    this.gathered = new GatheredCalls(GATHERING, (lookups) => {
      const { place, wanted } = lookups[0] as Lookup;
      const ids = lookups.map(({ distinctId }) => distinctId);
      return readShared(() => sources.facts(place, ids, JSON.parse(wanted)));
    });
  }

  /** Settles when what is known is recent enough to be used; nothing to wait for while it is. */
  upToDate(): Promise<void> | undefined {
    const age = this.clock.now().getTime() - this.lookedAt;
    if (age >= 0 && age < LOOK_MS) return undefined;
    this.looking ??= this.look().finally(() => {
      this.looking = null;
    });
    if (!(age >= 0 && age < FRESH_MS)) return this.looking;
    // What is known grows old, and a later request meets the failure itself.
    this.looking.catch(() => undefined);
    return undefined;
  }

  /** Somebody's facts; {@link upToDate} has been asked in the same turn. */
  get(place: Place, { wanted }: Snapshot, distinctId: string): KnownPerson | Promise<KnownPerson> {
    const key = keyOf(place.projectId, place.environment, distinctId);
    const known = this.known.get(key);
    if (known?.wanted === wanted) return known;
    const pending = this.lookups.get(key);
    if (pending?.wanted === wanted) return pending.person;
    this.forget(key);
    const person = Promise.withResolvers<KnownPerson>();
    const lookup = { place, wanted, distinctId, person: person.promise, isGone: false };
    this.lookups.set(key, lookup);
    person.resolve(this.lookUp(key, lookup));
    return person.promise;
  }

  private async lookUp(key: string, lookup: Lookup): Promise<KnownPerson> {
    const { place, wanted } = lookup;
    try {
      const facts = await this.gathered.make(`${place.projectId} ${place.environment} ${wanted}`, lookup);
      const { personId, ids } = facts;
      const person = { personId, properties: this.sharedText(facts.properties), ids, wanted, isGone: false };
      if (!lookup.isGone) this.known.set(key, person);
      person.isGone = this.known.peek(key) !== person;
      return person;
    } finally {
      if (this.lookups.get(key) === lookup) this.lookups.delete(key);
    }
  }

  private sharedText(text: string): string {
    if (text.length > SHARED.length) return text;
    const known = this.shared.get(text);
    if (known !== undefined) return known;
    if (this.shared.size === SHARED.texts) this.shared.clear();
    this.shared.set(text, text);
    return text;
  }

  private async look(): Promise<void> {
    const { sources, position } = this;
    const now = this.clock.now().getTime();
    const pause = now - this.lookedAt;
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
    this.lookedAt = now;
  }

  private forgetAll(): void {
    this.known.clear();
    this.forgetLookups();
  }

  private forgetPersons(gone: ReadonlySet<string>): void {
    for (const [key, { personId }] of [...this.known.entries()]) {
      if (personId !== null && gone.has(personId)) this.forget(key);
    }
    this.forgetLookups();
  }

  private forgetLookups(): void {
    for (const key of this.lookups.keys()) this.forget(key);
  }

  private forget(key: string): void {
    this.known.delete(key);
    const pending = this.lookups.get(key);
    if (!pending) return;
    pending.isGone = true;
    this.lookups.delete(key);
  }
}

function bytesOfList(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 24, 32);
}

function keyOf(projectId: string, environment: string, distinctId: string): string {
  return `${projectId} ${environment} ${distinctId}`;
}
