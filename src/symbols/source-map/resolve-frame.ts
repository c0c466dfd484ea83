import { type FunctionScopes, parseFunctionScopes } from './function-names.js';
import { openFunctionMap } from './metro-function-map.js';
import { type SourceContext, sourceContext } from './source-context.js';
import type { OriginalPosition, SourceMapTable } from './source-map-table.js';

/** A frame of a minified script: 1-based line and column, as V8 and JavaScriptCore print them. */
export interface ScriptFrame {
  function: string | null;
  line: number;
  column: number;
}

/** The same frame in its source: 1-based line and column. */
export interface SourceFrame {
  function: string | null;
  file: string | null;
  line: number;
  column: number;
}

/** Resolves frames with one source map; parsed sources are kept for the next frame. */
export interface SourceMapResolver {
  /**
   * @param caller the calling frame if it is in the same script: the name at its position is the best guess when the
   * source gives none
   * @returns null when the map does not cover the position
   */
  resolve(frame: ScriptFrame, caller: ScriptFrame | null): SourceFrame | null;
  /** The source around a frame's position; null when the map does not contain it. */
  context(frame: ScriptFrame): SourceContext | null;
}

type Names = Pick<FunctionScopes, 'nameAt'> & Partial<FunctionScopes>;

const CACHED_SOURCES = 64;

export function sourceMapResolver(table: SourceMapTable): SourceMapResolver {
  const read = new Map<number, Names>();
  const namesIn = (sourceIndex: number): Names => {
    const known = read.get(sourceIndex);
    if (known !== undefined) return known;
    if (read.size >= CACHED_SOURCES) read.clear();
    const names = namesOf(table, sourceIndex);
    read.set(sourceIndex, names);
    return names;
  };
  // Consecutive frames are often in the same file.
  let last: { sourceIndex: number; content: string | null } | null = null;
  return {
    context(frame) {
      const position = table.lookup(frame.line - 1, frame.column - 1);
      if (position === null) return null;
      const { sourceIndex, line, column } = position;
      if (last?.sourceIndex !== sourceIndex) last = { sourceIndex, content: table.sourceContent(sourceIndex) };
      return last.content === null ? null : sourceContext(last.content, line, column);
    },
    resolve(frame, caller) {
      const position = table.lookup(frame.line - 1, frame.column - 1);
      if (position === null) return null;
      const names = namesIn(position.sourceIndex);
      const enclosing = names.nameAt(position.line + 1, position.column);
      return {
        function: enclosing ?? nameAtCaller(table, position, names, caller) ?? frame.function,
        file: table.source(position.sourceIndex),
        line: position.line + 1,
        column: position.column + 1,
      };
    },
  };
}

function namesOf(table: SourceMapTable, sourceIndex: number): Names {
  const content = table.sourceContent(sourceIndex);
  const scopes: FunctionScopes | null =
    content === null ? null : parseFunctionScopes(content, table.source(sourceIndex) ?? '');
  if (scopes !== null) return scopes;
  const functionMap = table.functionMap(sourceIndex);
  return { nameAt: (functionMap === null ? null : openFunctionMap(functionMap)) ?? (() => undefined) };
}

/** The name the caller calls; null when that is another function, which got this one as an argument. */
function nameAtCaller(
  table: SourceMapTable,
  own: OriginalPosition,
  names: Names,
  caller: ScriptFrame | null,
): string | null {
  const call = caller && table.lookup(caller.line - 1, caller.column - 1);
  if (!call) return null;
  const isOfOneSource = call.sourceIndex === own.sourceIndex;
  const isGiven = isOfOneSource && names.isGivenTo?.(own.line + 1, own.column, { ...call, line: call.line + 1 });
  return isGiven ? null : call.name;
}
