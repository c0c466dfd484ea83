import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { symbolicate } from '../../src/symbols/symbolication/symbolicate.js';
import { sharedCorpus } from '../runner/shared-suite.js';
import { crash } from '../symbols/support/crash-input.js';
import { type AnsweredTrace, compareDartTraces } from '../symbols/support/dart-answers.js';
import { NO_SYMBOLS } from '../symbols/support/no-symbols.js';

const FOLDER = join(sharedCorpus, 'fixtures/symbols/flutter_symbols');

const x = suite('Dart traces of the corpus');

for (const arch of ['android-arm', 'android-arm64', 'ios-arm64']) {
  x(`Dart traces of ${arch}`, async () => {
    const path = join(FOLDER, `datadog/app.${arch}.symbols`);
    const { traces } = JSON.parse(readFileSync(`${path}.traces.json`, 'utf8')) as { traces: AnsweredTrace[] };
    assert.ok((await compareDartTraces(path, traces)) > 0);
  });
}

x('a Dart trace whose lines have a crash reporter’s prefixes', async () => {
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
  const source = { ...NO_SYMBOLS, flutter: async () => ({ table, dartSections: { isolate: 0x1000n, vm: null } }) };
  const result = await symbolicate(crash({ rawStacktrace: trace }), source);
  assert.equal(asked, [0x14e87f + 0x1000, 0x2a4e27 + 0x1000, 0x4ee12b + 0x1000, 0x477fc7 + 0x1000]);
  assert.equal(new Set(result.frames.map((one) => one.status)), new Set(['missing_symbol']));
});

x.run();
