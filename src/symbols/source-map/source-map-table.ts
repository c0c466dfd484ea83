import { SymbolFileError } from '../symbol-file-error.js';
import {
  BLOCK_WORDS,
  FAR_LINES_MAGIC,
  HEAD,
  HEAD_WORDS,
  NO_STRING,
  SOURCE_MAP_TABLE_MAGIC,
  TAG,
} from './source-map-table-format.js';

const MAGICS: readonly number[] = [SOURCE_MAP_TABLE_MAGIC, FAR_LINES_MAGIC];

/** The origin of a position in the generated file. Sources are identified by index, because names may repeat. */
export interface OriginalPosition {
  sourceIndex: number;
  /** 0-based, as in the map. */
  line: number;
  /** 0-based. */
  column: number;
  name: string | null;
}

export interface SourceMapTable {
  /** Finds the segment at or before a 0-based position; null when nothing maps there. */
  lookup(line: number, column: number): OriginalPosition | null;
  source(index: number): string | null;
  sourceContent(index: number): string | null;
  /** Metro's function map of a source as JSON, or null. */
  functionMap(index: number): string | null;
}

/** Opens a table from `convertSourceMap`. */
export function openSourceMap(table: Uint8Array): SourceMapTable {
  const bytes = Buffer.from(table.buffer, table.byteOffset, table.byteLength);
  if (bytes.length < HEAD_WORDS * 4 || !MAGICS.includes(bytes.readUInt32LE(0)))
    throw new SymbolFileError('corrupt_table', 'The stored table is not a source map table.');
  const head = (word: number): number => bytes.readUInt32LE(word * 4);
  const sources = head(HEAD.sources);
  const text = bytes.subarray(head(HEAD.textAt));
  const string = (index: number): string | null => {
    const at = head(HEAD.stringsAt) + index * 8;
    const offset = bytes.readUInt32LE(at);
    return offset === NO_STRING ? null : text.toString('utf8', offset, offset + bytes.readUInt32LE(at + 4));
  };
  const inSources = (index: number): boolean => index >= 0 && index < sources;
  return {
    lookup(line, column) {
      const found = findSegment(bytes, head, line, column);
      if (found === null) return null;
      const { nameIndex, ...position } = found;
      return { ...position, name: nameIndex < 0 ? null : string(sources * 3 + nameIndex) };
    },
    source: (index) => (inSources(index) ? string(index) : null),
    sourceContent: (index) => (inSources(index) ? string(sources + index) : null),
    functionMap: (index) => (inSources(index) ? string(sources * 2 + index) : null),
  };
}

type Segment = Omit<OriginalPosition, 'name'> & { nameIndex: number };

function findSegment(bytes: Buffer, head: (word: number) => number, line: number, column: number): Segment | null {
  if (line < 0 || column < 0 || line >= head(HEAD.lines)) return null;
  const [first, end] = blocksOfLine(bytes, head, line);
  const blocksAt = head(HEAD.blocksAt);
  let low = first;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (bytes.readUInt32LE(blocksAt + middle * BLOCK_WORDS * 4) < column) low = middle + 1;
    else high = middle;
  }
  // The last block that starts before the column, then any blocks that start at the column.
  const reader = new SegmentReader(bytes, head(HEAD.segmentsAt), column);
  for (let block = Math.max(first, low - 1); block < end; block++) {
    if (reader.readBlock(blocksAt + block * BLOCK_WORDS * 4)) break;
  }
  return reader.found;
}

/** The line's first block, and the first block after the line. */
function blocksOfLine(bytes: Buffer, head: (word: number) => number, line: number): [first: number, end: number] {
  const index = head(HEAD.lineIndexAt);
  if (head(HEAD.magic) === SOURCE_MAP_TABLE_MAGIC)
    return [bytes.readUInt32LE(index + line * 4), bytes.readUInt32LE(index + line * 4 + 4)];
  let low = 0;
  let high = (head(HEAD.blocksAt) - index) / 8 - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (bytes.readUInt32LE(index + middle * 8) < line) low = middle + 1;
    else high = middle;
  }
  const at = index + low * 8;
  return bytes.readUInt32LE(at) === line ? [bytes.readUInt32LE(at + 4), bytes.readUInt32LE(at + 12)] : [0, 0];
}

/** Reads segments up to a column: the first one at it, else the last one before it. */
class SegmentReader {
  found: Segment | null = null;
  private position = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly segmentsAt: number,
    private readonly wanted: number,
  ) {}

  /** @returns whether the search is over */
  readBlock(at: number): boolean {
    let column = this.bytes.readUInt32LE(at);
    if (column > this.wanted) return true;
    this.position = this.segmentsAt + this.bytes.readUInt32LE(at + 4);
    const count = this.bytes.readUInt32LE(at + 8);
    const state = { sourceIndex: 0, line: 0, column: 0, nameIndex: 0 };
    for (let index = 0; index < count; index++) {
      const step = this.unsigned();
      column += Math.floor(step / 4);
      if (column > this.wanted) return true;
      const tag = step % 4;
      if (tag !== TAG.unmapped) {
        state.sourceIndex += this.signed();
        state.line += this.signed();
        state.column += this.signed();
      }
      if (tag === TAG.named) state.nameIndex += this.signed();
      this.found = tag === TAG.unmapped ? null : { ...state, nameIndex: tag === TAG.named ? state.nameIndex : -1 };
      if (column === this.wanted) return true;
    }
    return false;
  }

  private unsigned(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.bytes[this.position++] as number;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  }

  private signed(): number {
    const value = this.unsigned();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
