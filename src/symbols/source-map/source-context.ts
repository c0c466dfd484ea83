/** A frame's line and the lines around it, cut to a readable length. */
export interface SourceContext {
  /** Up to five lines, in the order of the file. */
  before: string[];
  line: string;
  after: string[];
  /** 1-based line number in its file. */
  lineNumber: number;
  /** 0-based position of the frame's column in `line`. */
  column: number;
  /** The executed code, because no map contains its source. */
  isGenerated: boolean;
}

const LINES_AROUND = 5;
const MOST_CHARACTERS = 240;
const LINES_APART = 256;

/**
 * Five lines before and after a 0-based line of a source; of long lines the part around the column. Null past its end.
 *
 * @param lineStarts from {@link everyLineStart}, for texts that are read often
 */
export function sourceContext(
  content: string,
  line: number,
  column: number,
  lineStarts: readonly number[] = [0],
): SourceContext | null {
  const first = Math.max(0, line - LINES_AROUND);
  const lines = linesFrom(content, first, line + LINES_AROUND, lineStarts);
  const own = lines[line - first];
  if (own === undefined) return null;
  const shown = cut(own, column);
  return {
    before: lines.slice(0, line - first).map((text) => cut(text, 0).text),
    line: shown.text,
    after: lines.slice(line - first + 1).map((text) => cut(text, 0).text),
    lineNumber: line + 1,
    column: Math.min(column, own.length) - shown.start,
    isGenerated: false,
  };
}

/** Start positions of every nth line of a large text, so that `sourceContext` need not scan from the beginning. */
export function everyLineStart(content: string): number[] {
  const starts = [0];
  for (let at = content.indexOf('\n'), line = 1; at >= 0; at = content.indexOf('\n', at + 1), line++)
    if (line % LINES_APART === 0) starts.push(at + 1);
  return starts;
}

/** Sources may be large while the requested lines are few. */
function linesFrom(content: string, first: number, last: number, lineStarts: readonly number[]): string[] {
  const lines: string[] = [];
  const nearest = Math.min(Math.floor(first / LINES_APART), lineStarts.length - 1);
  let start = lineStarts[nearest] ?? 0;
  for (let line = nearest * LINES_APART; start <= content.length && line <= last; line++) {
    const end = content.indexOf('\n', start);
    if (line >= first) lines.push(content.slice(start, end < 0 ? undefined : end).replace(/\r$/, ''));
    if (end < 0) break;
    start = end + 1;
  }
  return lines;
}

/** The shown part, and where in the line it begins. */
function cut(text: string, column: number): { text: string; start: number } {
  if (text.length <= MOST_CHARACTERS) return { text, start: 0 };
  const start = Math.max(0, Math.min(column - MOST_CHARACTERS / 2, text.length - MOST_CHARACTERS));
  const end = start + MOST_CHARACTERS;
  const [before, after] = [start > 0 ? '…' : '', end < text.length ? '…' : ''];
  return { text: `${before}${text.slice(start, end).toWellFormed()}${after}`, start: start - before.length };
}
