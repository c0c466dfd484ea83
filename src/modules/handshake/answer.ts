import type { Subject } from '../../targeting/subject.js';
import type { DecisionModule } from './decision-modules.js';
import { entityTag, type Slice } from './slice.js';
import type { Snapshot, ToldSource } from './snapshot.js';

/** A decided answer: the strong entity tag that covers what was evaluated, and JSON text, written when it is asked for. */
export interface Decided {
  readonly etag: string;
  readonly json: () => string;
  /** Which outcomes it tells, for those who count. */
  readonly told: readonly ToldOutcomes[];
}

/** What of a snapshot tells outcomes, and which, as its {@link Told} is counted. */
export type ToldOutcomes = readonly [source: ToldSource, outcomes: string];

/**
 * The consolidated answer `{project_id, environment, modules}` of some modules for a caller (docs/rest.md, Handshake).
 *
 * @param known what the same snapshot told the same caller before; it is not decided again.
 */
export function handshakeAnswer(
  snapshot: Snapshot,
  modules: readonly DecisionModule[],
  subject: Subject,
  known: readonly ToldOutcomes[] = [],
): Decided {
  const slices = modules.map((name) => ({ name, slice: snapshot.slicers[name](subject, outcomesOf(known, name)) }));
  const tags = slices.map(({ name, slice }) => `${name}${slice.etag}`);
  const members = () => slices.map(({ name, slice }) => `"${name}":${slice.json()}`).join(',');
  const { head } = snapshot;
  return {
    etag: entityTag(`${head}${tags.join('')}`),
    json: () => `${head},"modules":{${members()}}}`,
    told: slices.flatMap(({ name, slice }) => toldBy(name, slice)),
  };
}

/** The answer of one module's decision endpoint: its slice of the handshake, under the slice's own entity tag. `known` as in {@link handshakeAnswer}. */
export function decisionAnswer(
  snapshot: Snapshot,
  module: DecisionModule,
  subject: Subject,
  known: readonly ToldOutcomes[] = [],
): Decided {
  const slice = snapshot.slicers[module](subject, outcomesOf(known, module));
  return { ...slice, told: toldBy(module, slice) };
}

/** What a source told, where it is known. */
export function outcomesOf(known: readonly ToldOutcomes[], source: DecisionModule | ToldSource): string | undefined {
  return known.find(([told]) => told === source)?.[1];
}

function toldBy(name: DecisionModule, { outcomes }: Slice): ToldOutcomes[] {
  return name === 'switch' || name === 'config' ? [[name, outcomes]] : [];
}
