import { debugIdOf, marksOf, unmarked, withComment, withSnippet } from './debug-id-text.js';
import { type MovableMap, movedMap } from './moved-map.js';

/** A script and its map with the same debug id in both. */
export interface InjectedPair {
  script: string;
  map: string;
  debugId: string;
  /** They had it already. */
  isUnchanged: boolean;
}

interface MapFields extends MovableMap {
  version?: unknown;
  debugId?: unknown;
  debug_id?: unknown;
}

/** Puts a debug id into a script and its map; one that a bundler gave is kept. Throws SyntaxError with what is wrong with the map. */
export function injectPair(script: string, map: string): InjectedPair {
  const fields = fieldsOf(map);
  if (fields.version !== 3) throw new SyntaxError('its map is none of version 3');
  const given = [fields.debugId, fields.debug_id].find((id): id is string => typeof id === 'string')?.toLowerCase();
  const marks = marksOf(script);
  if (marks.snippetId !== null && marks.snippetId !== given) {
    const earlier = given === undefined ? cutShort(script, marks.snippetId, map) : null;
    if (earlier === null) throw new SyntaxError('it has a debug id, and its map is of another build; build both anew');
    return earlier;
  }
  const debugId = given ?? marks.debugId ?? debugIdOf(script, map);
  const isCommented = marks.debugId === debugId;
  if (marks.snippetId !== null && isCommented) return { script, map, debugId, isUnchanged: true };
  if (marks.debugId !== null && !isCommented)
    throw new SyntaxError('it has another debug id than its map; build both anew');
  const { place, lines } = withSnippet(script, debugId);
  const moved = movedMap(fields, place, lines);
  return {
    script: marked(script, debugId),
    map: JSON.stringify({ ...moved, debugId }),
    debugId,
    isUnchanged: false,
  };
}

/** A script with its snippet and its comment. */
export function marked(script: string, debugId: string): string {
  const told = withSnippet(script, debugId).script;
  return marksOf(script).debugId === debugId ? told : withComment(told, debugId);
}

/** The pair of which only the script was written, when the command was ended in between: the id tells that the map is its own. */
function cutShort(script: string, id: string, map: string): InjectedPair | null {
  const original = unmarked(script, id).find((one) => debugIdOf(one, map) === id && marked(one, id) === script);
  return original === undefined ? null : injectPair(original, map);
}

function fieldsOf(map: string): MapFields {
  try {
    const fields: unknown = JSON.parse(map.replace(/^\uFEFF?(?:\)\]\}'[^\n]*\n)?/, ''));
    if (typeof fields === 'object' && fields !== null) return fields;
  } catch {
    // Reported below.
  }
  throw new SyntaxError('its map is no JSON document; build both anew');
}
