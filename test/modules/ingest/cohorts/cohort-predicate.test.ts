import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseCohortPredicate } from '../../../../src/modules/ingest/cohorts/cohort-predicate.js';
import { satisfies } from '../../../../src/targeting/cohorts/property-predicate.js';

const holds = (text: string, properties: Record<string, unknown>): boolean => {
  const parsed = parseCohortPredicate(text);
  if ('problem' in parsed) throw new Error(`${parsed.problem.position}: ${parsed.problem.expected}`);
  return satisfies(parsed.predicate, new Map(Object.entries(properties)));
};

const x = suite('cohort predicate');

x('compares a property with a text, whatever its scalar type', () => {
  assert.ok(holds('props.plan = "pro"', { plan: 'pro' }));
  assert.ok(holds('props.age="30"', { age: 30 }));
  assert.ok(holds(' props.beta = "true" ', { beta: true }));
  assert.not(holds('props.plan = "pro"', { plan: 'Pro' }));
  assert.not(holds('props.toString = "x"', {}));
  assert.not(holds('props.list = "1"', { list: [1] }));
  assert.ok(holds('props.__proto__ = "x"', JSON.parse('{"__proto__":"x"}')));
});

x('nests AND and OR, and unescapes quotes and backslashes', () => {
  const text = 'OR(AND(props.a = "1", props.b = "2"), props.c = "say \\"hi\\" \\\\")';
  assert.ok(holds(text, { a: '1', b: '2' }));
  assert.not(holds(text, { a: '1' }));
  assert.ok(holds(text, { c: 'say "hi" \\' }));
});

x('says where an invalid one goes wrong', () => {
  const positions: [string, number][] = [
    ['', 0],
    ['plan = "pro"', 0],
    ['props.plan = pro', 13],
    ['props.plan = "pro', 13],
    ['AND(props.a = "1")', 17],
    ['AND(props.a = "1", )', 19],
    ['props.a = "1" x', 14],
    ['props.a = "\\n"', 10],
    ['OR('.repeat(100), 63],
  ];
  for (const [text, position] of positions) {
    const parsed = parseCohortPredicate(text);
    assert.ok('problem' in parsed, text);
    assert.is('problem' in parsed && parsed.problem.position, position, text);
  }
});

x.run();
