import { columnsOf, shiftMappings } from './shift-mappings.js';

/** A position in a generated file, both zero-based. */
export interface Place {
  line: number;
  column: number;
}

/** The fields of a source map (ECMA-426) that depend on positions in the script. */
export interface MovableMap {
  mappings?: unknown;
  sections?: { offset: Place; map: MovableMap }[];
}

/**
 * A map after whole lines were inserted into its script. Throws SyntaxError when it has neither mappings nor sections.
 */
export function movedMap<M extends MovableMap>(map: M, place: Place, lines: number): M {
  if (typeof map.mappings === 'string') return { ...map, mappings: shiftMappings(map.mappings, place, lines) };
  if (!Array.isArray(map.sections)) throw new SyntaxError('its source map has neither mappings nor sections');
  const sections = map.sections.map((section, index, all) => {
    const next = all[index + 1];
    return next && isAtOrBefore(next.offset, place) ? section : movedSection(section, place, lines);
  });
  return { ...map, sections };
}

const isAtOrBefore = (a: Place, b: Place): boolean => a.line < b.line || (a.line === b.line && a.column <= b.column);

/** Code after the position begins a line there; in a section around it only what follows moves. */
function movedSection(section: NonNullable<MovableMap['sections']>[number], place: Place, lines: number) {
  const { offset, map } = section;
  const isOnItsLine = offset.line === place.line;
  if (offset.line > place.line || (isOnItsLine && offset.column >= place.column)) {
    const column = isOnItsLine ? offset.column - place.column : offset.column;
    return { ...section, offset: { ...offset, line: offset.line + lines, column } };
  }
  const inside = { line: place.line - offset.line, column: place.column - (isOnItsLine ? offset.column : 0) };
  return { ...section, map: movedMap(map, inside, lines) };
}

/** Whether a map has mappings in the rest of a line, as it does before it is shifted. */
export function leadsFrom(map: MovableMap, { line, column }: Place): boolean {
  if (typeof map.mappings === 'string') return columnsOf(map.mappings, line).some((one) => one >= column);
  return (map.sections ?? []).some(({ offset, map: inner }) => {
    const from = offset.line === line ? Math.max(0, column - offset.column) : column;
    return offset.line <= line && leadsFrom(inner, { line: line - offset.line, column: from });
  });
}
