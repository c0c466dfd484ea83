import { SymbolFileError } from '../symbol-file-error.js';
import { ByteWriter } from './byte-writer.js';
import { decodeMappings, type LineSegments } from './mapping-decoder.js';
import { type PlainMap, parseSourceMap } from './source-map-document.js';
import {
  BLOCK_SEGMENTS,
  FAR_LINES_MAGIC,
  HEAD_WORDS,
  NO_STRING,
  SOURCE_MAP_TABLE_MAGIC,
  TAG,
} from './source-map-table-format.js';

/** No browser loads a file with more lines. */
const MAX_LINES = 16_000_000;

/** Limit for sources, contents and names together; `sourceRoot` is repeated for every source. */
const FREE_TEXT_BYTES = 4 * 1024 * 1024;
const TEXT_PER_UPLOADED = 8;

export interface ConvertedSourceMap {
  table: Uint8Array;
  debugId: string | null;
  file: string | null;
  sources: number;
}

/**
 * Validates a source map down to the last segment and writes its table; sections are merged into one map.
 *
 * @throws SymbolFileError when the map is invalid
 */
export function convertSourceMap(bytes: Uint8Array): ConvertedSourceMap {
  const document = parseSourceMap(bytes);
  const table = new TableBuilder();
  for (const map of document.maps) table.add(map);
  return {
    table: table.finish(document.maps, bytes.length),
    debugId: document.debugId,
    file: document.file,
    sources: document.maps.reduce((sum, map) => sum + map.sources.length, 0),
  };
}

class TableBuilder {
  private readonly segments = new ByteWriter();
  private readonly blocks = new ByteWriter();
  /** Pairs of a line with segments and its first block. */
  private readonly starts = new ByteWriter();
  private lines = 0;
  private blockCount = 0;
  private sourceBase = 0;
  private nameBase = 0;

  add(map: PlainMap): void {
    const { offset, end } = map;
    decodeMappings(map.mappings, map.sources.length, map.names.length, (line, segments) => {
      const generated = offset.line + line;
      const columnShift = line === 0 ? offset.column : 0;
      let { count } = segments;
      if (end !== null && generated >= end.line) {
        const last = (segments.column[count - 1] as number) + columnShift;
        const empty = offset.line === end.line && offset.column === end.column;
        if (generated > end.line || last > end.column || empty)
          throw new SymbolFileError('invalid_source_map', 'A section has mappings past the start of the next section.');
        // A segment exactly at the start of the next section belongs to that section.
        while (count > 0 && (segments.column[count - 1] as number) + columnShift >= end.column) count -= 1;
      }
      this.addLine(generated, columnShift, segments, count);
    });
    this.sourceBase += map.sources.length;
    this.nameBase += map.names.length;
  }

  private addLine(line: number, shift: number, segments: LineSegments, count: number): void {
    if (count === 0) return;
    if (line >= MAX_LINES) throw new SymbolFileError('too_large', `The map has more than ${MAX_LINES} lines.`);
    this.openLine(line);
    for (let start = 0; start < count; start += BLOCK_SEGMENTS)
      this.addBlock(segments, shift, start, Math.min(start + BLOCK_SEGMENTS, count));
  }

  private openLine(line: number): void {
    if (line < this.lines) return;
    this.starts.uint32(line);
    this.starts.uint32(this.blockCount);
    this.lines = line + 1;
  }

  private addBlock(segments: LineSegments, shift: number, start: number, end: number): void {
    let column = (segments.column[start] as number) + shift;
    let source = 0;
    let line = 0;
    let originalColumn = 0;
    let name = 0;
    this.blocks.uint32(column);
    this.blocks.uint32(this.segments.length);
    this.blocks.uint32(end - start);
    this.blockCount += 1;
    for (let at = start; at < end; at++) {
      const next = (segments.column[at] as number) + shift;
      const mapped = (segments.source[at] as number) >= 0;
      const named = mapped && (segments.name[at] as number) >= 0;
      this.segments.unsigned((next - column) * 4 + (named ? TAG.named : mapped ? TAG.mapped : TAG.unmapped));
      column = next;
      if (!mapped) continue;
      const nextSource = (segments.source[at] as number) + this.sourceBase;
      this.segments.signed(nextSource - source);
      this.segments.signed((segments.line[at] as number) - line);
      this.segments.signed((segments.originalColumn[at] as number) - originalColumn);
      source = nextSource;
      line = segments.line[at] as number;
      originalColumn = segments.originalColumn[at] as number;
      if (!named) continue;
      const nextName = (segments.name[at] as number) + this.nameBase;
      this.segments.signed(nextName - name);
      name = nextName;
    }
  }

  finish(maps: PlainMap[], uploaded: number): Uint8Array {
    // Only section offsets can give a map more lines than bytes.
    const isFar = this.lines > uploaded;
    const mostText = FREE_TEXT_BYTES + uploaded * TEXT_PER_UPLOADED;
    const strings = new ByteWriter();
    const text = new ByteWriter();
    const add = (value: string | null | undefined): void => {
      const bytes = Buffer.from(value ?? '');
      strings.uint32(value == null ? NO_STRING : text.length);
      strings.uint32(bytes.length);
      text.append(bytes);
      if (text.length > mostText)
        throw new SymbolFileError('too_complex', 'Its source names are longer than a map of its size can have.');
    };
    for (const map of maps) for (const source of map.sources) add(source);
    for (const map of maps) for (const index of map.sources.keys()) add(map.sourcesContent[index]);
    for (const map of maps) for (const index of map.sources.keys()) add(functionMapJson(map, index));
    for (const map of maps) for (const name of map.names) add(name);
    const parts = [this.lineIndex(isFar), this.blocks, this.segments, strings, text].map((part) => part.written());
    const head = new ByteWriter();
    const magic = isFar ? FAR_LINES_MAGIC : SOURCE_MAP_TABLE_MAGIC;
    for (const word of [magic, this.lines, this.blockCount, this.sourceBase, this.nameBase]) head.uint32(word);
    let at = HEAD_WORDS * 4;
    for (const part of parts) {
      head.uint32(at);
      at += part.length;
    }
    return Buffer.concat([head.written(), ...parts], at);
  }

  private lineIndex(isFar: boolean): ByteWriter {
    const index = isFar ? this.starts : new ByteWriter();
    const starts = this.starts.written();
    let line = 0;
    for (let at = 0; !isFar && at < starts.length; at += 8) {
      const block = starts.readUInt32LE(at + 4);
      for (const last = starts.readUInt32LE(at); line <= last; line++) index.uint32(block);
    }
    if (isFar) index.uint32(this.lines);
    index.uint32(this.blockCount);
    return index;
  }
}

function functionMapJson(map: PlainMap, index: number): string | null {
  const entry: unknown = map.functionMaps?.[index];
  const functionMap: unknown = Array.isArray(entry) ? entry[0] : null;
  return typeof functionMap === 'object' && functionMap !== null ? JSON.stringify(functionMap) : null;
}
