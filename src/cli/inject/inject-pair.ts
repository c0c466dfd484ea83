import { createHash } from 'node:crypto';
import { debugIdOf, marksOf, unmarked, withComment, withoutSnippet, withSnippet } from './debug-id-text.js';
import { leadsFrom, type MovableMap, movedMap } from './moved-map.js';

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
  /** Our extension of ECMA-426: the SHA-256 of the script that it was moved for; earlier versions moved without a word. */
  x_quarterdeck_moved?: unknown;
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
  if (marks.debugId !== null && !isCommented)
    throw new SyntaxError('it has another debug id than its map; build both anew');
  const { x_quarterdeck_moved: movedFor } = fields;
  if (marks.snippetId !== null && isCommented) {
    const original = movedFor === undefined ? ofUnmovedMap(script, debugId, fields) : undefined;
    return original === undefined ? { script, map, debugId, isUnchanged: true } : injectPair(original, map);
  }
  const told = marked(script, debugId);
  if (marks.snippetId === null && movedFor !== undefined) {
    if (movedFor !== sha256(told)) throw new SyntaxError('its map was moved for another build; build both anew');
    return { script: told, map, debugId, isUnchanged: false };
  }
  const { place, lines } = withSnippet(script, debugId);
  const moved = { ...movedMap(fields, place, lines), debugId, x_quarterdeck_moved: sha256(told) };
  return { script: told, map: JSON.stringify(moved), debugId, isUnchanged: false };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A script with its snippet and its comment. */
export function marked(script: string, debugId: string): string {
  const told = withSnippet(script, debugId).script;
  return marksOf(script).debugId === debugId ? told : withComment(told, debugId);
}

/** The pair of which an earlier version, ended in between, wrote the script only: the id tells that the map is its own. */
function cutShort(script: string, id: string, map: string): InjectedPair | null {
  const original = unmarked(script, id).find((one) => debugIdOf(one, map) === id && marked(one, id) === script);
  return original === undefined ? null : injectPair(original, map);
}

/** What such a script was, where its map had the id from the bundler: the place of the snippet still leads to the code behind it. */
function ofUnmovedMap(script: string, id: string, map: MovableMap): string | undefined {
  return withoutSnippet(script, id).find((original) => {
    const told = withSnippet(original, id);
    const { line, column } = told.place;
    // Compilers map the end of a directive, too.
    return told.script === script && leadsFrom(map, { line, column: column === 0 ? 0 : column + 1 });
  });
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
