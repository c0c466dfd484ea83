import { existsSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openMapping } from '../../src/symbols/retrace/mapping.js';
import { buildMappingIndex } from '../../src/symbols/retrace/mapping-index.js';
import { NO_CONTEXT, retraceFrame } from '../../src/symbols/retrace/retrace-frame.js';
import { retraceText } from '../../src/symbols/retrace/retrace-text.js';

const SHARED = '../shared/fixtures/symbols/android_mapping';

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

const x = suite('retrace');

if (existsSync(SHARED)) {
  const cases = JSON.parse(readFileSync(`${SHARED}/r8-retrace-cases.json`, 'utf8')) as R8Case[];
  for (const one of cases) {
    x(`R8's reference case ${one.name}`, () => {
      const mapping = mappingOf(one.mapping.includes('->') ? one.mapping : 'none -> none:');
      assert.is(retraceText(mapping, one.obfuscated.join('\n')), one.retraced.join('\n'));
      assert.is(retraceText(mapping, one.obfuscated.join('\n'), true), one.retracedVerbose.join('\n'));
    });
  }

  const sentry = JSON.parse(readFileSync(`${SHARED}/rust-proguard-cases.json`, 'utf8')) as { frames: FrameCase[] };
  for (const [index, one] of sentry.frames.entries()) {
    x(`frame ${index} of ${one.origin}`, () => {
      const mapping = mappingOf(readFileSync(`${SHARED}/${one.mappingFile}`));
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
    const mapping = mappingOf(readFileSync(`${SHARED}/rust-proguard/mapping-r8.txt`));
    const file = JSON.parse(
      readFileSync(`${SHARED}/rust-proguard/mapping-r8.txt.retrace-proguard622.json`, 'utf8'),
    ) as { cases: { obfuscated: string; retraced: string[] }[] };
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
}

x('finds inlined frames, overloads, outlines and what the compiler made', () => {
  const mapping = mappingOf(`# {'id':'com.android.tools.r8.mapping','version':'2.2'}
shop.Cart -> a:
# {"id":"sourceFile","fileName":"Cart.kt"}
    1:4:void shop.Price.parse(java.lang.String):10:13 -> a
    1:4:void add(int):30 -> a
    void clear() -> b
    void clear(int) -> b
    7:7:void outlined(int):50:50 -> c
    9:9:void outlined(int):0:0 -> c
    # {'id':'com.android.tools.r8.outlineCallsite','positions':{'2':7}}
shop.Lambda$1 -> l:
    void run() -> r
    # {'id':'com.android.tools.r8.synthesized'}
shop.Outline -> o:
    1:2:void outline():0 -> o
    # {'id':'com.android.tools.r8.outline'}
`);
  const trace = (line: string) => retraceText(mapping, line).split('\n');
  assert.equal(trace('  at a.a(SourceFile:2)'), [
    '  at shop.Price.parse(Price.java:11)',
    '  at shop.Cart.add(Cart.kt:30)',
  ]);
  assert.equal(trace('  at a.b(SourceFile)'), ['  at shop.Cart.clear(Cart.kt)']);
  assert.equal(trace('  at l.r(SourceFile:1)\n  at a.b(SourceFile)'), ['  at shop.Cart.clear(Cart.kt)']);
  assert.equal(trace('  at o.o(:2)\n  at a.c(:9)'), ['  at shop.Cart.outlined(Cart.kt:50)']);
  assert.equal(trace('  at unknown.Thing.x(A.java:3)'), ['  at unknown.Thing.x(A.java:3)']);
});

x('reads mappings with other line ends, header ids and classes that share a hash', () => {
  const converted = buildMappingIndex(Buffer.from('# pg_map_id: abc123\r\nx.Y -> a:\r\n    1:1:void z():5:5 -> b\r\n'));
  assert.is(converted.mapId, 'abc123');
  assert.is(retraceText(openMapping(converted.table), 'at a.b(S:1)'), 'at x.Y.z(Y.java:5)');
});

x('refuses what is no mapping', () => {
  for (const text of ['', 'hello\nworld', '{"version":3}', '\u0000\u0001->:']) {
    assert.throws(() => buildMappingIndex(Buffer.from(text)), /not_a_mapping/);
  }
});

x.run();
