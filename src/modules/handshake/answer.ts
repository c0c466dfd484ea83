import type { Subject } from '../../targeting/subject.js';
import type { DecisionModule } from './decision-modules.js';
import { entityTag } from './slice.js';
import type { Snapshot } from './snapshot.js';

/** A decided answer: the strong entity tag that covers what was evaluated, and JSON text, written when it is asked for. */
export interface Decided {
  readonly etag: string;
  readonly json: () => string;
}

/** The consolidated answer `{project_id, environment, modules}` of some modules for a caller (docs/rest.md, Handshake). */
export function handshakeAnswer(snapshot: Snapshot, modules: readonly DecisionModule[], subject: Subject): Decided {
  const slices = modules.map((name) => ({ name, slice: snapshot.slicers[name](subject) }));
  const tags = slices.map(({ name, slice }) => `${name}${slice.etag}`);
  const members = () => slices.map(({ name, slice }) => `"${name}":${slice.json()}`).join(',');
  const { head } = snapshot;
  return { etag: entityTag(`${head}${tags.join('')}`), json: () => `${head},"modules":{${members()}}}` };
}

/** The answer of one module's decision endpoint: its slice of the handshake, under the slice's own entity tag. */
export function decisionAnswer(snapshot: Snapshot, module: DecisionModule, subject: Subject): Decided {
  return snapshot.slicers[module](subject);
}
