import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { convertNative } from '../../src/symbols/native/convert-native.js';
import { sharedCorpus } from '../runner/shared-suite.js';
import { type AnsweredSlice, compareNative } from '../symbols/support/native-answers.js';

const FOLDER = join(sharedCorpus, 'fixtures/symbols');
const FOLDERS = ['android_ndk', 'flutter_symbols', 'ios_dsym'];
const BAR = 0.999;

const shared = suite('native symbol files of the corpus');

function expectedFiles(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(FOLDER, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.expected.json'))
      .map((name) => join(FOLDER, folder, name)),
  );
}

shared('every address agrees with llvm-symbolizer on inline depth, function, file, line and column', () => {
  let asked = 0;
  const differing: string[] = [];
  for (const path of expectedFiles()) {
    const { slices } = JSON.parse(readFileSync(path, 'utf8')) as { slices: AnsweredSlice[] };
    const comparison = compareNative(readFileSync(path.replace('.expected.json', '')), slices);
    asked += comparison.asked;
    for (const { address, what } of comparison.differing) differing.push(`${path} ${address}: ${what}`);
  }
  const agreed = asked - differing.length;
  console.log(`  ${agreed} of ${asked} native addresses agree`);
  assert.ok(asked >= 1000, 'the expected answers were loaded');
  assert.ok(agreed / asked >= BAR, differing.slice(0, 10).join('\n'));
});

shared('a file in a bundle that is not an object file is rejected', () => {
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
