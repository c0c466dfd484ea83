import type { Environment } from '../../kernel/actor.js';
import type { FlagDefinition } from '../../targeting/flags/flag-definition.js';
import type { PersonLookup } from '../switch/evaluation/flag-explaining.service.js';
import type { ConfigDefinition } from './config-slicer.js';

/** A project and environment that decisions are made for. */
export interface Place {
  readonly projectId: string;
  readonly environment: Environment;
}

/** What each module hands over for decisions; the only seams of the handshake to the modules it composes. */
export interface DecisionSources {
  readonly disabledModules: (place: Place) => Promise<readonly string[]>;
  readonly flags: (place: Place) => Promise<readonly FlagDefinition[]>;
  readonly items: (place: Place) => Promise<readonly ConfigDefinition[]>;
  readonly hasCohorts: (place: Place) => Promise<boolean>;
  /** The promoted release as the answer shows it. */
  readonly release: (place: Place) => Promise<object | null>;
  /** Share of crash events that SDKs should send, 0 to 1. */
  readonly sampleRate: (place: Place) => Promise<number>;
  /** Cohorts and properties of the person behind a distinct id. */
  readonly person: PersonLookup;
}
