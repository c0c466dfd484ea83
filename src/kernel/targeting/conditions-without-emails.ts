import type { Condition } from '../../targeting/condition.js';
import { redactEmailsIn } from '../values/email-redaction.js';

interface Conditional {
  readonly conditions: readonly Condition[];
}

/**
 * Rules for callers below Editor: neither what their conditions compare with nor what these have seen shows an e-mail address. What
 * rules serve stays. The very same where there is none.
 */
export function rulesWithoutEmails<R extends Conditional>(rules: readonly R[]): readonly R[] {
  const shown = rules.map((rule) => {
    const conditions = redactEmailsIn(rule.conditions);
    return conditions === rule.conditions ? rule : { ...rule, conditions };
  });
  return shown.every((rule, at) => rule === rules[at]) ? rules : shown;
}

/** What has rules, with {@link rulesWithoutEmails}. */
export function withoutEmailsInRules<T extends { readonly rules?: readonly Conditional[] } | null>(holder: T): T {
  if (!holder?.rules) return holder;
  const rules = rulesWithoutEmails(holder.rules);
  return rules === holder.rules ? holder : { ...holder, rules };
}
