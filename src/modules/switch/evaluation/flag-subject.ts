import { parseVersion, type Version } from '../../../targeting/versions/version-range.js';

/** The one a decision is made for, as the evaluator sees it. Absent facts are null, and no condition on them holds. */
export interface FlagSubject {
  readonly distinctId: string | null;
  readonly appVersion: Version | null;
  /** Lower case. */
  readonly platform: string | null;
  /** Names of the cohorts the person is in. */
  readonly cohorts: ReadonlySet<string>;
  readonly properties: ReadonlyMap<string, unknown>;
}

/** What a caller says about itself and what is known about the person. */
export interface SubjectFacts {
  distinctId?: string | null | undefined;
  appVersion?: string | null | undefined;
  platform?: string | null | undefined;
  cohorts?: Iterable<string> | undefined;
  properties?: ReadonlyMap<string, unknown> | undefined;
}

const NOTHING: ReadonlyMap<string, unknown> = new Map();

/** Makes the evaluator's view of a caller. Empty texts count as absent, an app version that is none as well. */
export function flagSubject(facts: SubjectFacts): FlagSubject {
  return {
    distinctId: facts.distinctId || null,
    appVersion: facts.appVersion ? parseVersion(facts.appVersion) : null,
    platform: facts.platform ? facts.platform.toLowerCase() : null,
    cohorts: new Set(facts.cohorts),
    properties: facts.properties ?? NOTHING,
  };
}
