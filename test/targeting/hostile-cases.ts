import type { Condition, OperatorName } from '../../src/targeting/condition.js';
import { compileRules, decideRules } from '../../src/targeting/rules/compile-rules.js';
import type { Rule } from '../../src/targeting/rules/rule.js';
import { Subject } from '../../src/targeting/subject.js';

const MEGABYTE = 'a'.repeat(1_000_000);
const rule = (...conditions: Condition[]): Rule => ({ conditions, percentage: 100 });
const onText = (operator: Condition['operator'], values: Condition['values']): Condition => ({
  attribute: 'props.text',
  operator,
  values,
});
const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));

/** Lists of rules that may not be stored, with the path of the error. */
export const refused: [string, Rule[], string][] = [
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

/** Rules full of different conditions, all of which have to be tried: each holds, and the percentage covers nobody. */
const full = (rules: number, conditions: number, operator: OperatorName, valuesOf: (at: number) => string[]): Rule[] =>
  times(rules, (at) => ({
    conditions: times(conditions, (other) => ({
      ...onText(operator, valuesOf(at * conditions + other)),
      negate: true,
    })),
    percentage: 0,
  }));
const longest = (filling: string) => filling.repeat(1_024 / filling.length);
const searches = full(5, 1, 'contains', (at) => times(25, (other) => `${'a'.repeat(50)}${at}.${other}`));
const patterns = full(9, 1, 'matches', (at) => [`[ab]*a[ab]{70}${at}`]);
const ranges = full(3, 1, 'semver', (at) => times(100, (other) => `>=${9 + at}.${other} <100 || ^8.${at}.${other}`));
const instants = full(25, 20, 'before', (at) => [`-${at + 1}d`]);
const lists = full(100, 20, 'in', (at) => times(5, (other) => `b${at}.${other}`));

/** Lists of rules that may be stored, with the hardest value they may be given: the property `text`. */
export const accepted: [string, Rule[], unknown][] = [
  ['a text of 1 MB', [rule(onText('contains', ['b']), onText('in', ['a']))], MEGABYTE],
  ['a list of 100,000', [rule(onText('contains', ['b']))], times(100_000, String)],
  ['a list of 1,000 that is not searched', searches, times(1_000, String)],
  ['as many searches as may be', searches, longest('a')],
  ['as many searches of a list', searches, times(32, () => 'a'.repeat(32))],
  ['the hardest patterns', patterns, longest('ab')],
  ['the hardest patterns, a list', patterns, times(32, () => 'ab'.repeat(16))],
  ['a pattern of options', [rule(onText('matches', ['^(?:a?b?){20}c$']))], longest('ab')],
  ['as many ranges as may be', ranges, '1.2.3-a.b.c'],
  ['as many ranges as may be, a list', ranges, times(32, (at) => `1.${at}`)],
  ['as many instants as may be', instants, '2026-11-22T12:00:00+01:00'],
  ['as many instants as may be, a list', instants, times(32, () => '2026-11-22T12:00:00.123456789Z')],
  ['as many conditions as may be', lists, 'a'],
  ['as many conditions as may be, a list', lists, times(1_000, String)],
  ['10,000 values', [rule(onText('in', times(10_000, String)))], 'a'],
  ['10,000 values, a list', [rule(onText('in', times(10_000, String)))], times(1_000, (at) => `a${at}`)],
  ['100 rollouts by 100 salts', times(100, (at) => ({ ...rule(), percentage: 0.001, salt: `s${at}` })), 'a'],
];

/** Decides rules for a text or another value, and returns the CPU milliseconds of the fastest of a few runs. */
export function decidingTime(rules: readonly Rule[], text: unknown): { outcome: number; milliseconds: number } {
  const compiled = compileRules(rules, 'flag');
  const properties = new Map([['text', text]]);
  let outcome = 0;
  const milliseconds = quickest(() => {
    outcome = decideRules(compiled, new Subject({ distinctId: 'user-1', properties }));
  });
  return { outcome, milliseconds };
}

/** The fastest of a few runs in CPU milliseconds, which a busy neighbor does not lengthen. */
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
