import type { Membership } from '../../targeting/subject.js';
import type { Environment } from '../actor.js';

/** What is stored about a person, as far as decisions depend on it. */
export interface StoredPerson {
  readonly cohorts: ReadonlySet<string>;
  readonly properties: ReadonlyMap<string, unknown>;
  /** Cohorts that also depend on the request. */
  readonly memberships: readonly Membership[];
}

/** Looks up what is stored about a person, or about nobody without an id. */
export type PersonLookup = (
  projectId: string,
  environment: Environment,
  distinctId: string | null,
) => Promise<StoredPerson>;
