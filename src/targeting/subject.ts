import { bucketOf } from './rules/bucket.js';
import { leadingBits } from './rules/leading-bits.js';

/** Values by name, such as a Map. */
export type Facts = Pick<ReadonlyMap<string, unknown>, 'get' | 'has'>;

/** The caller's data about itself and the known data about the person. Empty texts count as absent. */
export interface SubjectFacts {
  distinctId?: string | null | undefined;
  appVersion?: string | null | undefined;
  platform?: string | null | undefined;
  osVersion?: string | null | undefined;
  locale?: string | null | undefined;
  cohorts?: Iterable<string> | undefined;
  /** Cohorts whose rules decide membership. */
  memberships?: readonly Membership[] | undefined;
  /** What is stored about the person. */
  properties?: Facts | undefined;
  /** Further data from the request, which overrides stored properties. */
  context?: Facts | undefined;
  /** Time of the decision, in milliseconds since 1970. */
  now?: number | undefined;
  /** A faster implementation of the same buckets, if available. */
  bucket?: BucketLookup | undefined;
}

/** The bucket of an id under a salt, equal to {@link bucketOf}. */
export type BucketLookup = (salt: string, id: string) => number;

/** A cohort whose rules decide membership. */
export interface Membership {
  readonly name: string;
  readonly holds: (subject: Subject) => boolean;
}

const plainBucket: BucketLookup = (salt, id) => bucketOf(leadingBits, salt, id);
const NOTHING: Facts = new Map();
const NO_COHORTS: ReadonlySet<string> = new Set();
const NO_MEMBERSHIPS: readonly Membership[] = [];

/** The subject of a decision, as conditions see it. Absent data is null. */
export class Subject {
  readonly distinctId: string | null;
  readonly appVersion: string | null;
  readonly osVersion: string | null;
  /** Lowercase. */
  readonly platform: string | null;
  /** Normalized by {@link foldLocale}. */
  readonly locale: string | null;
  readonly context: Facts;
  readonly now: number;
  readonly bucket: BucketLookup;
  /** The stored data about the person, regardless of the request. */
  readonly stored: Facts;
  private memories: Map<object, unknown[]> | null = null;
  private owner: object | null = null;
  private owned: unknown[] = [];
  private readonly named: ReadonlySet<string>;
  private readonly memberships: readonly Membership[];
  private joined: ReadonlySet<string> | null = null;

  constructor(facts: SubjectFacts) {
    this.distinctId = facts.distinctId || null;
    this.appVersion = facts.appVersion || null;
    this.osVersion = facts.osVersion || null;
    this.platform = facts.platform ? facts.platform.toLowerCase() : null;
    this.locale = facts.locale ? foldLocale(facts.locale) : null;
    this.named = facts.cohorts ? new Set(facts.cohorts) : NO_COHORTS;
    this.memberships = facts.memberships ?? NO_MEMBERSHIPS;
    this.stored = facts.properties ?? NOTHING;
    this.context = facts.context ?? NOTHING;
    this.now = facts.now ?? 0;
    this.bucket = facts.bucket ?? plainBucket;
  }

  /** The names of the subject's cohorts. Cohort rules are evaluated on demand. */
  get cohorts(): ReadonlySet<string> {
    if (this.joined === null) {
      // Cohort rules that use cohorts, which are never stored, see only cohorts known without rules.
      this.joined = this.named;
      const byRules = this.memberships.filter(({ holds }) => holds(this)).map(({ name }) => name);
      if (byRules.length > 0) this.joined = new Set([...this.named, ...byRules]);
    }
    return this.joined;
  }

  /** A property of the person, from the request or else as stored. */
  property(key: string): unknown {
    return this.context.has(key) ? this.context.get(key) : this.stored.get(key);
  }

  /** Memory in which rules that were compiled together cache results for this subject, with this many slots. */
  memory(owner: { readonly places: number }): unknown[] {
    if (owner !== this.owner) {
      this.memories ??= new Map();
      if (this.owner) this.memories.set(this.owner, this.owned);
      this.owner = owner;
      this.owned = this.memories.get(owner) ?? new Array(owner.places);
    }
    return this.owned;
  }
}

/** Normalizes a locale for comparison: `en_GB` to `en-gb`. */
export const foldLocale = (text: string): string => text.toLowerCase().replaceAll('_', '-');
