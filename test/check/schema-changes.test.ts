import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { breakingChanges } from './schema-changes.js';

const changes = suite('changes of the schema');

const RELEASED = '# 1.4.0\ntype Query { a: String! b(c: Int): Int @deprecated }\n';

changes('that break clients need another version that may', async () => {
  const broken = 'type Query { a: String }';
  const faults = await breakingChanges(RELEASED, broken, '1.5.0');
  assert.is(faults.length, 2);
  assert.match(faults.join('\n'), /Query\.a.*changed type/);
  assert.equal(await breakingChanges(RELEASED, broken, '2.0.0'), []);
  const young = RELEASED.replace('1.4.0', '0.4.0');
  assert.is((await breakingChanges(young, broken, '0.4.9')).length, 2);
  assert.equal(await breakingChanges(young, broken, '0.5.0'), []);
});

changes('that add or deprecate are free', async () => {
  const grown = 'type Query { a: String! @deprecated b(c: Int, d: Int): Int @deprecated e: Int } enum New { one }';
  assert.equal(await breakingChanges(RELEASED, grown, '1.4.1'), []);
});

changes('cannot be judged without the version of the release', async () => {
  assert.is((await breakingChanges('type Query { a: Int }', 'type Query { a: Int }', '1.0.0')).length, 1);
});

changes.run();
