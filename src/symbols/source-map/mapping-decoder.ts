import { SymbolFileError } from '../symbol-file-error.js';

/** The segments of one generated line, as one array per field; arrays are reused, and `count` is their valid length. */
export interface LineSegments {
  count: number;
  column: Int32Array;
  /** −1 when the segment maps to nothing. */
  source: Int32Array;
  line: Int32Array;
  originalColumn: Int32Array;
  /** −1 when the segment has no name. */
  name: Int32Array;
}

const COMMA = 44;
const SEMICOLON = 59;
const LIMIT = 2 ** 31;
const BASE64 = new Int8Array(128).fill(-1);
for (let digit = 0; digit < 64; digit++)
  BASE64['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.charCodeAt(digit)] = digit;

/**
 * Decodes `mappings` line by line and rejects what ECMA-426 rejects: characters outside base64, unfinished numbers,
 * numbers beyond 32 bits, segments of 0, 2 or 3 fields, negative positions, indices without a source or name.
 *
 * @param onLine called for every line with segments, sorted by column
 * @throws SymbolFileError `invalid_mappings`
 */
export function decodeMappings(
  mappings: string,
  sources: number,
  names: number,
  onLine: (line: number, segments: LineSegments) => void,
): number {
  const decoder = new Decoder(mappings, sources, names);
  let line = 0;
  while (decoder.position <= mappings.length) {
    decoder.readLine();
    if (decoder.segments.count > 0) onLine(line, decoder.segments);
    line += 1;
  }
  return line;
}

class Decoder {
  position = 0;
  segments = emptySegments(256);
  private source = 0;
  private line = 0;
  private originalColumn = 0;
  private name = 0;

  constructor(
    private readonly mappings: string,
    private readonly sources: number,
    private readonly names: number,
  ) {}

  /** Reads through the next `;`, or to the end. */
  readLine(): void {
    const { mappings, segments } = this;
    segments.count = 0;
    let column = 0;
    let sorted = true;
    if (this.position >= mappings.length || mappings.charCodeAt(this.position) === SEMICOLON) {
      this.position += 1;
      return;
    }
    for (;;) {
      const previous = column;
      column = this.place(column + this.number());
      if (column < previous) sorted = false;
      this.readSegment(column);
      const next = this.position < mappings.length ? mappings.charCodeAt(this.position) : SEMICOLON;
      this.position += 1;
      if (next === SEMICOLON) break;
      if (next !== COMMA) this.fail('A character between segments is neither "," nor ";".');
    }
    if (!sorted) sortByColumn(this.segments);
  }

  private readSegment(column: number): void {
    if (this.segments.count === this.segments.column.length) this.segments = grown(this.segments);
    const { segments } = this;
    const at = segments.count;
    segments.count += 1;
    segments.column[at] = column;
    segments.source[at] = -1;
    segments.name[at] = -1;
    if (this.atSegmentEnd()) return;
    this.source += this.number();
    if (this.source < 0 || this.source >= this.sources) this.fail('A segment refers to a source that does not exist.');
    this.line = this.place(this.line + this.number());
    this.originalColumn = this.place(this.originalColumn + this.number());
    segments.source[at] = this.source;
    segments.line[at] = this.line;
    segments.originalColumn[at] = this.originalColumn;
    if (this.atSegmentEnd()) return;
    this.name += this.number();
    if (this.name < 0 || this.name >= this.names) this.fail('A segment refers to a name that does not exist.');
    segments.name[at] = this.name;
  }

  private atSegmentEnd(): boolean {
    if (this.position >= this.mappings.length) return true;
    const next = this.mappings.charCodeAt(this.position);
    return next === COMMA || next === SEMICOLON;
  }

  private number(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const code = this.position < this.mappings.length ? this.mappings.charCodeAt(this.position) : -1;
      const digit = code >= 0 && code < 128 ? (BASE64[code] as number) : -1;
      if (digit < 0) this.fail('A segment is unfinished or has a character outside base64.');
      this.position += 1;
      value += (digit & 31) * scale;
      if ((digit & 32) === 0) break;
      scale *= 32;
      if (scale > 2 ** 35) this.fail('A number is larger than 32 bits.');
    }
    const magnitude = Math.floor(value / 2);
    if (magnitude >= LIMIT) this.fail('A number is larger than 32 bits.');
    if (value % 2 === 0) return magnitude;
    // The sign bit alone represents the smallest number.
    return magnitude === 0 ? -LIMIT : -magnitude;
  }

  private place(value: number): number {
    if (value < 0 || value >= LIMIT) this.fail('A line or column is negative or larger than 32 bits.');
    return value;
  }

  private fail(reason: string): never {
    throw new SymbolFileError('invalid_mappings', `${reason} (At character ${this.position} of "mappings".)`);
  }
}

function emptySegments(capacity: number): LineSegments {
  const array = () => new Int32Array(capacity);
  return { count: 0, column: array(), source: array(), line: array(), originalColumn: array(), name: array() };
}

function grown(segments: LineSegments): LineSegments {
  const result = emptySegments(segments.column.length * 2);
  result.count = segments.count;
  for (const key of ['column', 'source', 'line', 'originalColumn', 'name'] as const) result[key].set(segments[key]);
  return result;
}

/** Columns may decrease within a line; lookups need a stable sort. */
function sortByColumn(segments: LineSegments): void {
  const { count } = segments;
  const order = Array.from({ length: count }, (_, index) => index);
  order.sort((a, b) => (segments.column[a] as number) - (segments.column[b] as number) || a - b);
  for (const key of ['column', 'source', 'line', 'originalColumn', 'name'] as const) {
    const before = segments[key].slice(0, count);
    for (let index = 0; index < count; index++) segments[key][index] = before[order[index] as number] as number;
  }
}
