import type { Condition } from '../condition.js';
import type { Rule } from '../rules/rule.js';

/** The names of the cohorts that rules use; null when a rule searches within names, so that any cohort may match. */
export function cohortsInRules(rules: readonly Pick<Rule, 'conditions'>[]): ReadonlySet<string> | null {
  const names = new Set<string>();
  for (const condition of rules.flatMap(({ conditions }) => conditions)) {
    if (!asksForCohorts(condition)) continue;
    if (!namesThem(condition)) return null;
    for (const name of condition.values) names.add(String(name));
  }
  return names;
}

const asksForCohorts = ({ attribute, operator }: Condition): boolean => attribute === 'cohort' || operator === 'cohort';

const namesThem = ({ operator }: Condition): boolean => operator == null || operator === 'in' || operator === 'cohort';
