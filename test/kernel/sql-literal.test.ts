import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqlLiteral } from '../../src/kernel/database/sql-literal.js';
import { ownMilliseconds } from '../support/processor-time.js';
import { openTestApp } from '../support/test-app.js';

const x = suite('literals in SQL');

x('are read back unchanged, also through the ORM', async () => {
  const test = await openTestApp();
  try {
    const [row] = await test.app.orm.em.execute<{ setting: string }[]>('show standard_conforming_strings');
    assert.equal(row, { standard_conforming_strings: 'on' });
    const piece = fc.oneof(fc.constantFrom("'", '\\', '"', '$1', '?', '??', '\n', "\\'", '\u2028', 'é✓'), fc.string());
    const texts = fc.sample(
      fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
      { seed: 18, numRuns: 300 },
    );
    const storable = texts.filter((text) => !text.includes('\u0000'));
    const sql = `select array[${storable.map(sqlLiteral).join(', ')}]::text[] as texts`;
    const { rows } = await test.app.pool.query<{ texts: string[] }>(sql);
    assert.equal(rows[0]?.texts, storable);
    for (const text of storable) {
      assert.equal(await test.app.orm.em.execute('select ?::text as text', [text]), [{ text }]);
    }
  } finally {
    await test.close();
  }
});

x('a megabyte is written quickly', async () => {
  const text = `{"name":"it's a long\\name"}`.repeat(40_000);
  assert.ok((await ownMilliseconds(() => sqlLiteral(text))) < 100, 'character by character it takes longer');
  assert.is(sqlLiteral(text).length, text.length + 4 + 2 * 40_000);
});

x.run();
