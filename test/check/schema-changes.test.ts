import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { schemaFaults } from './schema-changes.js';

const changes = suite('changes of the schema');

const RELEASED = '# 1.4.0\ntype Query { a: String! b(c: Int): Int @deprecated }\n';
const BROKEN = 'type Query { a: String }';
const NULLABLE = "Field 'Query.a' changed type from 'String!' to 'String'";
const REMOVED = "Field 'b' (deprecated) was removed from object type 'Query'";

const page = (reason: string, ...items: string[]): string =>
  `# Changes\n\nWhat breaks.\n\n## One\n\n${reason}\n\n${items.map((item) => `- ${item}\n`).join('')}`;

const faults = (current: string, version: string, meant = '', released = RELEASED) =>
  schemaFaults({ released, current, version, meant });

changes('that break clients must be declared with a reason', async () => {
  const found = await faults(BROKEN, '2.0.0');
  assert.is(found.length, 2);
  assert.match(found.join('\n'), NULLABLE);
  assert.match(found.join('\n'), REMOVED);
  assert.equal(await faults(BROKEN, '2.0.0', page('They fail alone.', NULLABLE, REMOVED)), []);
  assert.is((await faults(BROKEN, '2.0.0', page('They fail alone.', NULLABLE))).length, 1);
  assert.is((await faults(BROKEN, '2.0.0', page('', NULLABLE, REMOVED))).length, 2);
});

changes('that break clients need a version that allows them', async () => {
  const meant = page('They fail alone.', NULLABLE, REMOVED);
  assert.is((await faults(BROKEN, '1.5.0', meant)).length, 2);
  const young = RELEASED.replace('1.4.0', '0.4.0');
  assert.is((await faults(BROKEN, '0.4.9', meant, young)).length, 2);
  assert.equal(await faults(BROKEN, '0.5.0', meant, young), []);
});

changes('that are declared must have been made', async () => {
  const current = 'type Query { a: String b(c: Int): Int @deprecated }';
  const found = await faults(current, '2.0.0', page('They fail alone.', NULLABLE, REMOVED));
  assert.is(found.length, 1);
  assert.ok(found[0]?.startsWith(REMOVED));
});

changes('that only add or deprecate need no declaration', async () => {
  const grown = 'type Query { a: String! @deprecated b(c: Int, d: Int): Int @deprecated e: Int } enum New { one }';
  assert.equal(await faults(grown, '1.4.1'), []);
});

changes('cannot be judged without the released version', async () => {
  assert.is((await faults('type Query { a: Int }', '1.0.0', '', 'type Query { a: Int }')).length, 1);
});

changes.run();
