const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * The `mappings` of a source map (ECMA-426, base64 VLQ) after whole lines were inserted into the generated file at a
 * zero-based position: what followed the position moves that many lines down, to the start of a line. A segment around
 * the position covers its line's end and the start of the other. Throws SyntaxError.
 */
export function shiftMappings(mappings: string, place: { line: number; column: number }, lines: number): string {
  const all = mappings.split(';');
  if (place.line >= all.length) return mappings;
  const here = segmentsOf(all[place.line]);
  const columns = columnsOf(mappings, place.line);
  if (place.column > 0 && columns.some((column, index) => column < (columns[index - 1] ?? 0)))
    throw new SyntaxError('its mappings of a line that begins with a directive are not sorted by column');
  const behind = columns.findIndex((column) => column >= place.column);
  const stays = behind < 0 ? here : here.slice(0, behind);
  const moves = behind < 0 ? [] : here.slice(behind);
  const [first] = moves;
  if (first !== undefined)
    moves[0] = vlq((columns[behind] ?? 0) - place.column) + first.slice(firstNumber(first).length);
  const around = stays.at(-1);
  if (around !== undefined && columns[behind] !== place.column) moves.unshift(sameAgain(around));
  const added = [...Array<string>(lines - 1).fill(''), moves.join(',')];
  return [...all.slice(0, place.line), stays.join(','), ...added, ...all.slice(place.line + 1)].join(';');
}

export function columnsOf(mappings: string, line: number): number[] {
  let column = 0;
  return segmentsOf(mappings.split(';')[line]).map((segment) => {
    column += firstNumber(segment).value;
    return column;
  });
}

/** A segment at the start of a line with the source of the one before it: every number is relative, so all are 0. */
const sameAgain = (segment: string): string =>
  'A'.repeat([...segment].filter((digit) => (DIGITS.indexOf(digit) & 32) === 0).length);

const segmentsOf = (line = ''): string[] => line.split(',').filter((segment) => segment !== '');

/** The first number of a segment: its column, relative to the previous segment. */
function firstNumber(segment: string): { value: number; length: number } {
  let value = 0;
  for (let length = 0, scale = 1; length < segment.length; length++, scale *= 32) {
    const digit = DIGITS.indexOf(segment[length] ?? '');
    value += (digit & 31) * scale;
    if ((digit & 32) === 0) return { value: value % 2 === 0 ? value / 2 : -(value - 1) / 2, length: length + 1 };
  }
  throw new SyntaxError('its mappings are truncated');
}

function vlq(number: number): string {
  let rest = number < 0 ? -number * 2 + 1 : number * 2;
  let text = '';
  do {
    const digit = rest % 32;
    rest = Math.floor(rest / 32);
    text += DIGITS[rest > 0 ? digit | 32 : digit];
  } while (rest > 0);
  return text;
}
