import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RULE_LIMITS, ruleProblems } from '../../src/targeting/rules/rule-problems.js';
import { accepted, decidingTime, refused } from './hostile-cases.js';

const x = suite('hostile rules');

x('are refused with their path, at once', () => {
  for (const [name, rules, path] of refused) {
    const began = process.cpuUsage().user;
    const problems = ruleProblems(rules);
    const spent = (process.cpuUsage().user - began) / 1_000;
    assert.is(problems[0]?.path, path, name);
    assert.is(problems.length, 1, name);
    assert.ok(spent < 250, `${name} took ${spent} ms`);
  }
});

x('that may be stored take about the same time to decide, whatever they are', () => {
  for (const [name, rules, text] of accepted) {
    assert.equal(ruleProblems(rules), [], name);
    const { outcome, milliseconds } = decidingTime(rules, text);
    assert.is(outcome, 0, `${name}: no rule may end the work early`);
    // A backtracking engine would take minutes here. `npm run hostile -- fuzz targeting` prints the actual milliseconds.
    assert.ok(milliseconds < 20, `${name} took ${milliseconds} ms`);
  }
});

x('limits can be used up to the maximum, but not beyond', () => {
  assert.equal(RULE_LIMITS, {
    rules: 100,
    conditions: 20,
    values: 10_000,
    textLength: 400,
    shares: 100,
    weight: 1_000_000,
    work: 5_000,
  });
});

x.run();
