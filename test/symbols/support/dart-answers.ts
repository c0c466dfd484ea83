import * as assert from 'uvu/assert';
import { convertFlutterSymbols } from '../../../src/symbols/conversion/convert-flutter-symbols.js';
import type { NativeSymbols } from '../../../src/symbols/symbolication/symbol-source.js';
import { symbolicate } from '../../../src/symbols/symbolication/symbolicate.js';
import { openTable } from '../../../src/symbols/table/open-table.js';

/** A trace of the Dart VM with the expected frames for each of its frames, innermost first. */
export interface AnsweredTrace {
  readonly trace: string;
  readonly expected: ReadonlyArray<ReadonlyArray<{ functionShort: string; file: string; line: number }>>;
}

/**
 * Reads a Flutter symbols file and compares the symbolicated traces with the answers. Returns the number of compared
 * frames.
 */
export async function compareDartTraces(path: string, traces: readonly AnsweredTrace[]): Promise<number> {
  const converted = convertFlutterSymbols({ path, originalName: path, release: '', matchKey: '' });
  const [first] = converted.tables;
  if (first === undefined) throw new Error('no table');
  const hex = (text: string | null | undefined) => (text ? BigInt(`0x${text}`) : null);
  const symbols: NativeSymbols = {
    table: openTable(first.table),
    dartSections: { isolate: hex(first.dartSections?.isolate), vm: hex(first.dartSections?.vm) },
  };
  const source = {
    native: async () => null,
    flutter: async () => symbols,
    sourceMap: async () => null,
    script: async () => null,
    mapping: async () => null,
  };
  let compared = 0;
  for (const { trace, expected } of traces) {
    const crash = {
      platform: 'other',
      exceptionType: null,
      frames: [],
      images: [],
      programCounter: null,
      release: null,
    };
    const { frames } = await symbolicate({ ...crash, rawStacktrace: trace }, source);
    const want = expected.flatMap((group, index) => group.map((one) => [index, one.functionShort, one.file, one.line]));
    assert.equal(
      frames.map((one) => [one.reported, one.function, one.file, one.line ?? 0]),
      want,
    );
    compared += want.length;
  }
  return compared;
}
