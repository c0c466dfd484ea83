import type { Environment } from '../../kernel/actor.js';
import type { CohortDefinition } from '../ingest/cohorts/cohort-definitions.js';
import type { PersonChanges } from '../ingest/people/person-changes.js';
import type { FactsWanted, PersonFacts } from '../ingest/people/person-facts.js';
import type { StoredFlag } from '../switch/flags/flag-definitions.js';
import type { ConfigDefinition } from './config-slicer.js';

/** A project and environment that decisions are made for. */
export interface ProjectEnvironment {
  readonly projectId: string;
  readonly environment: Environment;
}

/**
 * What each module provides for definitions; with {@link PersonSources} the only seams between the handshake and the modules it composes.
 */
export interface DecisionSources {
  readonly disabledModules: (place: ProjectEnvironment) => Promise<readonly string[]>;
  readonly flags: (place: ProjectEnvironment) => Promise<readonly StoredFlag[]>;
  readonly items: (place: ProjectEnvironment) => Promise<readonly ConfigDefinition[]>;
  readonly cohorts: (place: ProjectEnvironment) => Promise<readonly CohortDefinition[]>;
  /** The promoted release as shown in the answer. */
  readonly release: (place: ProjectEnvironment) => Promise<object | null>;
  /** Share of crash events that SDKs should send, 0 to 1. */
  readonly sampleRate: (place: ProjectEnvironment) => Promise<number>;
}

/** What is stored about persons, and what changed in it. */
export interface PersonSources {
  /** The facts of the persons behind some ids, in the order of the ids. */
  readonly facts: (
    place: ProjectEnvironment,
    distinctIds: readonly string[],
    wanted: FactsWanted,
  ) => Promise<readonly PersonFacts[]>;
  /** The position from which later changes can be requested. */
  readonly position: () => Promise<string>;
  /** Everything that changed since a position. */
  readonly changes: (position: string) => Promise<PersonChanges>;
}
