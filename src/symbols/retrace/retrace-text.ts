import { distinctAlternatives } from './alternatives.js';
import type { Mapping } from './mapping.js';
import {
  NO_CONTEXT,
  type RetraceContext,
  type RetracedFrame,
  type RetraceResult,
  retraceFrame,
} from './retrace-frame.js';
import { parseTraceLine, type TraceLine } from './trace-line.js';

/**
 * Rewrites a Java or Android stack trace line by line. Alternatives follow each other, marked `<OR>`;
 * compiler-generated frames are left out, and lines without known names stay unchanged.
 *
 * @param verbose also print return and parameter types
 */
export function retraceText(mapping: Mapping, trace: string, verbose = false): string {
  return retraceLines(mapping, trace, verbose)
    .flatMap(({ lines }) => lines)
    .join('\n');
}

export interface RetracedLine {
  lines: string[];
  /** The class in the line's frame and what the mapping knows about it; null when the line is not a frame. */
  frame: { className: string; result: RetraceResult | null } | null;
}

/** {@link retraceText} line by line. */
export function retraceLines(mapping: Mapping, trace: string, verbose = false): RetracedLine[] {
  let context = NO_CONTEXT;
  return trace.split('\n').map((line) => {
    const retraced = retraceLine(mapping, line, context, verbose);
    context = retraced.context;
    return retraced;
  });
}

function retraceLine(
  mapping: Mapping,
  text: string,
  context: RetraceContext,
  verbose: boolean,
): RetracedLine & { context: RetraceContext } {
  const line = parseTraceLine(text);
  if (line === null) return { lines: [text], frame: null, context: NO_CONTEXT };
  const className = text.slice(...line.className);
  if (line.frame === null) {
    const original = mapping.classByResidual(className)?.original ?? className;
    const rewritten = text.slice(0, line.className[0]) + original + text.slice(line.className[1]);
    return { lines: [rewritten], frame: null, context: { thrown: className, outlineLine: null } };
  }
  const obfuscated = {
    className,
    method: text.slice(...line.frame.method),
    sourceFile: text.slice(...line.frame.sourceFile),
    line: line.frame.line,
  };
  const result = retraceFrame(mapping, obfuscated, context);
  const frame = { className, result };
  if (result === null) return { lines: [text], frame, context: NO_CONTEXT };
  const distinct = distinctAlternatives(result.alternatives, obfuscated.line, verbose);
  const stacks = distinct.map(({ frames }) => frames.map((frame) => writeLine(line, frame, result.ambiguous, verbose)));
  const only = distinct.length === 1 ? distinct[0] : undefined;
  const next = distinct.length === 0 ? result.context : (only?.context ?? NO_CONTEXT);
  return { lines: interleave(stacks), frame, context: next };
}

function writeLine(line: TraceLine, frame: RetracedFrame, ambiguous: boolean, verbose: boolean): string {
  const { text, className } = line;
  const parts = line.frame;
  if (parts === null) return text;
  const method =
    verbose && frame.signature !== null
      ? `${frame.signature.returnType} ${frame.method}(${frame.signature.parameters.join(',')})`
      : frame.method;
  const found = parts.line !== null || !ambiguous || verbose ? frame.line : null;
  const number = found === null ? text.slice(...parts.lineNumber) : found > 0 ? `:${found}` : '';
  return [
    text.slice(0, className[0]),
    frame.className,
    text.slice(className[1], parts.method[0]),
    method,
    text.slice(parts.method[1], parts.sourceFile[0]),
    frame.sourceFile,
    number,
    text.slice(parts.lineNumber[1]),
  ].join('');
}

/** First the innermost frames of all alternatives, then their callers, for easy comparison. */
function interleave(stacks: string[][]): string[] {
  const result: string[] = [];
  const depth = Math.max(0, ...stacks.map((stack) => stack.length));
  for (let level = 0; level < depth; level++) {
    const seen = new Set<string>();
    stacks.forEach((stack, index) => {
      const line = stack[level];
      if (line === undefined || seen.has(line)) return;
      seen.add(line);
      result.push(index === 0 ? line : markAlternative(line));
    });
  }
  return result;
}

function markAlternative(line: string): string {
  const at = line.indexOf('at ');
  const start = at >= 0 ? at : Math.max(0, line.search(/\S/));
  return `${line.slice(0, start)}<OR> ${line.slice(start)}`;
}
