import { hash } from 'node:crypto';
import type { Subject } from '../../targeting/subject.js';

/** One module's part of the handshake, as JSON text that ends with its own strong entity tag. */
export interface Slice {
  readonly json: string;
  /** With its quotation marks, as the header `ETag` and the body's `etag` both show it. */
  readonly etag: string;
}

/** Answers a module for a caller. It does no I/O. */
export type Slicer = (subject: Subject) => Slice;

/** A member of a module's map: the texts it may have, and which of them a caller gets. */
export interface Member {
  readonly texts: readonly string[];
  readonly choose: (subject: Subject) => number;
}

/** A strong entity tag (RFC 9110, section 8.8.3) over a text: equal for equal text, in every process. */
export function entityTag(text: string): string {
  return `"${hash('sha256', text, 'base64url').slice(0, 27)}"`;
}

/** Completes a module's JSON object with its entity tag. `open` is the object without its closing brace. */
export function sliceOf(open: string): Slice {
  const etag = entityTag(open);
  return { json: `${open},"etag":${JSON.stringify(etag)}}`, etag };
}

/** Answers every caller alike. */
export function constantSlicer(open: string): Slicer {
  const slice = sliceOf(open);
  return () => slice;
}

/**
 * Answers a map whose members depend on the caller. `open` is everything before the first member; neighbours that
 * do not depend on the caller are joined once.
 */
export function mapSlicer(open: string, members: readonly Member[]): Slicer {
  const parts = joinConstants(members);
  const render = (subject: Subject) => {
    let text = open;
    for (const [index, part] of parts.entries()) {
      if (index > 0) text += ',';
      text += typeof part === 'string' ? part : (part.texts[part.choose(subject)] as string);
    }
    return `${text}}`;
  };
  if (parts.every((part): part is string => typeof part === 'string')) {
    return constantSlicer(`${open}${parts.join(',')}}`);
  }
  return (subject) => sliceOf(render(subject));
}

function joinConstants(members: readonly Member[]): (string | Member)[] {
  const parts: (string | Member)[] = [];
  for (const member of members) {
    const [only] = member.texts;
    const last = parts.at(-1);
    if (only === undefined || member.texts.length > 1) parts.push(member);
    else if (typeof last === 'string') parts[parts.length - 1] = `${last},${only}`;
    else parts.push(only);
  }
  return parts.map((part) => (typeof part === 'string' ? flat(part) : { ...part, texts: part.texts.map(flat) }));
}

/** A concatenation keeps its pieces alive; read back from bytes a text is one piece, a third of the memory. */
function flat(text: string): string {
  return Buffer.from(text).toString();
}
