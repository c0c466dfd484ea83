import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Condition } from '../../src/targeting/condition.js';
import { compileRules, decideRules } from '../../src/targeting/rules/compile-rules.js';
import type { Rule } from '../../src/targeting/rules/rule.js';
import { RULE_LIMITS, ruleProblems } from '../../src/targeting/rules/rule-problems.js';
import { Subject } from '../../src/targeting/subject.js';

const x = suite('hostile rules');

const MEGABYTE = 'a'.repeat(1_000_000);
const rule = (...conditions: Condition[]): Rule => ({ conditions, percentage: 100 });
const onText = (operator: Condition['operator'], values: Condition['values']): Condition => ({
  attribute: 'props.text',
  operator,
  values,
});
const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));

/** The quickest of a few runs in milliseconds of CPU, which a busy neighbour does not lengthen. */
function quickest(run: () => void): number {
  run();
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 15; round += 1) {
    const began = process.cpuUsage();
    for (let repeat = 0; repeat < 4; repeat += 1) run();
    const { user, system } = process.cpuUsage(began);
    least = Math.min(least, (user + system) / 4_000);
  }
  return least;
}

const refused: [string, Rule[], string][] = [
  ['10,000 conditions', [rule(...times(10_000, () => onText('in', ['a'])))], 'rules[0].conditions'],
  ['10,000 rules', times(10_000, () => rule(onText('in', ['a']))), 'rules'],
  ['a value of 1 MB', [rule(onText('contains', [MEGABYTE]))], 'rules[0].conditions[0].values[0]'],
  ['a pattern of 1 MB', [rule(onText('matches', [MEGABYTE]))], 'rules[0].conditions[0].values[0]'],
  ['a range of 1 MB', [rule(onText('semver', [`>=1 ${MEGABYTE}`]))], 'rules[0].conditions[0].values[0]'],
  [
    'an attribute of 1 MB',
    [rule({ attribute: `props.${MEGABYTE}`, operator: 'in', values: ['a'] })],
    'rules[0].conditions[0].attribute',
  ],
  ['a salt of 1 MB', [{ ...rule(), salt: MEGABYTE }], 'rules[0].salt'],
  ['a bucketing attribute of 1 MB', [{ ...rule(), bucketBy: `props.${MEGABYTE}` }], 'rules[0].bucketBy'],
  ['10,001 values', [rule(onText('in', times(10_001, String)))], 'rules[0].conditions[0].values'],
  ['101 texts to search for', [rule(onText('contains', times(101, String)))], 'rules[0].conditions[0].values'],
  ['a pattern that backtracks', [rule(onText('matches', ['(a+)+\\1']))], 'rules[0].conditions[0].values[0]'],
  ['a pattern that unfolds', [rule(onText('matches', ['((a{50}){50}){50}']))], 'rules[0].conditions[0].values[0]'],
  ['1,000 shares', [{ ...rule(), split: times(1_000, (at) => ({ value: `${at}`, weight: 1 })) }], 'rules[0].split'],
  ['many searches together', times(100, () => rule(onText('contains', times(100, String)))), 'rules'],
  ['many patterns together', times(50, () => rule(onText('matches', ['[ab]*a[ab]{60}']))), 'rules'],
];

x('are refused with their place, at once', () => {
  for (const [name, rules, path] of refused) {
    const began = process.cpuUsage().user;
    const problems = ruleProblems(rules);
    const spent = (process.cpuUsage().user - began) / 1_000;
    assert.is(problems[0]?.path, path, name);
    assert.is(problems.length, 1, name);
    assert.ok(spent < 250, `${name} took ${spent} ms`);
  }
});

const longest = (filling: string) => filling.repeat(1_024 / filling.length);
const accepted: [string, Rule[], unknown][] = [
  ['a text of 1 MB', [rule(onText('contains', ['b']), onText('in', ['a']))], MEGABYTE],
  ['a list of 100,000', [rule(onText('contains', ['b']))], times(100_000, String)],
  [
    'as many searches as may be',
    times(5, () =>
      rule(
        onText(
          'contains',
          times(25, (at) => `${'a'.repeat(50)}${at}`),
        ),
      ),
    ),
    longest('a'),
  ],
  ['the hardest patterns', times(9, () => rule(onText('matches', ['[ab]*a[ab]{70}c']))), longest('ab')],
  ['a pattern of options', [rule(onText('matches', ['^(?:a?b?){20}c$']))], longest('ab')],
  [
    'as many rules as may be',
    times(100, () => ({ ...rule(...times(20, () => onText('in', ['a']))), percentage: 0 })),
    'a',
  ],
  ['10,000 values', [rule(onText('in', times(10_000, String)))], 'a'],
  [
    'as many ranges as may be',
    times(10, () =>
      rule(
        onText(
          'semver',
          times(100, (at) => `>=9.${at} <10 || ^8.${at}`),
        ),
      ),
    ),
    '1.2.3-a.b.c',
  ],
  ['100 rollouts by 100 salts', times(100, (at) => ({ ...rule(), percentage: 0.001, salt: `s${at}` })), 'a'],
];

x('that may be stored are decided within the same order of time, whatever they are', () => {
  for (const [name, rules, text] of accepted) {
    assert.equal(ruleProblems(rules), [], name);
    const compiled = compileRules(rules, 'flag');
    const properties = new Map([['text', text]]);
    let outcome = 0;
    const spent = quickest(() => {
      outcome = decideRules(compiled, new Subject({ distinctId: 'user-1', properties }));
    });
    assert.is(outcome, 0, `${name}: no rule may end the work early`);
    // A backtracking engine would take minutes here; how few milliseconds it is, is measured elsewhere.
    assert.ok(spent < 20, `${name} took ${spent} ms`);
  }
});

x('limits are what a caller may use up, not more', () => {
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
