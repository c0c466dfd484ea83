import { type FlagRule, type FlagShare, targetingRule } from '../../../targeting/flags/flag-definition.js';
import { completeRule, heaviestShare, type RuleDraft } from '../../../targeting/rules/complete-rule.js';

/** A flag's rule as given: with a variant, or with a split of variants. */
export interface FlagRuleDraft extends Omit<RuleDraft, 'split'> {
  readonly variant?: string | null | undefined;
  readonly split?: readonly FlagShare[] | null | undefined;
}

/** Completes a rule of a flag that has the `present` ones. */
export function completeFlagRule(draft: FlagRuleDraft, present: readonly FlagRule[]): FlagRule {
  const given = draft.split?.map(({ variant, weight }) => ({ value: variant, weight }));
  const { split, ...rule } = completeRule({ ...draft, split: given }, present.map(targetingRule));
  if (!split) return { ...rule, variant: draft.variant ?? '' };
  const shares = split.map(({ value, ...share }) => ({ variant: value, ...share }));
  return { ...rule, variant: heaviestShare(split)?.value ?? '', split: shares };
}
