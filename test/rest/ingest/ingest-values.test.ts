import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storableText } from '../../../src/kernel/text.js';
import { buildWorld } from '../../support/factories/factories.js';
import { openTestApp } from '../../support/test-app.js';

const VALUES = 10_000;
const BATCHES = 4;

/** How a value comes back: PostgreSQL has no U+0000, no lone surrogates and no negative zero. */
function expected(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (value === 0) return 0;
  if (Array.isArray(value)) return value.map(expected);
  if (value === null || typeof value !== 'object') return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, inner] of Object.entries(value)) copy[storableText(key)] = expected(inner);
  return copy;
}

const x = suite('ingested values');

x('ten thousand random JSON values come back unchanged', async () => {
  const test = await openTestApp();
  try {
    const world = await buildWorld(test);
    const values = fc.sample(fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 }), VALUES);
    const size = VALUES / BATCHES;
    for (let from = 0; from < VALUES; from += size) {
      const operations = values.slice(from, from + size).map((value, i) => ({
        type: 'track',
        payload: { event_name: 'value', distinct_id: `v${from + i}`, properties: { value } },
      }));
      const answer = await world.live.post('/api/v1/batch', JSON.stringify({ operations }));
      assert.is(answer.status, 200, answer.text);
    }
    const { rows } = await test.app.pool.query<{ distinct_id: string; properties: { value: unknown } }>(
      'select distinct_id, properties from event where project_id = $1 order by id',
      [world.projectId],
    );
    assert.is(rows.length, VALUES);
    for (const [i, { distinct_id, properties }] of rows.entries()) {
      assert.is(distinct_id, `v${i}`);
      assert.equal(JSON.stringify(sorted(properties.value)), JSON.stringify(sorted(expected(values[i]))));
    }
  } finally {
    await test.close();
  }
});

/** jsonb orders the keys of objects in its own way. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value).toSorted()) copy[key] = sorted((value as Record<string, unknown>)[key]);
  return copy;
}

x.run();
