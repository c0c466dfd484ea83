import type { Subject } from '../../targeting/subject.js';
import { flagSubject } from '../switch/evaluation/flag-subject.js';
import type { DecisionModule } from './decision-modules.js';
import { entityTag, type Slice } from './slice.js';
import type { OutcomeSource, Snapshot } from './snapshot.js';

/** The caller for whom decisions are requested, in the SDK's own terms. */
export interface DecisionCaller {
  readonly distinctId: string | null;
  readonly appVersion: string | null;
  readonly platform: string | null;
  readonly osVersion: string | null;
  readonly locale: string | null;
  /** Additional context from the request; it overrides stored properties. */
  readonly context?: ReadonlyMap<string, unknown>;
}

/** A decided answer: the strong entity tag that covers what was evaluated, and JSON text, written on demand. */
export interface Decided {
  readonly etag: string;
  readonly json: () => string;
  readonly served: ServedOutcomes;
}

/**
 * The outcomes that each part of a snapshot serves, counted like its {@link MemberOutcomes}, and the caller's cohorts; null if nothing is served. An
 * answer can be written from them alone.
 */
export type ServedOutcomes = Readonly<Record<OutcomeSource | 'analytics', string | null>>;

/** A caller without inputs, because what to serve is already known. */
export const ANYBODY = flagSubject({});

export const NOTHING_SERVED: ServedOutcomes = { switch: null, config: null, ofrep: null, analytics: null };

/** The consolidated answer `{project_id, environment, modules}` of some modules for a caller (docs/rest.md, Handshake). */
export function handshakeAnswer(snapshot: Snapshot, modules: readonly DecisionModule[], subject: Subject): Decided {
  const slices = modules.map((name) => snapshot.slicers[name](subject));
  let tags = snapshot.head;
  for (const [at, { etag }] of slices.entries()) tags += `${modules[at]}${etag}`;
  const outcomes = (name: DecisionModule) => slices[modules.indexOf(name)]?.outcomes ?? null;
  return {
    etag: entityTag(tags),
    json: () => handshakeText(snapshot, modules, slices),
    served: { switch: outcomes('switch'), config: outcomes('config'), ofrep: null, analytics: outcomes('analytics') },
  };
}

/** The JSON of a {@link handshakeAnswer} that the same snapshot gave before, without deciding it again. */
export function servedHandshake(
  snapshot: Snapshot,
  modules: readonly DecisionModule[],
  served: ServedOutcomes,
): string {
  return handshakeText(
    snapshot,
    modules,
    modules.map((name) => servedSlice(snapshot, name, served)),
  );
}

function handshakeText({ head }: Snapshot, modules: readonly DecisionModule[], slices: readonly Slice[]): string {
  const members = slices.map((slice, at) => `"${modules[at]}":${slice.json()}`).join(',');
  return `${head},"modules":{${members}}}`;
}

/** The answer of one module's decision endpoint: its slice of the handshake, under the slice's own entity tag. */
export function decisionAnswer(snapshot: Snapshot, module: DecisionModule, subject: Subject): Decided {
  const { etag, json, outcomes } = snapshot.slicers[module](subject);
  return { etag, json, served: servesOutcomes(module) ? { ...NOTHING_SERVED, [module]: outcomes } : NOTHING_SERVED };
}

/** The slice of a module that the same snapshot gave before. */
export function servedSlice(snapshot: Snapshot, module: DecisionModule, served: ServedOutcomes): Slice {
  return snapshot.slicers[module](ANYBODY, servesOutcomes(module) ? served[module] : null);
}

const servesOutcomes = (module: DecisionModule): module is DecisionModule & keyof ServedOutcomes =>
  module in NOTHING_SERVED;
