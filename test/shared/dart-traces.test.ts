import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { convertFlutterSymbols } from '../../src/symbols/conversion/convert-flutter-symbols.js';
import type { CrashInput } from '../../src/symbols/symbolication/crash-frame.js';
import type { NativeSymbols, SymbolSource } from '../../src/symbols/symbolication/symbol-source.js';
import { symbolicate } from '../../src/symbols/symbolication/symbolicate.js';
import { openTable } from '../../src/symbols/table/open-table.js';
import { sharedCorpus } from '../runner/shared-suite.js';

const FOLDER = join(sharedCorpus, 'fixtures/symbols/flutter_symbols');

const NOTHING: SymbolSource = {
  native: async () => null,
  flutter: async () => null,
  sourceMap: async () => null,
  mapping: async () => null,
};

const crash = (fields: Partial<CrashInput>): CrashInput => ({
  platform: 'other',
  exceptionType: null,
  frames: [],
  images: [],
  rawStacktrace: null,
  programCounter: null,
  release: null,
  ...fields,
});

const x = suite('Dart traces of the corpus');

for (const arch of ['android-arm', 'android-arm64', 'ios-arm64']) {
  x(`Dart traces of ${arch}`, async () => {
    const path = join(FOLDER, `datadog/app.${arch}.symbols`);
    const converted = convertFlutterSymbols({ path, originalName: `app.${arch}.symbols`, release: '', matchKey: '' });
    const [first] = converted.tables;
    if (first === undefined) throw new Error('no table');
    const hex = (text: string | null | undefined) => (text ? BigInt(`0x${text}`) : null);
    const symbols: NativeSymbols = {
      table: openTable(first.table),
      dartSections: { isolate: hex(first.dartSections?.isolate), vm: hex(first.dartSections?.vm) },
    };
    const source = { ...NOTHING, flutter: async () => symbols };
    const { traces } = JSON.parse(readFileSync(`${path}.traces.json`, 'utf8')) as {
      traces: { trace: string; expected: { functionShort: string; file: string; line: number }[][] }[];
    };
    for (const { trace, expected } of traces) {
      const result = await symbolicate(crash({ rawStacktrace: trace }), source);
      const got = result.frames.map((one) => [one.reported, one.function, one.file, one.line ?? 0]);
      const want = expected.flatMap((group, index) =>
        group.map((one) => [index, one.functionShort, one.file, one.line]),
      );
      assert.equal(got, want);
    }
  });
}

x('a Dart trace behind the prefixes of a crash reporter', async () => {
  const trace = readFileSync(join(FOLDER, 'dart-sdk/regress_262474517_trace.txt'), 'utf8');
  const asked: number[] = [];
  const table = {
    imageBase: 0,
    hasDebugInfo: true,
    lookup: (address: number) => {
      asked.push(address);
      return [];
    },
  };
  const source = { ...NOTHING, flutter: async () => ({ table, dartSections: { isolate: 0x1000n, vm: null } }) };
  const result = await symbolicate(crash({ rawStacktrace: trace }), source);
  assert.equal(asked, [0x14e87f + 0x1000, 0x2a4e27 + 0x1000, 0x4ee12b + 0x1000, 0x477fc7 + 0x1000]);
  assert.equal(new Set(result.frames.map((one) => one.status)), new Set(['missing_symbol']));
});

x.run();
