import { silentSink } from '../../../src/symbols/native/conversion-sink.js';
import { convertNative } from '../../../src/symbols/native/convert-native.js';
import type { ObjectImage } from '../../../src/symbols/native/object-image.js';
import { openTable, type SourceFrame } from '../../../src/symbols/table/open-table.js';

/** What llvm-symbolizer says of one call: `function` is its symbol, `functionShort` the name in the debug information. */
export interface AnsweredFrame {
  readonly function: string;
  readonly functionShort: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Its answers on one architecture of a file; frames are innermost first. */
export interface AnsweredSlice {
  readonly arch: string | null;
  readonly debugId: string | null;
  readonly addresses: ReadonlyArray<{
    readonly address: string;
    readonly frames: readonly AnsweredFrame[];
    /** There is a name of the symbol table, and nothing else. */
    readonly symbolOnly?: boolean;
  }>;
}

/** How many addresses were asked, and in which we differ. */
export interface Comparison {
  asked: number;
  differing: { address: string; what: string }[];
}

/** Converts a file, looks up every answered address, and compares depth, function, file, line and column of each. */
export function compareNative(
  bytes: Buffer,
  slices: readonly AnsweredSlice[],
  packages: readonly ObjectImage[] = [],
): Comparison {
  const { images } = convertNative(bytes, silentSink, packages);
  const comparison: Comparison = { asked: 0, differing: [] };
  for (const { debugId, arch, addresses } of slices) {
    const image = images.find((candidate) => candidate.debugId === debugId);
    if (image === undefined) throw new Error(`no image ${debugId} ${arch}`);
    const table = openTable(image.table);
    for (const { address, frames, symbolOnly = false } of addresses) {
      comparison.asked++;
      const got = table.lookup(Number(address));
      const what = difference(got, frames, symbolOnly);
      if (what !== null)
        comparison.differing.push({
          address,
          what: `${what}: ${JSON.stringify(got)} instead of ${JSON.stringify(frames)}`,
        });
    }
  }
  return comparison;
}

function difference(
  got: readonly SourceFrame[],
  expected: readonly AnsweredFrame[],
  symbolOnly: boolean,
): string | null {
  if (got.length !== expected.length) return 'inline depth';
  for (const [index, frame] of got.entries()) {
    const other = expected[index] as AnsweredFrame;
    if (symbolOnly) return frame.function === other.function ? null : 'symbol name';
    if (!namesAgree(frame.function, other)) return 'function';
    if (shortened(frame.file) !== shortened(other.file)) return 'file';
    if (frame.line !== other.line) return 'line';
    if ((frame.column ?? 0) !== other.column) return 'column';
    if (frame.inlined !== index < got.length - 1) return 'inlined';
  }
  return null;
}

/** Ours are qualified (`a::b`), `functionShort` is not; where that is empty the symbol's name counts. */
function namesAgree(got: string, { functionShort, function: symbol }: AnsweredFrame): boolean {
  if (functionShort === '') return got === symbol;
  return got === functionShort || got.endsWith(`::${functionShort}`) || got.endsWith(`.${functionShort}`);
}

/** Without `/./` and `x/../`. */
function shortened(path: string): string {
  let shorter = path.replaceAll('/./', '/');
  for (let longer = ''; longer !== shorter; ) {
    longer = shorter;
    shorter = longer.replace(/[^/]+\/\.\.\//, '');
  }
  return shorter;
}
