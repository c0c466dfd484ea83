import type { CrashFrame, CrashInput, ReportedFrame } from './crash-frame.js';
import { resolveScriptFrames } from './script-frames.js';
import type { Missing, SymbolSource } from './symbol-source.js';

const MAX_LINE_LENGTH = 16_384;
const MOST_FRAMES = 1_000;

/** Hermes bytecode: `at name (address at main.jsbundle:1:4711)`; the second number is a 0-based offset. */
const HERMES = /^\s*at (?:((?:(?! \(address at ).)*) \()?address at (.+?):(\d+):(\d+)\)?\s*$/;
/** WebAssembly in V8 and SpiderMonkey: the offset in the module. */
const IN_WASM = /:wasm-function\[\d+\]:0x([0-9a-f]{1,8})(?=\)?$)/;
/** V8 adds a checksum to the name of a module that was compiled from bytes. */
const WASM_FROM_BYTES = /(wasm:\/\/wasm\/[^:\s()]+)-[0-9a-f]{8}(?=:wasm-function\[)/;
/** `eval` code in V8: `at name (eval at caller (file:1:2), <anonymous>:3:4)`, with the position of the `eval` call. */
const V8_EVAL = /^\s*at (?:async )?((?:(?! \(eval at ).)*) \(eval at /;
const EVAL_CALL = /(.+?):(\d+):(\d+)\)(?=[,)])/y;
/** V8, and Hermes source: `at name (file:1:2)`, `at async name (file:1:2)`, `at file:1:2`. */
const V8 = /^\s*at (?:(?:async )?(.+?) \((?:async )?|async )?([^()\s][^()]*?):(\d+):(\d+)\)?$/;
/** The same with parentheses in the path: `C:\Program Files (x86)\app.js`, `app/(shop)/page.js`. */
const V8_PARENTHESES = /^\s*at (?:async )?(?:((?:(?! \().)+) \((.+?):(\d+):(\d+)\)|([^\s(].*?):(\d+):(\d+))$/;
/** `eval` code in SpiderMonkey: `name@file line 3 > eval:1:2`, also `> AsyncFunction`, with the line of the call. */
const AT_EVAL = /^([^@]*)@(.+?) line (\d+) > [A-Za-z]/;
/** Functions without a name in old versions of Safari: `https://example.com/app.js:1:2`. */
const BARE = /^()((?:[a-z][a-z0-9+.-]*:\/)?\/\S+?):(\d+):(\d+)$/i;
/** SpiderMonkey and JavaScriptCore: `name@file:1:2`. */
const AT = /^([^@]*)@(.+?):(\d+):(\d+)$/;
/** JavaScriptCore's names for code outside functions. */
const NO_FUNCTION = new Set([
  'global code',
  'module code',
  'eval code',
  'anonymous',
  '<anonymous>',
  '<global>',
  'global',
]);

/** Parses an engine's stack line; null for any other line and for engine internals. */
export function scriptFrameOf(printed: string): ReportedFrame | null {
  if (printed.length > MAX_LINE_LENGTH) return null;
  // Source maps treat a module as one line.
  const text = printed
    .slice(0, endOf(printed))
    .replace(WASM_FROM_BYTES, '$1')
    .replace(IN_WASM, (_, offset: string) => `:1:${Number.parseInt(offset, 16) + 1}`);
  const hermes = HERMES.exec(text);
  if (hermes) return frame(hermes, Number(hermes[4]) + 1);
  const inEvalOfV8 = V8_EVAL.exec(text);
  if (inEvalOfV8) return evalCallOf(text, inEvalOfV8[1]);
  const found = V8.exec(text) ?? withParentheses(text);
  if (found) return frame(found, Number(found[4]));
  const inEval = AT_EVAL.exec(text);
  if (inEval) return frame(afterCause(inEval), 1);
  const at = BARE.exec(text) ?? AT.exec(text);
  return at && frame(afterCause(at), Number(at[4]));
}

/** Where a frame ends; `console.log` of Node prints ` {` behind it for more fields, and a comma between errors. */
function endOf(line: string): number {
  const text = line.trimEnd();
  return text.endsWith(' {') ? text.length - 2 : text.endsWith(',') ? text.length - 1 : text.length;
}

type Parts = readonly (string | undefined)[];

/** The outermost of nested `eval` calls is printed last. */
function evalCallOf(text: string, name: string | undefined): ReportedFrame | null {
  const open = text.indexOf(' (', text.lastIndexOf('(eval at ') + 1);
  EVAL_CALL.lastIndex = open + 2;
  const call = open < 0 ? null : EVAL_CALL.exec(text);
  return call && frame([text, name, ...call.slice(1)], Number(call[3]));
}

function withParentheses(text: string): Parts | null {
  const [, name, file, line, column, bareFile, bareLine, bareColumn] = V8_PARENTHESES.exec(text) ?? [];
  if (file !== undefined) return [text, name, file, line, column];
  return bareFile === undefined ? null : [text, undefined, bareFile, bareLine, bareColumn];
}

/** SpiderMonkey puts before a name what has called it asynchronously: `async*load`, `promise callback*load`. */
function afterCause([text, name, ...place]: Parts): Parts {
  return [text, name?.slice(name.lastIndexOf('*') + 1), ...place];
}

function frame([, name, file, line]: Parts, column: number): ReportedFrame {
  // `Object.run [as go]`: the name at the call differs from the function's own.
  const end = name?.endsWith(']') ? name.indexOf(' [as ') : -1;
  const own = name?.slice(0, end < 0 ? undefined : end) ?? '';
  return {
    function: own === '' || NO_FUNCTION.has(own) ? null : own,
    file: file ?? null,
    line: Number(line),
    column,
    address: null,
    module: null,
    inApp: null,
  };
}

/**
 * Reads and resolves an error's `stack` from V8, SpiderMonkey, JavaScriptCore or Hermes; null when the text has no such
 * frame. Other lines stay unchanged.
 */
export async function resolveScriptTrace(
  crash: CrashInput,
  text: string,
  source: SymbolSource,
  missing: Missing,
): Promise<{ frames: CrashFrame[]; stacktrace: string } | null> {
  const lines = text.split('\n').map((line) => ({ line, frame: scriptFrameOf(line) }));
  const reported = lines.flatMap((line) => line.frame ?? []).slice(0, MOST_FRAMES);
  if (reported.length === 0) return null;
  const frames = await resolveScriptFrames({ ...crash, frames: reported }, source, missing);
  const waiting = frames.values();
  const written = lines.map(({ line, frame: read }) => {
    const resolved = read === null ? undefined : waiting.next().value;
    return resolved?.status === 'symbolicated' ? printed(resolved) + line.slice(endOf(line)) : line;
  });
  return { frames, stacktrace: written.join('\n') };
}

function printed({ function: name, file, line, column }: CrashFrame): string {
  const place = `${file}:${line}:${column}`;
  return name === null ? `    at ${place}` : `    at ${name} (${place})`;
}
