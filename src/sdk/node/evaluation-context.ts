import { type BucketLookup, type Facts, type Membership, Subject } from '../../targeting/subject.js';
import type { Data, Json } from '../core/json.js';
import { jsonText } from '../core/plain-json.js';

/**
 * The person a decision is for. Rules are evaluated in this process, which does not know what the server stores about
 * people: pass the values that rules read as `props.<key>` here, and cohorts that definitions do not include
 * (docs/sdk.md, Node).
 */
export interface EvaluationContext {
  /** The person's id, which percentages and splits bucket by. */
  readonly distinctId?: string | undefined;
  readonly appVersion?: string | undefined;
  readonly platform?: string | undefined;
  readonly osVersion?: string | undefined;
  readonly locale?: string | undefined;
  /** Names of the person's cohorts, in addition to those in the definitions. */
  readonly cohorts?: readonly string[] | undefined;
  /** Properties of the person, for `props.<key>`. */
  readonly properties?: Data | undefined;
  /** Attributes of the request, for `context.<key>`; they override properties of the same name. */
  readonly context?: Data | undefined;
  /** Time of the decision in milliseconds since 1970. Defaults to now. */
  readonly now?: number | undefined;
}

/** An anonymous context. */
export const NOBODY: EvaluationContext = {};

/** An object's own members, as JSON would transmit them. */
class JsonMembers implements Facts {
  private copies: Map<string, Json | undefined> | null = null;

  private readonly members: Readonly<Record<string, unknown>>;

  constructor(given: Data) {
    // Any object has members by name; the type of an interface does not say so.
    this.members = given as Readonly<Record<string, unknown>>;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  get(key: string): unknown {
    const value = Object.hasOwn(this.members, key) ? this.members[key] : undefined;
    if (isPlain(value)) return value;
    this.copies ??= new Map();
    if (!this.copies.has(key)) this.copies.set(key, JSON.parse(jsonText({ value })).value);
    return this.copies.get(key);
  }
}

const isPlain = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || value == null || Number.isFinite(value);

/** What the process knows in addition to a call's context. */
export interface Surroundings {
  readonly now: () => number;
  readonly bucket: BucketLookup;
  /** Cohorts from the definitions. */
  readonly memberships?: readonly Membership[] | undefined;
}

/** The evaluator's view of a context; values of the wrong type count as absent. */
export function subjectOf(given: EvaluationContext, { now, bucket, memberships }: Surroundings): Subject {
  return new Subject({
    distinctId: text(given.distinctId),
    appVersion: text(given.appVersion),
    platform: text(given.platform),
    osVersion: text(given.osVersion),
    locale: text(given.locale),
    cohorts: Array.isArray(given.cohorts) ? given.cohorts : undefined,
    memberships,
    properties: given.properties ? new JsonMembers(given.properties) : undefined,
    context: given.context ? new JsonMembers(given.context) : undefined,
    now: given.now ?? now(),
    bucket,
  });
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
