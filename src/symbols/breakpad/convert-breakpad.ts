import { SymbolFileError } from '../symbol-file-error.js';
import { assembleEntries, EntryList } from '../table/assemble-entries.js';
import { mostSymbols } from '../table/most-symbols.js';
import { TableBuilder } from '../table/table-builder.js';
import { NO_LOCATION } from '../table/table-format.js';
import { writeTable } from '../table/table-writer.js';
import { type InlinedCall, inlinedAt } from './inlined-calls.js';

const LONGEST_LINE = 65_536;
const HEX = '([0-9a-f]{1,16})';
const FUNC = new RegExp(`^FUNC (?:m )?${HEX} ${HEX} ${HEX}(?: (.*))?$`);
const LINE = new RegExp(`^${HEX} ${HEX} (\\d{1,10}) (\\d{1,10})$`);
const INLINE = /^INLINE (\d{1,4}) (\d{1,10}) (\d{1,10}) (\d{1,10})((?: [0-9a-f]{1,16} [0-9a-f]{1,16})+)$/;
const PUBLIC = new RegExp(`^PUBLIC (?:m )?${HEX} ${HEX} (.+)$`);
const NAMED = /^(FILE|INLINE_ORIGIN) (\d{1,10}) (.*)$/;
const MOST_ADDRESS = 0xffff_fff0;
const MOST_INLINED = 100_000;

/**
 * Where a public symbol starts to name code that no function covers, or where a function's start ends it (`name` null).
 */
interface Mark {
  address: number;
  name: number | null;
}

interface OpenFunction {
  name: number;
  low: number;
  high: number;
  inlined: InlinedCall[];
  hasLines: boolean;
}

/**
 * Converts Breakpad's text format (`dump_syms`), with its functions, lines, inlined calls and public symbols, into a
 * table whose addresses count from the module's start. Invalid records are skipped.
 *
 * @throws SymbolFileError `no_symbols`, `too_complex`
 */
export function convertBreakpad(
  bytes: Uint8Array,
  packedSize = bytes.length,
): { table: Uint8Array; hasDebugInfo: boolean } {
  const builder = new TableBuilder(bytes.byteLength, packedSize);
  const files = new Map<number, number>();
  const origins = new Map<number, number>();
  const marks: Mark[] = [];
  const most = mostSymbols(packedSize);
  let publics = 0;
  const mark = (address: number, name: number | null): void => {
    if (marks.push({ address, name }) > most)
      throw new SymbolFileError('too_complex', 'It has more symbols than a file of its size can have.');
  };
  let open: OpenFunction | null = null;
  let hasLines = false;
  const close = (): void => {
    if (open !== null && !open.hasLines) {
      builder.locations.beginFunction();
      builder.piece(open.low, open.high, builder.locations.add(open.name, 0, 0, 0, -1), 0);
    }
    builder.endBlock();
    open = null;
  };
  for (const line of linesOf(bytes)) {
    const [, kind, number, text = ''] = NAMED.exec(line) ?? [];
    if (kind !== undefined) {
      (kind === 'FILE' ? files : origins).set(Number(number), builder.strings.add(text));
      continue;
    }
    if (line.startsWith('FUNC ')) {
      close();
      open = functionOf(line, (name) => builder.strings.add(name));
      if (open !== null) mark(open.low, null);
      builder.locations.beginFunction();
      continue;
    }
    if (line.startsWith('PUBLIC ')) {
      close();
      const [, address = '', , name = ''] = PUBLIC.exec(line) ?? [];
      const at = Number.parseInt(address, 16);
      if (at <= MOST_ADDRESS) {
        mark(at, builder.strings.add(name));
        publics++;
      }
      continue;
    }
    const current = open as OpenFunction | null;
    if (current === null) continue;
    if (line.startsWith('INLINE ')) {
      const calls = inlinedCalls(line, files, origins);
      if (current.inlined.length + calls.length > MOST_INLINED)
        throw new SymbolFileError('too_complex', 'A function has more inlined calls than any compiler generates.');
      current.inlined.push(...calls);
      continue;
    }
    const [, address, size, number2, file] = LINE.exec(line) ?? [];
    if (address === undefined || size === undefined) continue;
    const low = Number.parseInt(address, 16);
    const high = low + Number.parseInt(size, 16);
    if (high > MOST_ADDRESS || high <= low) continue;
    current.hasLines = true;
    hasLines = true;
    const place = { line: Number(number2), file: files.get(Number(file)) ?? 0 };
    for (const part of inlinedAt(current.inlined, low, high)) {
      let fn = current.name;
      let parent = -1;
      for (const call of part.calls) {
        parent = builder.locations.add(fn, call.file, call.line, 0, parent);
        fn = call.origin;
      }
      builder.piece(part.low, part.high, builder.locations.add(fn, place.file, place.line, 0, parent), 0);
    }
  }
  close();
  if (builder.blockCount === 0 && publics === 0)
    throw new SymbolFileError('no_symbols', 'The file contains no functions, possibly only stack records.');
  return { table: assemble(builder, marks, hasLines), hasDebugInfo: hasLines };
}

function functionOf(line: string, add: (name: string) => number): OpenFunction | null {
  const [, address = '', size = '', , name] = FUNC.exec(line) ?? [];
  const low = Number.parseInt(address, 16);
  const high = low + Number.parseInt(size, 16);
  if (!(high > low && high <= MOST_ADDRESS)) return null;
  return { name: add(name ?? ''), low, high, inlined: [], hasLines: false };
}

function inlinedCalls(line: string, files: Map<number, number>, origins: Map<number, number>): InlinedCall[] {
  const [, depth, callLine, callFile, origin, ranges = ''] = INLINE.exec(line) ?? [];
  const words = ranges.trim().split(' ');
  const calls: InlinedCall[] = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const low = Number.parseInt(words[at] ?? '', 16);
    const high = low + Number.parseInt(words[at + 1] ?? '', 16);
    const call = { line: Number(callLine), file: files.get(Number(callFile)) ?? 0 };
    if (high > low) calls.push({ depth: Number(depth), low, high, ...call, origin: origins.get(Number(origin)) ?? 0 });
  }
  return calls;
}

/**
 * Public symbols name the code between functions, each up to the next symbol. As in Breakpad's own resolver, none
 * reaches past a function that starts at or after it.
 */
function assemble(builder: TableBuilder, marks: Mark[], hasDebugInfo: boolean): Uint8Array {
  // At equal addresses, function starts sort last.
  marks.sort((a, b) => a.address - b.address || Number(a.name === null) - Number(b.name === null));
  const fillGap = (low: number, high: number, list: EntryList): void => {
    let index = lastUpTo(marks, low);
    for (index = Math.max(0, index); index < marks.length; index++) {
      const symbol = marks[index] as Mark;
      if (symbol.address >= high) break;
      const end = marks[index + 1]?.address ?? high;
      if (symbol.name === null || Math.min(end, high) <= Math.max(low, symbol.address)) continue;
      builder.locations.beginFunction();
      list.push(Math.max(low, symbol.address), builder.locations.add(symbol.name, 0, 0, 0, -1));
      if (end < high) list.push(end, NO_LOCATION);
    }
  };
  const list = new EntryList(fillGap, builder.entryCount);
  assembleEntries(builder, list);
  const { addresses, locations } = list.finish();
  return writeTable({
    origin: 0,
    imageBase: 0,
    hasDebugInfo,
    addresses,
    entries: locations,
    locations: builder.locations,
    names: Uint32Array.from(builder.strings.all.keys()),
    strings: builder.strings.all,
  });
}

function lastUpTo(marks: readonly Mark[], limit: number): number {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((marks[middle]?.address ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function* linesOf(bytes: Uint8Array): Generator<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 0; start < buffer.length; ) {
    const newline = buffer.indexOf(0x0a, start);
    const end = newline < 0 ? buffer.length : newline;
    if (end - start <= LONGEST_LINE) yield buffer.toString('utf8', start, end).trimEnd();
    start = end + 1;
  }
}
