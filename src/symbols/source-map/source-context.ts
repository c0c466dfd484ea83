/** The line of a frame and what stands around it; lines are cut to what can be read. */
export interface SourceContext {
  /** Up to five lines, in the order of the file. */
  before: string[];
  line: string;
  after: string[];
}

const LINES_AROUND = 5;
const MOST_CHARACTERS = 240;

/** Five lines before and after a line of a source, counted from 0; of long lines the part around the column. Null past its end. */
export function sourceContext(content: string, line: number, column: number): SourceContext | null {
  const first = Math.max(0, line - LINES_AROUND);
  const lines = linesFrom(content, first, line + LINES_AROUND);
  const own = lines[line - first];
  if (own === undefined) return null;
  return {
    before: lines.slice(0, line - first).map((text) => cut(text, 0)),
    line: cut(own, column),
    after: lines.slice(line - first + 1).map((text) => cut(text, 0)),
  };
}

/** Sources may be large, and the lines few. */
function linesFrom(content: string, first: number, last: number): string[] {
  const lines: string[] = [];
  for (let start = 0, line = 0; start <= content.length && line <= last; line++) {
    const end = content.indexOf('\n', start);
    if (line >= first) lines.push(content.slice(start, end < 0 ? undefined : end).replace(/\r$/, ''));
    if (end < 0) break;
    start = end + 1;
  }
  return lines;
}

function cut(text: string, column: number): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const start = Math.max(0, Math.min(column - MOST_CHARACTERS / 2, text.length - MOST_CHARACTERS));
  const end = start + MOST_CHARACTERS;
  return `${start > 0 ? '…' : ''}${text.slice(start, end).toWellFormed()}${end < text.length ? '…' : ''}`;
}
