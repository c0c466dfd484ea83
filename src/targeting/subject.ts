import { bucketOf } from './rules/bucket.js';
import { leadingBits } from './rules/leading-bits.js';

/** Values by name; a map is one. */
export type Facts = Pick<ReadonlyMap<string, unknown>, 'get' | 'has'>;

/** What a caller says about itself and what is known about the person. Empty texts count as absent. */
export interface SubjectFacts {
  distinctId?: string | null | undefined;
  appVersion?: string | null | undefined;
  platform?: string | null | undefined;
  osVersion?: string | null | undefined;
  locale?: string | null | undefined;
  cohorts?: Iterable<string> | undefined;
  /** Cohorts that somebody is in by rules. */
  memberships?: readonly Membership[] | undefined;
  /** What is stored about the person. */
  properties?: Facts | undefined;
  /** What the request says beside the named facts; it stands over stored properties. */
  context?: Facts | undefined;
  /** The instant of the decision, in milliseconds since 1970. */
  now?: number | undefined;
  /** A faster way to the same buckets, where there is one. */
  bucket?: BucketLookup | undefined;
}

/** The bucket of an id under a salt, as {@link bucketOf} tells it. */
export type BucketLookup = (salt: string, id: string) => number;

/** A cohort that tells by rules who is in it. */
export interface Membership {
  readonly name: string;
  readonly holds: (subject: Subject) => boolean;
}

const plainBucket: BucketLookup = (salt, id) => bucketOf(leadingBits, salt, id);
const NOTHING: Facts = new Map();
const NO_COHORTS: ReadonlySet<string> = new Set();
const NO_MEMBERSHIPS: readonly Membership[] = [];

/** The one a decision is made for, as conditions see it. Absent facts are null. */
export class Subject {
  readonly distinctId: string | null;
  readonly appVersion: string | null;
  readonly osVersion: string | null;
  /** In lower case. */
  readonly platform: string | null;
  /** As {@link foldLocale} writes it. */
  readonly locale: string | null;
  readonly context: Facts;
  readonly now: number;
  readonly bucket: BucketLookup;
  /** What is stored about the person, whatever the request says. */
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

  /** The names of the cohorts that it is in. Rules of cohorts are tried when somebody asks. */
  get cohorts(): ReadonlySet<string> {
    if (this.joined === null) {
      // Rules that ask for cohorts themselves, which are never stored, see those that are known without rules.
      this.joined = this.named;
      const byRules = this.memberships.filter(({ holds }) => holds(this)).map(({ name }) => name);
      if (byRules.length > 0) this.joined = new Set([...this.named, ...byRules]);
    }
    return this.joined;
  }

  /** A property of the person, as the request says it, else as it is stored. */
  property(key: string): unknown {
    return this.context.has(key) ? this.context.get(key) : this.stored.get(key);
  }

  /** Where rules that were compiled together keep what they found out about this subject, in that many places. */
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

/** A locale as it is compared: `en_GB` as `en-gb`. */
export const foldLocale = (text: string): string => text.toLowerCase().replaceAll('_', '-');
