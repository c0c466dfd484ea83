import { type MappingComment, type MappingVersion, readMappingComment } from './mapping-comment.js';

/** An inclusive range of lines. `cardinal` marks one written as a single number: the call site of an inlined frame. */
export interface LineRange {
  from: number;
  to: number;
  cardinal: boolean;
}

/** One line of a class block: the original of an obfuscated method, or of a range of its lines. */
export interface MappedRange {
  /** Lines of the obfuscated method; null when it applies to the whole method. */
  minified: LineRange | null;
  /** Lines of the original method; null when unknown or equal to the minified ones. */
  original: LineRange | null;
  /** The original class when the frame was inlined from another class, else null. */
  holder: string | null;
  method: string;
  returnType: string;
  parameters: string[];
  comments: MappingComment[];
}

export interface ClassMapping {
  original: string;
  residual: string;
  sourceFile: string | null;
  /** Obfuscated method name → its ranges in the order of the file. */
  methods: Map<string, MappedRange[]>;
}

/** No tool writes longer lines; skipping them bounds the work of a hostile file. */
const MAX_LINE_LENGTH = 65_536;

/** Tools write one space; unbounded runs would be rescanned from each of their positions. */
const METHOD_LINE =
  /^\s{1,64}(?:(\d+)(?::(\d+))?:)?\s{0,8}(\S+)\s{1,8}([^\s(]+)\s{0,8}\(([^)]*)\)\s{0,8}(?::(\d+)(?::(\d+))?)?\s{0,8}->\s{0,8}(\S+)\s*$/;

/** Reads "original -> residual:" of a class, or null when the line is something else. */
function readClassLine(line: string): { original: string; residual: string } | null {
  const text = line.trimEnd();
  const arrow = text.indexOf('->');
  if (arrow < 1 || !text.endsWith(':')) return null;
  const original = text.slice(0, arrow).trim();
  const residual = text.slice(arrow + 2, -1).trim();
  return original === '' || residual === '' ? null : { original, residual };
}

/**
 * Parses the block of one class: its line, comments and members (ProGuard mapping format and R8's retrace.md). Invalid
 * lines are skipped: a mapping with one broken line is still useful. Fields are not kept.
 */
export function parseClassMapping(block: string, version: MappingVersion): ClassMapping | null {
  const lines = block.split('\n');
  const head = readClassLine((lines[0] ?? '').replace(/\r$/, ''));
  if (head === null) return null;
  const mapping: ClassMapping = { ...head, sourceFile: null, methods: new Map() };
  let current: MappedRange | null = null;
  let seenMember = false;
  for (let index = 1; index < lines.length; index++) {
    const line = (lines[index] ?? '').replace(/\r$/, '');
    const trimmed = line.trimStart();
    if (trimmed === '' || line.length > MAX_LINE_LENGTH) continue;
    if (trimmed.startsWith('#')) {
      const comment = readMappingComment(trimmed, version);
      if (comment === null) continue;
      if (comment.kind === 'sourceFile') mapping.sourceFile ??= comment.fileName;
      else if (seenMember) current?.comments.push(comment);
      continue;
    }
    seenMember = true;
    current = addMember(mapping, line);
  }
  return mapping;
}

function addMember(mapping: ClassMapping, line: string): MappedRange | null {
  const match = METHOD_LINE.exec(line);
  if (match === null) return null;
  const [, from, to, returnType = '', qualified = '', parameters = '', originalFrom, originalTo, residual = ''] = match;
  const dot = qualified.lastIndexOf('.');
  const range: MappedRange = {
    minified: from === undefined ? null : lineRange(from, to ?? from, false),
    original:
      originalFrom === undefined ? null : lineRange(originalFrom, originalTo ?? originalFrom, originalTo === undefined),
    holder: dot > 0 ? qualified.slice(0, dot) : null,
    method: dot > 0 ? qualified.slice(dot + 1) : qualified,
    returnType,
    parameters: parameters === '' ? [] : parameters.split(',').map((parameter) => parameter.trim()),
    comments: [],
  };
  const known = mapping.methods.get(residual);
  if (known) known.push(range);
  else mapping.methods.set(residual, [range]);
  return range;
}

/** Some tools wrote reversed ranges. */
function lineRange(from: string, to: string, cardinal: boolean): LineRange {
  return { from: Math.min(Number(from), Number(to)), to: Math.max(Number(from), Number(to)), cardinal };
}
