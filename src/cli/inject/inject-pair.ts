import { debugIdOf, marksOf, withComment, withSnippet } from './debug-id-text.js';
import { shiftMappings } from './shift-mappings.js';

/** A script and its map with the same debug id in both. */
export interface InjectedPair {
  script: string;
  map: string;
  debugId: string;
  /** They had it already. */
  isUnchanged: boolean;
}

interface MapFields {
  version?: unknown;
  mappings?: unknown;
  debugId?: unknown;
  debug_id?: unknown;
  sections?: { offset: { line: number; column: number } }[];
}

/** Puts a debug id into a script and its map; one that a bundler gave is kept. Throws SyntaxError with what is wrong with the map. */
export function injectPair(script: string, map: string): InjectedPair {
  const fields = JSON.parse(map.replace(/^\uFEFF?(?:\)\]\}'[^\n]*\n)?/, '')) as MapFields;
  if (fields.version !== 3) throw new SyntaxError('its map is none of version 3');
  const given = [fields.debugId, fields.debug_id].find((id): id is string => typeof id === 'string')?.toLowerCase();
  const marks = marksOf(script);
  if (marks.snippetId !== null && marks.snippetId !== given)
    throw new SyntaxError('it has a debug id, and its map is of another build; build both anew');
  const debugId = given ?? marks.debugId ?? debugIdOf(script, map);
  const isCommented = marks.debugId === debugId;
  if (marks.snippetId !== null && isCommented) return { script, map, debugId, isUnchanged: true };
  if (marks.debugId !== null && !isCommented)
    throw new SyntaxError('it has another debug id than its map; build both anew');
  const { script: told, place, lines } = withSnippet(script, debugId);
  const moved = movedMap(fields, place, lines);
  return {
    script: isCommented ? told : withComment(told, debugId),
    map: JSON.stringify({ ...moved, debugId }),
    debugId,
    isUnchanged: false,
  };
}

function movedMap(fields: MapFields, place: { line: number; column: number }, lines: number): MapFields {
  if (typeof fields.mappings === 'string') return { ...fields, mappings: shiftMappings(fields.mappings, place, lines) };
  if (!Array.isArray(fields.sections)) throw new SyntaxError('its map has neither mappings nor sections');
  // Bundlers that write sections begin each on a line of its own.
  if (place.column > 0)
    throw new SyntaxError('its map has sections, and it begins with a directive on a line with code');
  const sections = fields.sections.map((section) => ({
    ...section,
    offset: { ...section.offset, line: section.offset.line + (section.offset.line >= place.line ? lines : 0) },
  }));
  return { ...fields, sections };
}
