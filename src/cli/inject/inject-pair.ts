import { hash } from 'node:crypto';
import { debugIdOf, marksOf, unmarked, uuidOf, withComment, withoutSnippet, withSnippet } from './debug-id-text.js';
import { leadsFrom, type MovableMap, movedMap } from './moved-map.js';

/** A script and its map with the same debug id in both. */
export interface InjectedPair {
  script: string;
  map: string;
  debugId: string;
  /** They already had it. */
  isUnchanged: boolean;
}

interface MapFields extends MovableMap {
  version?: unknown;
  debugId?: unknown;
  debug_id?: unknown;
  /** Our extension of ECMA-426: the SHA-256 of the script the map was shifted for; earlier versions left no mark. */
  x_quarterdeck_moved?: unknown;
}

/**
 * Puts a debug id into a script and its map; an id from a bundler is kept. Throws SyntaxError with what is wrong with
 * the map.
 */
export function injectPair(script: string, map: string): InjectedPair {
  const fields = fieldsOf(map);
  if (fields.version !== 3) throw new SyntaxError('its source map is not version 3');
  const given = uuidOf(fields.debugId) ?? uuidOf(fields.debug_id);
  const marks = marksOf(script);
  const snippetId = marks.snippetIds.find((id) => id === given) ?? marks.snippetIds.find((id) => id === marks.debugId);
  if (snippetId !== undefined && snippetId !== given) {
    const earlier = given === null ? cutShort(script, snippetId, map) : null;
    if (earlier === null)
      throw new SyntaxError('it has a debug id, but its source map is from another build; rebuild both');
    return earlier;
  }
  const debugId = given ?? marks.debugId ?? debugIdOf(script, map);
  const isCommented = marks.debugId === debugId;
  if (marks.debugId !== null && !isCommented)
    throw new SyntaxError('its debug id differs from that of its source map; rebuild both');
  const { x_quarterdeck_moved: movedFor } = fields;
  if (snippetId !== undefined && isCommented) {
    const original = movedFor === undefined ? ofUnmovedMap(script, debugId, fields) : undefined;
    return original === undefined ? { script, map, debugId, isUnchanged: true } : injectPair(original, map);
  }
  const injected = marked(script, debugId);
  if (snippetId === undefined && movedFor !== undefined) {
    if (movedFor !== sha256(injected))
      throw new SyntaxError('its source map was changed for another build; rebuild both');
    return { script: injected, map, debugId, isUnchanged: false };
  }
  const { place, lines } = withSnippet(script, debugId);
  const moved = { ...movedMap(fields, place, lines), debugId, x_quarterdeck_moved: sha256(injected) };
  return { script: injected, map: JSON.stringify(moved), debugId, isUnchanged: false };
}

const sha256 = (text: string): string => hash('sha256', text);

/** A script with its snippet and its comment. */
export function marked(script: string, debugId: string): string {
  const extended = withSnippet(script, debugId).script;
  return marksOf(script).debugId === debugId ? extended : withComment(extended, debugId);
}

/** A pair of which an interrupted earlier version wrote only the script: the id proves that the map belongs to it. */
function cutShort(script: string, id: string, map: string): InjectedPair | null {
  const original = unmarked(script, id).find((one) => debugIdOf(one, map) === id && marked(one, id) === script);
  return original === undefined ? null : injectPair(original, map);
}

/**
 * The original of such a script when the bundler put the id into the map: the snippet's position still maps to the code
 * after it.
 */
function ofUnmovedMap(script: string, id: string, map: MovableMap): string | undefined {
  return withoutSnippet(script, id).find((original) => {
    const extended = withSnippet(original, id);
    const { line, column } = extended.place;
    // Compilers also map the end of a directive.
    return extended.script === script && leadsFrom(map, { line, column: column === 0 ? 0 : column + 1 });
  });
}

function fieldsOf(map: string): MapFields {
  try {
    const fields: unknown = JSON.parse(map.replace(/^\uFEFF?(?:\)\]\}'[^\n]*\n)?/, ''));
    if (typeof fields === 'object' && fields !== null) return fields;
  } catch {
    // Reported below.
  }
  throw new SyntaxError('its source map is not valid JSON; rebuild both');
}
