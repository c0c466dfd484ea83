import { isLongerThan } from '../../../kernel/text.js';
import type { Rule } from '../../../targeting/rules/rule.js';
import { ruleProblems } from '../../../targeting/rules/rule-problems.js';
import { configFailure, type ValueField } from '../config.errors.js';
import { furtherRules, type ItemRule, wireRule } from './item-rule.js';

const LONGEST_COHORT = 200;

/** Fails with `bad_rule` and `bad_rules` if rules can't be stored, whatever their values. */
export function checkRules(rules: readonly ItemRule[]): void {
  const rule = wireRule(rules);
  if (rule && (rule.cohort.length < 1 || isLongerThan(rule.cohort, LONGEST_COHORT))) throw configFailure('bad_rule');
  const problems = ruleProblems(rules as readonly Rule[]);
  if (problems.length > 0) throw configFailure('bad_rules', { problems });
}

/** Every value in the rules, with its place in the input. */
export function ruleValues(rules: readonly ItemRule[]): { field: ValueField; value: string }[] {
  const [only] = rules;
  if (only && rules.length === 1 && furtherRules(rules) === null) return [{ field: 'rule.value', value: only.value }];
  return rules.flatMap(({ value, split }, at): { field: ValueField; value: string }[] =>
    split
      ? split.map((share, index) => ({ field: `rules[${at}].split[${index}].value`, value: share.value }))
      : [{ field: `rules[${at}].value`, value }],
  );
}
