import { hash } from 'node:crypto';
import type { Subject } from '../../targeting/subject.js';
import type { Outcome } from '../quotas/decisions/decision-counts.js';

/** One module's part of the handshake: JSON text that ends with its own strong entity tag. */
export interface Slice {
  /** With its quotation marks, as in the header `ETag` and the body's `etag`. */
  readonly etag: string;
  /** Written on demand: a caller who already has it needs only the tag. */
  readonly json: () => string;
  /** In the format of {@link Chosen}, or the caller's cohorts; empty if everyone gets the same. */
  readonly outcomes: string;
}

/** Answers a module for a caller, without I/O. If the caller's `outcomes` are known, nothing is decided again. */
export type Slicer = (subject: Subject, outcomes?: string | null) => Slice;

/** Like a {@link Slicer}, in the format of a {@link chooser}. */
export type Chooser = (subject: Subject, outcomes?: string | null) => Chosen;

/** A member of a module's map or list: its possible texts, and which of them a caller gets. */
export interface Member {
  readonly texts: readonly string[];
  readonly choose: (subject: Subject) => number;
  /** What the texts mean, for counting; a text beyond the last is not a decision. */
  readonly outcomes: () => readonly Outcome[];
}

/** A caller's members, comma-separated, under a tag that is equal for equal text. */
export interface Chosen {
  readonly etag: string;
  readonly text: () => string;
  /** A UTF-16 unit for each member whose texts differ: the index of its text. */
  readonly outcomes: string;
}

/** What members mean, for counting answers of a {@link chooser}. */
export interface MemberOutcomes {
  /** Of members that are the same for everyone. */
  readonly alike: readonly Outcome[];
  /** Of those whose texts differ. */
  readonly varying: readonly (readonly Outcome[])[];
}

/** What members mean, assembled on demand without keeping the members' texts. */
export function memberOutcomes(members: readonly Member[]): () => MemberOutcomes {
  const varies = ({ texts }: Member) => new Set(texts).size > 1;
  const alike = members.filter((member) => !varies(member)).map(({ outcomes }) => outcomes);
  const varying = members.filter(varies).map(({ outcomes }) => outcomes);
  return () => ({
    alike: alike.flatMap((outcomes) => outcomes().slice(0, 1)),
    varying: varying.map((outcomes) => outcomes()),
  });
}

const TAG_DIGITS = 27;
const tagBytes = Buffer.alloc(TAG_DIGITS + 2, '"');

/** A strong entity tag (RFC 9110, section 8.8.3) of a text: equal for equal text, in every process; a flat string, because it is cached. */
export function entityTag(text: string): string {
  tagBytes.write(hash('sha256', text, 'base64url'), 1, TAG_DIGITS, 'latin1');
  return tagBytes.toString('latin1');
}

/** Answers every caller alike. `open` is a JSON object without its closing brace. */
export function constantSlicer(open: string): Slicer {
  const slice = sliceOf(open);
  return () => slice;
}

/** Completes a module's JSON object with its entity tag. `open` is the object without its closing brace. */
export const sliceOf = (open: string, outcomes = ''): Slice => tagged(entityTag(open), () => open, outcomes);

/** Answers a map whose members depend on the caller. `open` is everything before the first member. */
export function mapSlicer(open: string, members: readonly Member[]): Slicer {
  const choose = chooser(open, members);
  return (subject, known) => {
    const { etag, text, outcomes } = choose(subject, known);
    return tagged(etag, () => `${open}${text()}}`, outcomes);
  };
}

/** Combinations that a chooser caches; if there are few, all share one. */
const MOST_FAVOURED = 16;

/**
 * Chooses a caller's texts. The tag covers everything `name` and the texts can say and which of them were chosen, so it is known before
 * anything is written. Neighbors that don't depend on the caller are joined once.
 */
export function chooser(name: string, members: readonly Member[]): Chooser {
  const parts = joinConstants(members);
  const varying = parts.filter((part) => typeof part !== 'string');
  const content = entityTag(
    JSON.stringify([name, parts.map((part) => (typeof part === 'string' ? part : part.texts))]),
  );
  // Equal texts are one choice.
  const isPlain = varying.every(({ first }) => first.every((place, at) => place === at));
  const choices = (outcomes: string) =>
    isPlain ? outcomes : textOfUnits(varying.map(({ first }, at) => first[outcomes.charCodeAt(at)] as number));
  const favoured = new Map<string, Chosen>();
  return (subject, known) => {
    const outcomes = known ?? textOfUnits(varying.map(({ choose }) => choose(subject)));
    const alike = favoured.get(outcomes);
    if (alike) return alike;
    const chosen = choices(outcomes);
    const text = () => {
      let [written, at] = ['', 0];
      for (const part of parts) written += typeof part === 'string' ? part : part.texts[chosen.charCodeAt(at++)];
      return written;
    };
    const made = { etag: entityTag(content + chosen), text, outcomes };
    if (favoured.size < MOST_FAVOURED) favoured.set(outcomes, made);
    return made;
  };
}

const textOfUnits = (units: readonly number[]): string => String.fromCharCode(...units);

function tagged(etag: string, open: () => string, outcomes: string): Slice {
  return { etag, outcomes, json: () => `${open()},"etag":${JSON.stringify(etag)}}` };
}

interface Varying extends Member {
  /** The first index of each of its texts: equal texts are one choice. */
  readonly first: readonly number[];
}

/** Each part except the first begins with its comma. */
function joinConstants(members: readonly Member[]): (string | Varying)[] {
  const parts: (string | Varying)[] = [];
  for (const [position, { texts: plain, choose, outcomes }] of members.entries()) {
    const texts = position === 0 ? plain : plain.map((text) => `,${text}`);
    const places = new Map<string, number>();
    for (const [at, text] of texts.entries()) if (!places.has(text)) places.set(text, at);
    const first = texts.map((text) => places.get(text) as number);
    const last = parts.at(-1);
    if (places.size > 1) parts.push({ texts: texts.map(flat), choose, outcomes, first });
    else if (typeof last === 'string') parts[parts.length - 1] = last + texts[0];
    else parts.push(texts[0] as string);
  }
  return parts.map((part) => (typeof part === 'string' ? flat(part) : part));
}

/** A concatenation keeps its pieces alive; read back from bytes, a text is flat and takes a third of the memory. */
const flat = (text: string): string => Buffer.from(text).toString();
