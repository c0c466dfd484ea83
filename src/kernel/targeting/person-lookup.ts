import type { Membership, SubjectFacts } from '../../targeting/subject.js';
import type { Environment } from '../actor.js';
import type { ExplainedPersonArgs } from './rule-fields.js';

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

/** The stored person as a request describes them: what the request gives replaces cohorts and overrides properties. */
export function explainedFacts(request: ExplainedPersonArgs, stored: StoredPerson, now: Date): SubjectFacts {
  return {
    ...request,
    cohorts: request.cohorts ?? stored.cohorts,
    memberships: request.cohorts ? [] : stored.memberships,
    properties: new Map([...stored.properties, ...entriesOf(request.properties)]),
    context: new Map(entriesOf(request.context)),
    now: now.getTime(),
  };
}

function entriesOf(given: unknown): [string, unknown][] {
  return typeof given === 'object' && given !== null && !Array.isArray(given) ? Object.entries(given) : [];
}
