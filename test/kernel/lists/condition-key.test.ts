import { raw } from '@mikro-orm/postgresql';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { conditionKey } from '../../../src/kernel/lists/condition-key.js';

const keys = suite('keys of conditions');

const DIFFERENT: Record<string, unknown> = {
  nothing: {},
  'a value': { a: 1 },
  'its text': { a: '1' },
  'the name of no value': { a: null },
  'another property': { b: 1 },
  'a list': { a: [1] },
  'a longer list': { a: [1, 1] },
  'lists in lists': { a: [[1], 1] },
  'an operator': { a: { $gte: 1 } },
  'an instant': { a: new Date(0) },
  'another instant': { a: new Date(1) },
  'the text of an instant': { a: new Date(0).toISOString() },
  'raw SQL': { [raw('r.id in (select ?)', ['x'])]: [] },
  'raw SQL with another parameter': { [raw('r.id in (select ?)', ['y'])]: [] },
  'other raw SQL': { [raw('r.id not in (select ?)', ['x'])]: [] },
  'a raw value': { a: raw('lower(?)', ['x']) },
  'another raw value': { a: raw('lower(?)', ['y']) },
  'raw SQL below': { $and: [{ [raw('true', [])]: [] }] },
  'its text as a value': { $and: [{ "raw('true')": [] }] },
};

keys('differ for conditions that select different rows', () => {
  const found = new Map<string, string>();
  for (const [name, condition] of Object.entries(DIFFERENT)) {
    const key = conditionKey(condition);
    assert.is(found.get(key), undefined, `${name} as ${found.get(key)}`);
    found.set(key, name);
  }
});

keys('are equal for conditions that select the same rows, even if created at different times', () => {
  const condition = () => ({ a: new Date(5), $or: [{ [raw('f(?)', [1])]: [] }, { b: { $in: ['x'] } }] });
  assert.is(conditionKey(condition()), conditionKey(condition()));
  assert.is(conditionKey({ a: 1, b: undefined }), conditionKey({ a: 1 }));
});

keys.run();
