import { dashedUuid } from '../match-key.js';
import { SymbolFileError } from '../symbol-file-error.js';

/** A position in the generated file, both numbers 0-based. */
export interface GeneratedPosition {
  line: number;
  column: number;
}

/** A map without sections, and where in the generated file it applies. */
export interface PlainMap {
  offset: GeneratedPosition;
  /** First position of the next section; null for the last one. */
  end: GeneratedPosition | null;
  sources: (string | null)[];
  sourcesContent: (string | null)[];
  names: string[];
  mappings: string;
  /** Metro's function maps by source; undefined when the map has none. */
  functionMaps: unknown[] | undefined;
}

/** A source map as a flat list of sections. */
export interface SourceMapDocument {
  file: string | null;
  /** Lowercase UUID from `debugId` or `debug_id`, or null. */
  debugId: string | null;
  maps: PlainMap[];
}

type Fields = Record<string, unknown>;

/** ECMA-426 allows unlimited nesting; no tool writes more than two levels. */
const MAX_NESTED_SECTIONS = 32;
/** Bun writes ids without dashes. */
const UUID = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})$/i;

/**
 * Parses a source map and validates everything but its mappings (ECMA-426, section "Decoding source maps", including
 * optional errors). A first line that starts with `)]}'` is skipped.
 *
 * @throws SymbolFileError `not_json`, `invalid_source_map`
 */
export function parseSourceMap(bytes: Uint8Array): SourceMapDocument {
  const fields = parseJson(new TextDecoder().decode(bytes));
  const maps: PlainMap[] = [];
  collect(fields, { line: 0, column: 0 }, null, 0, maps);
  const debugId = [fields.debugId, fields.debug_id].find((id) => typeof id === 'string' && UUID.test(id));
  return {
    file: optionalString(fields, 'file'),
    debugId: typeof debugId === 'string' ? dashedUuid(debugId) : null,
    maps,
  };
}

function parseJson(text: string): Fields {
  const body = text.startsWith(")]}'") ? text.slice(Math.max(4, text.indexOf('\n'))) : text;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new SymbolFileError('not_json', 'The file is not JSON.');
  }
  return object(value, 'The source map');
}

function collect(
  fields: Fields,
  base: GeneratedPosition,
  end: GeneratedPosition | null,
  depth: number,
  maps: PlainMap[],
): void {
  if (fields.version !== 3) invalid('"version" must be the number 3.');
  optionalString(fields, 'file');
  if (fields.sections === undefined) {
    maps.push(plainMap(fields, base, end));
    return;
  }
  if (depth >= MAX_NESTED_SECTIONS) invalid(`Sections are nested more than ${MAX_NESTED_SECTIONS} levels deep.`);
  if (fields.mappings !== undefined) invalid('A map with "sections" must not have "mappings".');
  const sections = list(fields.sections, 'sections').map(section);
  sections.forEach(({ offset, map }, index) => {
    const next = sections[index + 1];
    if (next && comparePositions(next.offset, offset) < 0) invalid('"sections" must be sorted by offset.');
    const nextStart = next ? shifted(base, next.offset) : end;
    collect(map, shifted(base, offset), earlier(nextStart, end), depth + 1, maps);
  });
}

function section(value: unknown): { offset: GeneratedPosition; map: Fields } {
  const fields = object(value, 'A section');
  const offset = object(fields.offset, '"offset" of a section');
  return {
    offset: { line: wholeNumber(offset.line, 'line'), column: wholeNumber(offset.column, 'column') },
    map: object(fields.map, '"map" of a section'),
  };
}

function plainMap(fields: Fields, offset: GeneratedPosition, end: GeneratedPosition | null): PlainMap {
  const root = optionalString(fields, 'sourceRoot');
  const { mappings } = fields;
  if (typeof mappings !== 'string') invalid('"mappings" must be a string.');
  const sources = list(fields.sources, 'sources').map((source) => {
    if (source !== null && typeof source !== 'string') invalid('"sources" must contain only strings or null.');
    return source === null || root === null || root === '' ? source : joinRoot(root, source);
  });
  const ignored = fields.ignoreList === undefined ? [] : list(fields.ignoreList, 'ignoreList');
  for (const index of ignored) {
    if (wholeNumber(index, 'ignoreList') >= sources.length)
      invalid('"ignoreList" refers to a source that does not exist.');
  }
  return {
    offset,
    end,
    sources,
    sourcesContent: contents(fields.sourcesContent),
    names: fields.names === undefined ? [] : list(fields.names, 'names').map(nameOf),
    mappings: mappings as string,
    functionMaps: Array.isArray(fields.x_facebook_sources) ? fields.x_facebook_sources : undefined,
  };
}

function contents(value: unknown): (string | null)[] {
  if (value === undefined || value === null) return [];
  return list(value, 'sourcesContent').map((content) => {
    if (content !== null && typeof content !== 'string') invalid('"sourcesContent" must contain only strings or null.');
    return content;
  });
}

function nameOf(value: unknown): string {
  if (typeof value !== 'string') invalid('"names" must contain only strings.');
  return value;
}

function joinRoot(root: string, source: string): string {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(source)) return source;
  return root.endsWith('/') ? root + source : `${root}/${source}`;
}

function comparePositions(a: GeneratedPosition, b: GeneratedPosition): number {
  return a.line - b.line || a.column - b.column;
}

/** A column offset applies only to the first line of a section. */
function shifted(base: GeneratedPosition, by: GeneratedPosition): GeneratedPosition {
  return { line: base.line + by.line, column: by.line === 0 ? base.column + by.column : by.column };
}

function earlier(a: GeneratedPosition | null, b: GeneratedPosition | null): GeneratedPosition | null {
  if (a === null || b === null) return a ?? b;
  return comparePositions(a, b) <= 0 ? a : b;
}

function optionalString(fields: Fields, key: string): string | null {
  const value = fields[key];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') invalid(`"${key}" must be a string.`);
  return value;
}

function list(value: unknown, key: string): unknown[] {
  if (!Array.isArray(value)) invalid(`"${key}" must be an array.`);
  return value;
}

function object(value: unknown, what: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) invalid(`${what} must be an object.`);
  return value as Fields;
}

function wholeNumber(value: unknown, key: string): number {
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > 0x7fffffff)
    invalid(`"${key}" must contain only whole numbers from 0.`);
  return value as number;
}

function invalid(reason: string): never {
  throw new SymbolFileError('invalid_source_map', reason);
}
