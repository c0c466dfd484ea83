import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileCondition } from '../../src/targeting/compile-condition.js';
import { typeTable } from './type-table.js';
import { storedVectors, vectorFiles } from './vectors.js';
import { readSubject } from './written-subject.js';

const x = suite('docs/vectors and docs/targeting.md');

x('are what the evaluator answers (npm run schema writes them)', () => {
  assert.equal([...storedVectors().keys()].sort(), [...vectorFiles().keys()].sort());
  for (const [name, text] of vectorFiles()) assert.fixture(storedVectors().get(name) ?? '', text, name);
});

x('can be run from the files alone', () => {
  const cases = JSON.parse(storedVectors().get('conditions.json') ?? '[]');
  for (const { condition, subject, holds } of cases) {
    assert.is(compileCondition(condition).holds(readSubject(subject)), holds, JSON.stringify(condition));
  }
  assert.ok(cases.length > 200);
});

x('the table of types matches the evaluator', () => {
  const page = readFileSync('docs/targeting.md', 'utf8');
  assert.ok(page.includes(typeTable()), `docs/targeting.md must hold this table:\n${typeTable()}`);
});

x.run();
