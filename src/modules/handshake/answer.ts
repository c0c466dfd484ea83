import type { Subject } from '../../targeting/subject.js';
import type { DecisionModule } from './decision-modules.js';
import { entityTag } from './slice.js';
import type { Snapshot, ToldSource } from './snapshot.js';

/** A decided answer: the strong entity tag that covers what was evaluated, and JSON text, written when it is asked for. */
export interface Decided {
  readonly etag: string;
  readonly json: () => string;
  /** Which outcomes it tells, for those who count. */
  readonly told: ToldOutcomes;
}

/**
 * Which outcomes each part of a snapshot tells, as its {@link Told} is counted, and the caller's cohorts; null where nothing is told. An
 * answer is written from them alone.
 */
export type ToldOutcomes = Readonly<Record<ToldSource | 'analytics', string | null>>;

/** Nothing is known, or nothing told. */
export const NOTHING_TOLD: ToldOutcomes = { switch: null, config: null, ofrep: null, analytics: null };

/**
 * The consolidated answer `{project_id, environment, modules}` of some modules for a caller (docs/rest.md, Handshake).
 *
 * @param known what the same snapshot told the same caller before; it is not decided again.
 */
export function handshakeAnswer(
  snapshot: Snapshot,
  modules: readonly DecisionModule[],
  subject: Subject,
  known: ToldOutcomes = NOTHING_TOLD,
): Decided {
  const slices = modules.map((name) => snapshot.slicers[name](subject, outcomesOf(known, name)));
  const { head } = snapshot;
  let tags = head;
  for (const [at, { etag }] of slices.entries()) tags += `${modules[at]}${etag}`;
  const members = () => slices.map((slice, at) => `"${modules[at]}":${slice.json()}`).join(',');
  const outcomes = (name: DecisionModule) => slices[modules.indexOf(name)]?.outcomes ?? null;
  return {
    etag: entityTag(tags),
    json: () => `${head},"modules":{${members()}}}`,
    told: { switch: outcomes('switch'), config: outcomes('config'), ofrep: null, analytics: outcomes('analytics') },
  };
}

/** The answer of one module's decision endpoint: its slice of the handshake, under the slice's own entity tag. `known` as in {@link handshakeAnswer}. */
export function decisionAnswer(
  snapshot: Snapshot,
  module: DecisionModule,
  subject: Subject,
  known: ToldOutcomes = NOTHING_TOLD,
): Decided {
  const { etag, json, outcomes } = snapshot.slicers[module](subject, outcomesOf(known, module));
  return { etag, json, told: tells(module) ? { ...NOTHING_TOLD, [module]: outcomes } : NOTHING_TOLD };
}

const tells = (module: DecisionModule): module is DecisionModule & keyof ToldOutcomes => module in NOTHING_TOLD;

function outcomesOf(known: ToldOutcomes, module: DecisionModule): string | null {
  return tells(module) ? known[module] : null;
}
