import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { attributeKindOf, attributeKinds } from '../../src/targeting/attributes.js';
import { compileCondition } from '../../src/targeting/compile-condition.js';
import { type Condition, OPERATOR_NAMES } from '../../src/targeting/condition.js';
import { ruleProblems } from '../../src/targeting/rules/rule-problems.js';
import { operatorExamples } from './operator-examples.js';
import { readSubject } from './written-subject.js';

const x = suite('operators');

const paths = (condition: Condition) =>
  ruleProblems([{ conditions: [condition], percentage: 100 }]).map(({ path }) =>
    path.replace(/^rules\[0\].conditions\[0\]\./, ''),
  );

for (const operator of OPERATOR_NAMES) {
  const { good, bad, asked } = operatorExamples[operator];

  x(`${operator} accepts its good values and refuses its bad ones by path`, () => {
    assert.ok(good.length > 0 && bad.length > 0);
    for (const [attribute, values] of good) {
      assert.equal(paths({ attribute, operator, values }), [], `${attribute} ${JSON.stringify(values)}`);
    }
    for (const [attribute, values, path] of bad) {
      assert.equal(paths({ attribute, operator, values }), [path], `${attribute} ${JSON.stringify(values)}`);
    }
  });

  x(`${operator} holds, fails and stays undecided as specified`, () => {
    assert.ok(asked.some(([, , answer]) => answer === 'holds'));
    assert.ok(asked.some(([, , answer]) => answer === 'its negation holds'));
    for (const [condition, subject, answer] of asked) {
      const [plain, negated] = [false, true].map((negate) =>
        compileCondition({ ...condition, operator, negate }).holds(readSubject(subject)),
      );
      const name = `${JSON.stringify(condition)} of ${JSON.stringify(subject)}`;
      assert.equal([plain, negated], [answer === 'holds', answer === 'its negation holds'], name);
    }
  });
}

x('are listed for every attribute in docs/targeting.md', () => {
  const page = readFileSync('docs/targeting.md', 'utf8');
  for (const { name } of attributeKinds) assert.ok(page.includes(`\`${name}\``), name);
  for (const name of OPERATOR_NAMES) assert.ok(page.includes(`\`${name}\``), name);
});

x('are listed per attribute, and an attribute without an operator must have had a meaning', () => {
  assert.equal(attributeKindOf('props.'), null);
  assert.equal(attributeKindOf('props.a.b')?.name, 'props.<key>');
  assert.equal(paths({ attribute: 'os_version', values: ['1'] }), ['operator']);
  assert.equal(paths({ attribute: 'distinct_id', values: [5] }), ['values[0]']);
  assert.equal(paths({ attribute: 'props.plan', values: [''] }), []);
  assert.equal(paths({ attribute: 'cohort', values: [''] }), ['values[0]']);
});

x('a condition without an operator means what it always did', () => {
  const plain = (attribute: string, values: string[], subject: Parameters<typeof readSubject>[0]) =>
    compileCondition({ attribute, values }).holds(readSubject(subject));
  assert.is(plain('props.age', ['42'], { properties: { age: 42 } }), true);
  assert.is(plain('props.paid', ['true'], { properties: { paid: true } }), true);
  assert.is(plain('props.tags', ['a'], { properties: { tags: ['a'] } }), false);
  assert.is(plain('props.a.b', ['x'], { properties: { a: { b: 'x' } } }), false);
  assert.is(plain('props.a.b', ['x'], { properties: { 'a.b': 'x' } }), true);
  assert.is(plain('app_version', ['>=2.1 <3'], { app_version: '2.5' }), true);
  assert.is(plain('platform', ['iOS'], { platform: 'IOS' }), true);
  assert.is(plain('weather', ['sunny'], {}), false);
});

x.run();
