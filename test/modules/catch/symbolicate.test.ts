import { existsSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { convertFlutterSymbols } from '../../../src/modules/catch/conversion/convert-flutter-symbols.js';
import type { CrashInput } from '../../../src/modules/catch/symbolication/crash-frame.js';
import type { NativeSymbols, SymbolSource } from '../../../src/modules/catch/symbolication/symbol-source.js';
import { symbolicate } from '../../../src/modules/catch/symbolication/symbolicate.js';
import { openTable } from '../../../src/modules/catch/table/open-table.js';

const FLUTTER = '../shared/fixtures/symbols/flutter_symbols/datadog';

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

const frame = (fields: object) => ({
  function: null,
  file: null,
  line: null,
  column: null,
  address: null,
  module: null,
  inApp: null,
  ...fields,
});

const x = suite('symbolicate');

if (existsSync(FLUTTER)) {
  for (const arch of ['android-arm', 'android-arm64', 'ios-arm64']) {
    x(`Dart traces of ${arch}`, async () => {
      const path = `${FLUTTER}/app.${arch}.symbols`;
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
    const trace = readFileSync(
      '../shared/fixtures/symbols/flutter_symbols/dart-sdk/regress_262474517_trace.txt',
      'utf8',
    );
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
}

x('says what is missing, and which frames make no sense', async () => {
  const images = [
    {
      type: 'macho',
      debugId: '3ADB330A-1C19-3B98-A531-D9E09FAA3A15',
      codeFile: 'App',
      imageAddress: '0x100000000',
      imageSize: 0x1000,
      arch: 'arm64',
    },
  ];
  const frames = ['0x100000010', '0x200000000', 'zzz'].map((address) => frame({ address }));
  const result = await symbolicate(crash({ frames, images }), NOTHING);
  assert.equal(
    result.frames.map((one) => one.status),
    ['missing_symbol', 'unknown_image', 'malformed'],
  );
  assert.equal(result.missing, [{ key: '3adb330a-1c19-3b98-a531-d9e09faa3a15', kind: 'ios_dsym' }]);
});

x('names of platforms without symbols stay as they are', async () => {
  const result = await symbolicate(
    crash({ platform: 'python', frames: [frame({ function: 'main', line: 3 })] }),
    NOTHING,
  );
  assert.is(result.frames[0]?.status, 'symbolicated');
  assert.equal(result.missing, []);
});

x.run();
