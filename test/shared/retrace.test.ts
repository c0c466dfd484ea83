import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openMapping } from '../../src/symbols/retrace/mapping.js';
import { buildMappingIndex } from '../../src/symbols/retrace/mapping-index.js';
import { NO_CONTEXT, retraceFrame } from '../../src/symbols/retrace/retrace-frame.js';
import { retraceText } from '../../src/symbols/retrace/retrace-text.js';
import { sharedCorpus } from '../runner/shared-suite.js';

const FOLDER = join(sharedCorpus, 'fixtures/symbols/android_mapping');

interface R8Case {
  name: string;
  mapping: string;
  obfuscated: string[];
  retraced: string[];
  retracedVerbose: string[];
}

interface FrameCase {
  origin: string;
  mappingFile: string;
  class: string;
  method: string;
  line: number;
  expected: { class: string; method: string; line: number; file: string; synthesized: boolean }[];
}

const mappingOf = (text: string | Buffer) => openMapping(buildMappingIndex(Buffer.from(text)).table);

const x = suite('retrace of the corpus');

const cases = JSON.parse(readFileSync(`${FOLDER}/r8-retrace-cases.json`, 'utf8')) as R8Case[];
for (const one of cases) {
  x(`R8's reference case ${one.name}`, () => {
    const mapping = mappingOf(one.mapping.includes('->') ? one.mapping : 'none -> none:');
    assert.is(retraceText(mapping, one.obfuscated.join('\n')), one.retraced.join('\n'));
    assert.is(retraceText(mapping, one.obfuscated.join('\n'), true), one.retracedVerbose.join('\n'));
  });
}

const sentry = JSON.parse(readFileSync(`${FOLDER}/rust-proguard-cases.json`, 'utf8')) as { frames: FrameCase[] };
for (const [index, one] of sentry.frames.entries()) {
  x(`frame ${index} of ${one.origin}`, () => {
    const mapping = mappingOf(readFileSync(`${FOLDER}/${one.mappingFile}`));
    const obfuscated = { className: one.class, method: one.method, sourceFile: '', line: one.line };
    const result = retraceFrame(mapping, obfuscated, NO_CONTEXT);
    const expected = one.expected.filter((frame) => !frame.synthesized);
    const frames = result?.alternatives[0]?.frames ?? [];
    assert.equal(
      frames.map((frame) => [frame.className, frame.method]),
      expected.map((frame) => [frame.class, frame.method]),
    );
  });
}

x('agrees with another retracer on 150 random frames of a real mapping', () => {
  const mapping = mappingOf(readFileSync(`${FOLDER}/rust-proguard/mapping-r8.txt`));
  const file = JSON.parse(readFileSync(`${FOLDER}/rust-proguard/mapping-r8.txt.retrace-proguard622.json`, 'utf8')) as {
    cases: { obfuscated: string; retraced: string[] }[];
  };
  // The other tool also lists overloads without lines; ours must be among its answers, and nearly always the only one.
  const short = (line: string) => line.replace(/^\s*(?:<OR> )?at (.*)\(.*?(?::(\d+))?\)$/, '$1 $2');
  let agree = 0;
  for (const { obfuscated, retraced } of file.cases) {
    const ours = new Set(retraceText(mapping, obfuscated).split('\n').map(short));
    const theirs = new Set(retraced.map(short));
    assert.ok(
      [...ours].every((line) => theirs.has(line)),
      obfuscated,
    );
    if (ours.size === theirs.size) agree += 1;
  }
  assert.is(file.cases.length, 150);
  assert.ok(agree >= 133, `${agree} agree`);
});

x.run();
