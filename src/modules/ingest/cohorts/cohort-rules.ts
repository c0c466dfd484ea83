import { storableJson } from '../../../kernel/text.js';
import { completeRules, type RuleDraft } from '../../../targeting/rules/complete-rule.js';
import type { Rule } from '../../../targeting/rules/rule.js';
import { type Problem, ruleProblems } from '../../../targeting/rules/rule-problems.js';

/** Completes the rules of a cohort; they serve nothing, so none has a split. */
export function completeCohortRules(drafts: readonly RuleDraft[]): Rule[] {
  return completeRules(
    (storableJson(drafts) as RuleDraft[]).map((draft) => ({ ...draft, split: null })),
    [],
  );
}

/** Everything that is wrong with a cohort's rules. They can't refer to cohorts, so there are no cycles. */
export function cohortRuleProblems(rules: readonly Rule[]): Problem[] {
  const nested = rules.flatMap(({ conditions }, at) =>
    conditions.flatMap(({ attribute, operator }, index) =>
      attribute === 'cohort' || operator === 'cohort'
        ? [{ path: `rules[${at}].conditions[${index}]`, problem: 'must not refer to cohorts' }]
        : [],
    ),
  );
  return [...nested, ...ruleProblems(rules)];
}
