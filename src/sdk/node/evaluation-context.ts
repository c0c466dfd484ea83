import { type BucketLookup, type Facts, type Membership, Subject } from '../../targeting/subject.js';
import type { Json } from '../core/json.js';
import { jsonText } from '../core/plain-json.js';

/**
 * Whom a decision is for. Rules are decided in this process, which knows nothing of what the server stores about people: what rules ask
 * for as `props.<key>` has to be said here, and so do cohorts that definitions do not tell (docs/sdk.md, Node).
 */
export interface EvaluationContext {
  /** Who it is; percentages and splits are decided by it. */
  readonly distinctId?: string | undefined;
  readonly appVersion?: string | undefined;
  readonly platform?: string | undefined;
  readonly osVersion?: string | undefined;
  readonly locale?: string | undefined;
  /** Names of cohorts that the person is in, beside those that definitions tell. */
  readonly cohorts?: readonly string[] | undefined;
  /** What is known about the person, for `props.<key>`. */
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
  /** What is known about the request, for `context.<key>`; it stands over properties of the same name. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  /** The instant of the decision, in milliseconds since 1970; now unless given. */
  readonly now?: number | undefined;
}

/** Nobody in particular. */
export const NOBODY: EvaluationContext = {};

/** The members of an object that are its own, as JSON would bring them to the server. */
class JsonMembers implements Facts {
  private copies: Map<string, Json | undefined> | null = null;

  constructor(private readonly members: Readonly<Record<string, unknown>>) {}

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

/** What a process knows beside the context of a call. */
export interface Surroundings {
  readonly now: () => number;
  readonly bucket: BucketLookup;
  /** Cohorts that definitions tell. */
  readonly memberships?: readonly Membership[] | undefined;
}

/** The evaluator's view of a context; values that are not texts count as absent. */
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
