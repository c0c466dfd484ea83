import { imageKeys } from '../match-key.js';
import type { ScriptFrame } from '../source-map/resolve-frame.js';
import { type ScriptPath, scriptName, scriptPath } from '../source-map/script-path.js';
import { type CrashFrame, type CrashInput, type ReportedFrame, unresolved } from './crash-frame.js';
import type { Missing, SymbolSource } from './symbol-source.js';

/** Scripts of Node, Deno, Bun and Hermes themselves, which are not minified. */
const OF_ENGINE = /^(?:node:|ext:|bun:|native$|InternalBytecode\.js$)/;
/** What engines print in place of a file for code from `eval`, the console or the command line. */
const NO_FILE = /^(?:.{0,20}<anonymous>|(?:debugger )?eval code|\[eval\](?:-wrapper)?|about:\w{1,20})$/;
/** Source is stored with the event, and nobody needs it deep in a recursion. */
const MOST_WITH_CONTEXT = 50;
const NOT_IN_MAP = 'The source map does not cover this position.';

/** Resolves frames of JavaScript bundles with source maps; where a map lacks the source, the script's code is shown. */
export async function resolveScriptFrames(
  crash: CrashInput,
  source: SymbolSource,
  missing: Missing,
): Promise<CrashFrame[]> {
  const result: CrashFrame[] = [];
  for (const [index, frame] of crash.frames.entries()) {
    if (OF_ENGINE.test(frame.file ?? '')) {
      result.push(unresolved({ ...frame, inApp: frame.inApp ?? false }, index, 'symbolicated', null));
      continue;
    }
    const script = scriptFrame(frame);
    if (script === null || frame.file === null) {
      result.push(unresolved(frame, index, 'malformed', 'A script frame needs file, line (from 1) and column.'));
      continue;
    }
    const { file } = frame;
    if (NO_FILE.test(file)) {
      result.push(unresolved(frame, index, 'missing_symbol', 'The code has no file, and so no source map.'));
      continue;
    }
    const ids = debugIds(crash, file);
    const resolver = await source.sourceMap(ids, file);
    // An inline script has no file name, and a map with the same id may have any.
    if (resolver === null) for (const key of [scriptName(file), ...ids]) if (key !== '') missing(key, 'js_sourcemap');
    const caller = crash.frames[index + 1];
    const found = resolver?.resolve(script, caller?.file === file ? scriptFrame(caller) : null) ?? null;
    const resolved: CrashFrame =
      found === null
        ? unresolved(frame, index, 'missing_symbol', resolver === null ? noMap(file) : NOT_IN_MAP)
        : { ...frame, ...found, status: 'symbolicated', reason: null, reported: index, inlined: false };
    const context =
      index < MOST_WITH_CONTEXT
        ? (resolver?.context(script) ?? (await source.script(ids, file))?.context(script) ?? null)
        : null;
    result.push({ ...resolved, ...(context && { context }) });
  }
  return result;
}

const noMap = (file: string): string => `No source map is stored for ${scriptName(file) || file}.`;

function scriptFrame(frame: ReportedFrame): ScriptFrame | null {
  const { line, column } = frame;
  if (line === null || column === null || line < 1 || column < 0) return null;
  // Reporters that count from 0, or do not know the column, send 0.
  return { function: frame.function, line, column: Math.max(column, 1) };
}

function debugIds(crash: CrashInput, file: string): string[] {
  const script = scriptPath(file);
  const image = crash.images.find(
    ({ codeFile, debugId }) => codeFile !== null && debugId !== null && isSame(scriptPath(codeFile), script),
  );
  return image?.debugId ? imageKeys(image.debugId) : [];
}

const isSame = (a: ScriptPath, b: ScriptPath): boolean => JSON.stringify(a) === JSON.stringify(b);
