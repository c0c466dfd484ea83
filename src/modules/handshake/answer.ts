import type { Subject } from '../../targeting/subject.js';
import type { DecisionModule } from './decision-modules.js';
import { entityTag, type Slice } from './slice.js';
import type { Snapshot } from './snapshot.js';

/** A finished answer: JSON bytes and the strong entity tag that covers what was evaluated. */
export interface Answer {
  readonly body: Buffer;
  readonly etag: string;
}

/** The consolidated answer `{project_id, environment, modules}` of some modules for a caller (docs/rest.md, Handshake). */
export function handshakeAnswer(snapshot: Snapshot, modules: readonly DecisionModule[], subject: Subject): Answer {
  const head = `{"project_id":${JSON.stringify(snapshot.projectId)},"environment":${JSON.stringify(snapshot.environment)}`;
  const slices = modules.map((name): [DecisionModule, Slice] => [name, snapshot.slicers[name](subject)]);
  const tags = slices.map(([name, { etag }]) => `${name}${etag}`);
  const members = slices.map(([name, { json }]) => `"${name}":${json}`);
  return { body: Buffer.from(`${head},"modules":{${members.join(',')}}}`), etag: entityTag(`${head}${tags.join('')}`) };
}

/** The answer of one module's decision endpoint: its slice of the handshake, under the slice's own entity tag. */
export function decisionAnswer(snapshot: Snapshot, module: DecisionModule, subject: Subject): Answer {
  const { json, etag } = snapshot.slicers[module](subject);
  return { body: Buffer.from(json), etag };
}
