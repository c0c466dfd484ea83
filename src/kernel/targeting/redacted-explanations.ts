import type { RuleExplanation } from '../../targeting/rules/explain-rules.js';
import { redactEmailsIn } from '../values/email-redaction.js';

/** Explained rules for callers below Editor: what was seen of a person shows no e-mail address. */
export const withoutSeenEmails = <R extends RuleExplanation>(rules: readonly R[]): R[] =>
  rules.map((rule) => ({
    ...rule,
    conditions: rule.conditions.map((condition) => ({ ...condition, seen: redactEmailsIn(condition.seen) })),
  }));
