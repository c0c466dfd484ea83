import { silentSink } from '../../../src/symbols/native/conversion-sink.js';
import { convertNative } from '../../../src/symbols/native/convert-native.js';
import type { ObjectImage } from '../../../src/symbols/native/object-image.js';
import { openTable, type SourceFrame } from '../../../src/symbols/table/open-table.js';

/**
 * llvm-symbolizer's answer for one call: `function` is its symbol, `functionShort` the name in the debug information.
 */
export interface AnsweredFrame {
  readonly function: string;
  readonly functionShort: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Its answers for one architecture of a file; frames are innermost first. */
export interface AnsweredSlice {
  readonly arch: string | null;
  readonly debugId: string | null;
  readonly addresses: ReadonlyArray<{
    readonly address: string;
    readonly frames: readonly AnsweredFrame[];
    /** There is only a name in the symbol table. */
    readonly symbolOnly?: boolean;
  }>;
}

/** How many addresses were looked up, and where we differ. */
export interface Comparison {
  asked: number;
  differing: { address: string; what: string }[];
}

/**
 * Converts a file, looks up every answered address, and compares the depth, function, file, line and column of each.
 */
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

/** Our names are qualified (`a::b`), `functionShort` is not; if that is empty, the symbol's name counts. */
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
