import type { Condition } from '../../targeting/condition.js';
import { redactEmailsIn } from '../values/email-redaction.js';

interface Conditional {
  readonly conditions: readonly Condition[];
}

/**
 * Rules for callers below Editor: email addresses are hidden in the values that conditions compare with and in those
 * they have seen. What rules serve is unchanged. Returns the same object when there is nothing to hide.
 */
export function rulesWithoutEmails<R extends Conditional>(rules: readonly R[]): readonly R[] {
  const shown = rules.map((rule) => {
    const conditions = redactEmailsIn(rule.conditions);
    return conditions === rule.conditions ? rule : { ...rule, conditions };
  });
  return shown.every((rule, at) => rule === rules[at]) ? rules : shown;
}

/** An object whose rules are replaced with {@link rulesWithoutEmails}. */
export function withoutEmailsInRules<T extends { readonly rules?: readonly Conditional[] } | null>(holder: T): T {
  if (!holder?.rules) return holder;
  const rules = rulesWithoutEmails(holder.rules);
  return rules === holder.rules ? holder : { ...holder, rules };
}
