import type { ClassMapping, MappedRange } from './class-mapping.js';
import type { Mapping } from './mapping.js';
import {
  contains,
  isSingleCatchAll,
  type MethodRanges,
  methodsNamed,
  rangesForLine,
  sameRange,
  spanOf,
} from './method-ranges.js';
import { isPlatformClass } from './platform-classes.js';

/** A frame as printed by the device. `line` is null without one. */
export interface ObfuscatedFrame {
  className: string;
  method: string;
  sourceFile: string;
  line: number | null;
}

/** A frame in terms of the source. */
export interface RetracedFrame {
  className: string;
  method: string;
  /** Return type and parameter types; null when only the class is known. */
  signature: { returnType: string; parameters: string[] } | null;
  sourceFile: string;
  /** Null when unknown: what the device printed is kept. */
  line: number | null;
}

/** State that one line of a stack trace passes to the next. */
export interface RetraceContext {
  /** Obfuscated name of the exception on the line above. */
  thrown: string | null;
  /** Line of an outline on the line above, which determines where its code came from. */
  outlineLine: number | null;
}

export const NO_CONTEXT: RetraceContext = { thrown: null, outlineLine: null };

export interface RetraceResult {
  /** Alternatives, each an inlined stack, innermost first. Empty for a compiler-generated frame. */
  alternatives: { frames: RetracedFrame[]; context: RetraceContext }[];
  ambiguous: boolean;
  /** Context for the next line when no alternative is left. */
  context: RetraceContext;
}

/** More alternatives than this do not help the reader. */
const MAX_ALTERNATIVES = 64;

interface Narrowed {
  methods: { method: MethodRanges; ranges: MappedRange[] }[];
  line: number | null;
}

/**
 * Finds the original of a frame by the rules of R8's retrace: line ranges, inlined frames, overloads, outlines and
 * their call sites, frames to remove under an exception, compiler-generated frames.
 *
 * @returns null when the mapping does not contain the class
 */
export function retraceFrame(mapping: Mapping, frame: ObfuscatedFrame, context: RetraceContext): RetraceResult | null {
  const owner = mapping.classByResidual(frame.className);
  if (owner === null) return null;
  const narrowed = narrow(owner, frame, context);
  if (narrowed.methods.length === 0) {
    const sourceFile = inferSourceFile(mapping, owner.original, frame.sourceFile);
    const frames = [{ className: owner.original, method: frame.method, signature: null, sourceFile, line: frame.line }];
    return { alternatives: [{ frames, context: NO_CONTEXT }], ambiguous: false, context: NO_CONTEXT };
  }
  const ambiguous = isAmbiguous(narrowed);
  const result: RetraceResult = { alternatives: [], ambiguous, context: NO_CONTEXT };
  for (const { method, ranges } of narrowed.methods) {
    for (const stack of stacksOf(method, ranges, ambiguous)) {
      const next = nextContext(method, ranges, narrowed.line);
      result.context = next;
      const kept = keptFrames(stack, method, context);
      if (kept.length === 0 || result.alternatives.length >= MAX_ALTERNATIVES) continue;
      const frames = kept.map((entry) => retraced(mapping, owner, entry, narrowed.line, ambiguous, frame));
      result.alternatives.push({ frames, context: next });
    }
  }
  return result;
}

/** Chooses the ranges that apply to the frame's line. */
function narrow(owner: ClassMapping, frame: ObfuscatedFrame, context: RetraceContext): Narrowed {
  const methods = methodsNamed(owner, frame.method);
  const { line } = frame;
  const pick = (choose: (method: MethodRanges) => MappedRange[]): Narrowed => ({
    methods: methods.map((method) => ({ method, ranges: choose(method) })).filter(({ ranges }) => ranges.length > 0),
    line,
  });
  if (line === null || line <= 0) {
    const preamble = pick((method) => rangesForLine(method, 0, true));
    if (preamble.methods.length > 0) return preamble;
    const names = methods.map((method) => ({ method, ranges: isSingleCatchAll(method) ? method.ranges : [] }));
    return { methods: names, line };
  }
  const exact = pick((method) => rangesForLine(method, line, false));
  const moved = context.outlineLine === null ? null : callsiteLine(exact, context.outlineLine);
  if (moved !== null) return narrow(owner, { ...frame, line: moved }, NO_CONTEXT);
  if (exact.methods.length > 0) return exact;
  return pick((method) => method.ranges.filter((range) => range.minified === null));
}

/** The frame called an outline: looking up the outline's line at the call site gives the real line. */
function callsiteLine(narrowed: Narrowed, outlineLine: number): number | null {
  for (const { ranges } of narrowed.methods) {
    for (const comment of ranges.at(-1)?.comments ?? []) {
      if (comment.kind === 'outlineCallsite') return comment.positions.get(outlineLine) ?? outlineLine;
    }
  }
  return null;
}

function isAmbiguous(narrowed: Narrowed): boolean {
  if (narrowed.methods.length > 1) return true;
  const ranges = narrowed.methods[0]?.ranges ?? [];
  return ranges.some(
    (range, index) =>
      hasSeveralLines(range) ||
      (index > 0 && (range.minified === null || !sameRange(range.minified, ranges[0]?.minified ?? null))),
  );
}

/** Several original lines were folded into fewer minified ones. */
function hasSeveralLines(range: MappedRange): boolean {
  if (range.original === null || spanOf(range.original) === 1) return false;
  return range.minified === null || spanOf(range.minified) !== spanOf(range.original);
}

/** A range with its line, if already known. */
interface StackEntry {
  range: MappedRange;
  line: number | null;
}

/** The inlined stacks among the chosen ranges, one per original line when several were folded into one. */
function stacksOf(method: MethodRanges, ranges: MappedRange[], ambiguous: boolean): StackEntry[][] {
  if (ranges.length === 0) {
    // Only the name is known; lines from the ranges would be a guess.
    return [[{ range: { ...method.outermost, minified: null, original: null }, line: null }]];
  }
  const groups: MappedRange[][] = [];
  for (const range of ranges) {
    const group = groups.at(-1);
    const first = group?.[0];
    if (group && first?.minified && sameRange(first.minified, range.minified)) group.push(range);
    else groups.push([range]);
  }
  return groups.flatMap((group) => {
    const stack = group.map((range) => ({ range, line: fixedLine(range) }));
    const [top, ...callers] = stack;
    if (top === undefined || !ambiguous || !hasSeveralLines(top.range)) return [stack];
    return foldedLines(top.range).map((line) => [{ range: top.range, line }, ...callers]);
  });
}

function foldedLines(range: MappedRange): number[] {
  const { from, to } = range.original ?? { from: 0, to: -1 };
  return Array.from({ length: Math.min(to - from + 1, MAX_ALTERNATIVES) }, (_, index) => from + index);
}

function fixedLine(range: MappedRange): number | null {
  return range.original !== null && spanOf(range.original) === 1 ? range.original.from : null;
}

/** Drops the innermost frames the compiler marks for removal under this exception, and a compiler-generated caller. */
function keptFrames(stack: StackEntry[], method: MethodRanges, context: RetraceContext): StackEntry[] {
  let remove = 0;
  for (const { range } of stack) {
    for (const comment of range.comments) {
      if (comment.kind !== 'rewriteFrame' || !comment.throws.every((name) => name === context.thrown)) continue;
      remove += comment.removeInnerFrames;
    }
  }
  const kept = remove > stack.length ? [...stack] : stack.slice(remove);
  if (method.synthesized && kept.length > 0) kept.pop();
  return kept;
}

function nextContext(method: MethodRanges, ranges: MappedRange[], line: number | null): RetraceContext {
  return method.outline && ranges.length > 0 && line !== null ? { thrown: null, outlineLine: line } : NO_CONTEXT;
}

function retraced(
  mapping: Mapping,
  owner: ClassMapping,
  entry: StackEntry,
  line: number | null,
  ambiguous: boolean,
  frame: ObfuscatedFrame,
): RetracedFrame {
  const { range } = entry;
  const className = range.holder ?? owner.original;
  return {
    className,
    method: range.method,
    signature: { returnType: range.returnType, parameters: range.parameters },
    sourceFile: inferSourceFile(mapping, className, printedFor(mapping, owner, className, frame)),
    line: entry.line ?? originalLine(range, line, ambiguous) ?? frame.line,
  };
}

/** The name a class's file derives from: the printed name or, for an inlined frame, that of the enclosing file. */
function printedFor(mapping: Mapping, owner: ClassMapping, className: string, frame: ObfuscatedFrame): string {
  const isOwn = className === owner.original || isPlatformClass(className);
  const around = isOwn ? null : mapping.sourceFileOf(owner.original);
  return around ?? frame.sourceFile;
}

function originalLine(range: MappedRange, line: number | null, ambiguous: boolean): number | null {
  if (!ambiguous && (range.minified === null || line === null)) {
    const first = range.original?.from ?? range.minified?.from ?? 0;
    return first > 0 ? first : null;
  }
  if (line === null || !contains(range.minified, line)) return null;
  if (range.original === null) return line;
  return range.original.to === range.original.from
    ? range.original.to
    : range.original.from + line - (range.minified?.from ?? line);
}

/**
 * The source file of an original class: from the mapping, or else derived from the outermost class's name as in R8's
 * retrace. "Native Method" is kept.
 */
function inferSourceFile(mapping: Mapping, className: string, printed: string): string {
  const stated = mapping.sourceFileOf(className);
  if (stated !== null) return stated;
  if (printed === 'Native Method') return printed;
  const simple = outermostSimpleName(className);
  const dot = printed.lastIndexOf('.');
  const extension = dot < 0 ? '' : printed.slice(dot + 1);
  if (simple.endsWith('Kt') && (extension === '' || extension === 'kt')) return `${simple.slice(0, -2)}.kt`;
  return `${simple}.${extension === 'kt' ? 'kt' : 'java'}`;
}

function outermostSimpleName(className: string): string {
  const start = className.lastIndexOf('.') + 1;
  const inner = className.indexOf('$', start);
  return className.slice(start, inner < 0 ? undefined : inner);
}
