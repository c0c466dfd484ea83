import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { convertNative } from '../../src/symbols/native/convert-native.js';
import { openTable, type SourceFrame } from '../../src/symbols/table/open-table.js';
import { sharedCorpus } from '../runner/shared-suite.js';

const FOLDER = join(sharedCorpus, 'fixtures/symbols');
const FOLDERS = ['android_ndk', 'flutter_symbols', 'ios_dsym'];
const BAR = 0.999;

interface ExpectedFrame {
  readonly function: string;
  readonly functionShort: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

interface ExpectedSlice {
  readonly arch: string;
  readonly debugId: string | null;
  readonly addresses: ReadonlyArray<{ address: string; frames: ExpectedFrame[]; symbolOnly?: boolean }>;
}

const shared = suite('native symbol files of the corpus');

/** "/./" and "x/../" removed, as the expectations ask for. */
function normalised(path: string): string {
  let shorter = path.replaceAll('/./', '/');
  for (let longer = ''; longer !== shorter; ) {
    longer = shorter;
    shorter = longer.replace(/[^/]+\/\.\.\//, '');
  }
  return shorter;
}

/** Ours are qualified ("a::b"), `functionShort` is DW_AT_name; where that is empty the symbol's name counts. */
function namesAgree(got: string, expected: ExpectedFrame): boolean {
  const { functionShort } = expected;
  if (functionShort === '') return got === expected.function;
  return got === functionShort || got.endsWith(`::${functionShort}`) || got.endsWith(`.${functionShort}`);
}

function disagreement(got: SourceFrame[], expected: ExpectedFrame[], symbolOnly: boolean): string | null {
  if (got.length !== expected.length) return 'inline depth';
  for (const [index, frame] of got.entries()) {
    const other = expected[index] as ExpectedFrame;
    if (symbolOnly) return frame.function === other.function ? null : 'symbol name';
    if (!namesAgree(frame.function, other)) return 'function';
    if (normalised(frame.file) !== normalised(other.file)) return 'file';
    if (frame.line !== other.line) return 'line';
    if ((frame.column ?? 0) !== other.column) return 'column';
  }
  return null;
}

function expectedFiles(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(FOLDER, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.expected.json'))
      .map((name) => join(FOLDER, folder, name)),
  );
}

shared('every address agrees with llvm-symbolizer on inline depth, function, file, line and column', () => {
  let agreed = 0;
  const differing: string[] = [];
  for (const path of expectedFiles()) {
    const { slices } = JSON.parse(readFileSync(path, 'utf8')) as { slices: ExpectedSlice[] };
    const { images } = convertNative(readFileSync(path.replace('.expected.json', '')));
    for (const slice of slices) {
      const image = images.find(({ debugId }) => debugId === slice.debugId);
      assert.ok(image, `${path}: no image ${slice.debugId}`);
      const table = openTable(image.table);
      for (const { address, frames, symbolOnly = false } of slice.addresses) {
        const got = table.lookup(Number(address));
        const difference = disagreement(got, frames, symbolOnly);
        if (difference === null) agreed++;
        else differing.push(`${path} ${address}: ${difference}`);
      }
    }
  }
  const total = agreed + differing.length;
  console.log(`  ${agreed} of ${total} native addresses agree`);
  assert.ok(total >= 1000, 'the expectations are there');
  assert.ok(agreed / total >= BAR, differing.slice(0, 10).join('\n'));
});

shared('a bundle file that is no object is refused', () => {
  const path = join(FOLDER, 'ios_dsym/symbolic/crash.dSYM/Contents/Resources/DWARF/invalid');
  assert.throws(
    () => convertNative(readFileSync(path)),
    (error: Error) => error.name === 'SymbolFileError',
  );
});

shared('a stripped library is marked as such', () => {
  const path = join(FOLDER, 'android_ndk/bugsnag/arm64-v8a/libbugsnag-root-detection.so');
  const [image] = convertNative(readFileSync(path)).images;
  assert.is(image?.hasDebugInfo, false);
  assert.match(image?.debugId ?? '', /^[0-9a-f]{40}$/);
});

shared.run();
