/** Positions of the parts of a stack trace line, as [start, end). */
export interface TraceLine {
  text: string;
  /** Class of a frame or of a thrown exception. */
  className: [number, number];
  /** Only for a frame. */
  frame: {
    method: [number, number];
    sourceFile: [number, number];
    /** The line number with its colon; an empty range without one. */
    lineNumber: [number, number];
    /** The number, or null when missing or out of range. */
    line: number | null;
  } | null;
}

/** A crash reporter's message may be any text. Matching is linear, and longer lines stay unchanged. */
const MAX_LINE_LENGTH = 16_384;

/**
 * R8 accepts nearly anything as a name, such as obfuscated names and those of Kotlin tests; only the end of a name is
 * certain.
 */
const NAME = '[^\\d\\s\\[\\];:()<>][^\\s\\[\\];:()<>]*';
const CLASS_NAME = new RegExp(NAME, 'uy');
const FRAME_HEAD = new RegExp(`(${NAME})(<init>|<clinit>)?\\s*\\(`, 'uy');
const BEFORE_ARCHIVE = /\)\p{Z}*~\[/u;
const AT = /\bat\s+/g;
const COLON_OR_QUOTE = /[:"]\s+/g;

/**
 * Finds the parts of a Java or Android stack trace line: "at a.b.c(Source:3)" after any prefix (also with class loader
 * and module), or an exception: "Caused by: a.b: text". Null for any other line.
 */
export function parseTraceLine(text: string): TraceLine | null {
  if (text.length > MAX_LINE_LENGTH) return null;
  return parseFrame(text) ?? parseException(text);
}

function parseFrame(text: string): TraceLine | null {
  const tail = tailOf(text);
  if (tail < 0) return null;
  for (const at of text.matchAll(AT)) {
    FRAME_HEAD.lastIndex = at.index + at[0].length;
    const [, name, initializer] = FRAME_HEAD.exec(text) ?? [];
    const open = FRAME_HEAD.lastIndex;
    const dot = name === undefined ? -1 : methodDot(name, initializer);
    if (name === undefined || dot < 1 || open > tail) continue;
    const start = at.index + at[0].length;
    const methodStart = start + dot + 1;
    const methodEnd = start + name.length + (initializer?.length ?? 0);
    const classStart = start + name.lastIndexOf('/', dot) + 1;
    const number = /:(\d+)$/.exec(text.slice(open, tail));
    const fileEnd = number === null ? tail : tail - number[0].length;
    const line = number === null ? null : Number(number[1]);
    return {
      text,
      className: [classStart, methodStart - 1],
      frame: {
        method: [methodStart, methodEnd],
        sourceFile: [open, fileEnd],
        lineNumber: [fileEnd, tail],
        line: line !== null && line <= 0x7fffffff ? line : null,
      },
    };
  }
  return null;
}

/**
 * Position of the parenthesis that closes the source position, possibly followed by the archive: `) ~[app.jar:1.0]`; -1
 * for none.
 */
function tailOf(text: string): number {
  const line = text.trimEnd();
  if (line.endsWith(')')) return line.length - 1;
  if (!line.endsWith(']')) return -1;
  const start = line.lastIndexOf(']', line.length - 2) + 1;
  const found = line.slice(start).search(BEFORE_ARCHIVE);
  return found < 0 ? -1 : start + found;
}

/** Position of the dot between class and method: the last one that a method name can follow; -1 for none. */
function methodDot(name: string, initializer: string | undefined): number {
  if (initializer !== undefined) return name.endsWith('.') ? name.length - 1 : -1;
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    if (/\D/.test(name[dot + 1] ?? '0')) return dot;
  }
  return -1;
}

/**
 * R8's rule: the class after the last `: ` or `"` that is followed by `:`, `]` or the end, or else a class at the
 * start.
 */
function parseException(text: string): TraceLine | null {
  const first = classAt(text, 0);
  const breaks = [...text.matchAll(COLON_OR_QUOTE)].map((match) => match.index + match[0].length);
  if (first !== null) {
    const separator = /^[:"]\s+/.exec(text.slice(first[1]));
    const second = separator === null ? null : classAt(text, first[1] + separator[0].length);
    if (second !== null && endsName(text, second[1])) {
      const start = text.slice(first[0], first[1]) === 'Suppressed' ? second : first;
      return { text, className: start, frame: null };
    }
  }
  for (const start of breaks.reverse()) {
    const found = classAt(text, start);
    if (found !== null && endsName(text, found[1])) return { text, className: found, frame: null };
  }
  if (first === null || !endsName(text, first[1])) return null;
  return { text, className: first, frame: null };
}

function classAt(text: string, start: number): [number, number] | null {
  CLASS_NAME.lastIndex = start;
  const name = CLASS_NAME.exec(text)?.[0];
  // It may be preceded by class loader and module.
  return name === undefined ? null : [start + name.lastIndexOf('/') + 1, CLASS_NAME.lastIndex];
}

function endsName(text: string, end: number): boolean {
  return end === text.length || text[end] === ':' || text[end] === ']';
}
