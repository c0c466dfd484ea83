import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openMapping } from '../../src/symbols/retrace/mapping.js';
import { buildMappingIndex } from '../../src/symbols/retrace/mapping-index.js';
import { retraceText } from '../../src/symbols/retrace/retrace-text.js';

const mappingOf = (text: string) => openMapping(buildMappingIndex(Buffer.from(text)).table);

const x = suite('retrace');

x('finds inlined frames, overloads, outlines and compiler-generated code', () => {
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
    '  at shop.Price.parse(Price.kt:11)',
    '  at shop.Cart.add(Cart.kt:30)',
  ]);
  assert.equal(trace('  at a.b(SourceFile)'), ['  at shop.Cart.clear(Cart.kt)']);
  assert.equal(trace('  at l.r(SourceFile:1)\n  at a.b(SourceFile)'), ['  at shop.Cart.clear(Cart.kt)']);
  assert.equal(trace('  at o.o(:2)\n  at a.c(:9)'), ['  at shop.Cart.outlined(Cart.kt:50)']);
  assert.equal(trace('  at unknown.Thing.x(A.java:3)'), ['  at unknown.Thing.x(A.java:3)']);
});

x('reads mappings with other line endings, header ids and classes that share a hash', () => {
  const converted = buildMappingIndex(Buffer.from('# pg_map_id: abc123\r\nx.Y -> a:\r\n    1:1:void z():5:5 -> b\r\n'));
  assert.is(converted.mapId, 'abc123');
  assert.is(retraceText(openMapping(converted.table), 'at a.b(S:1)'), 'at x.Y.z(Y.java:5)');
});

x('accepts the mapping of a build that renames nothing', () => {
  for (const text of [
    '',
    '\n',
    '# compiler: R8\n# pg_map_id: abc123\r\n\n# {"id":"com.android.tools.r8.mapping","version":"2.2"}',
  ]) {
    const { table, mapId, classes } = buildMappingIndex(Buffer.from(text));
    assert.equal([classes, mapId], [0, text.includes('abc123') ? 'abc123' : null]);
    assert.is(retraceText(openMapping(table), '  at shop.Cart.add(Cart.kt:7)'), '  at shop.Cart.add(Cart.kt:7)');
  }
});

x('rejects files that are not mappings', () => {
  for (const text of ['hello\nworld', '{"version":3}', '\u0000\u0001->:']) {
    assert.throws(() => buildMappingIndex(Buffer.from(text)), /not_a_mapping/);
  }
});

x.run();
