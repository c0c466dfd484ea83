import { storableJson } from '../../../kernel/text.js';
import { completeRules, type RuleDraft } from '../../../targeting/rules/complete-rule.js';
import type { Rule } from '../../../targeting/rules/rule.js';
import { type Problem, ruleProblems } from '../../../targeting/rules/rule-problems.js';

/** Completes rules that say who is in a cohort; they give nothing, so none has a split. */
export function completeCohortRules(drafts: readonly RuleDraft[]): Rule[] {
  return completeRules(
    (storableJson(drafts) as RuleDraft[]).map((draft) => ({ ...draft, split: null })),
    [],
  );
}

/** Everything that is wrong with the rules of a cohort. They cannot ask for cohorts: so there are no circles. */
export function cohortRuleProblems(rules: readonly Rule[]): Problem[] {
  const nested = rules.flatMap(({ conditions }, at) =>
    conditions.flatMap(({ attribute, operator }, index) =>
      attribute === 'cohort' || operator === 'cohort'
        ? [{ path: `rules[${at}].conditions[${index}]`, problem: 'must not ask for cohorts' }]
        : [],
    ),
  );
  return [...nested, ...ruleProblems(rules)];
}
