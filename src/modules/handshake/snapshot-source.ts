import { hash } from 'node:crypto';
import type { CohortDefinition } from '../ingest/cohorts/cohort-definitions.js';
import type { StoredFlag } from '../switch/flags/flag-definitions.js';
import type { ConfigDefinition } from './config-slicer.js';
import { DECISION_MODULES, type DecisionModule } from './decision-modules.js';

/** Everything the decisions of one project and environment depend on, as provided by the modules. */
export interface SnapshotSource {
  readonly projectId: string;
  readonly environment: string;
  readonly disabled: readonly string[];
  readonly flags: readonly StoredFlag[];
  readonly items: readonly ConfigDefinition[];
  readonly cohorts: readonly CohortDefinition[];
  /** The release that clients should run, as shown in the answer; null if none was promoted. */
  readonly release: object | null;
  /** Share of crash events to send, 0 to 1. */
  readonly sampleRate: number;
}

/** A source as JSON text, which takes a fraction of its memory, and its identity. */
export interface WrittenSource {
  readonly text: string;
  /** Equal for equal sources. */
  readonly fingerprint: string;
}

/** Serializes a source, without compiling it. */
export function writeSource(source: SnapshotSource): WrittenSource {
  const text = JSON.stringify(source);
  return { text, fingerprint: hash('sha256', text, 'base64') };
}

export function modulesOn({ disabled }: SnapshotSource): ReadonlySet<DecisionModule> {
  return new Set(DECISION_MODULES.filter((name) => !disabled.includes(name)));
}
