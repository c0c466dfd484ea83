import { type FlagRule, type FlagShare, targetingRule } from '../../../targeting/flags/flag-definition.js';
import { completeRule, heaviestShare, type RuleDraft } from '../../../targeting/rules/complete-rule.js';

/** What a rule serves: a variant, or a split of variants. */
interface FlagServe {
  readonly variant?: string | null | undefined;
  readonly split?: readonly FlagShare[] | null | undefined;
}

/** A flag's rule as given; what it serves stands in it, or in `serve`. */
export interface FlagRuleDraft extends Omit<RuleDraft, 'split'>, FlagServe {
  readonly serve?: FlagServe | null | undefined;
}

/** Completes a rule of a flag that has the `present` ones. */
export function completeFlagRule({ serve, ...own }: FlagRuleDraft, present: readonly FlagRule[]): FlagRule {
  const draft = serve ? { ...own, variant: serve.variant, split: serve.split } : own;
  const given = draft.split?.map(({ variant, weight }) => ({ value: variant, weight }));
  const { split, ...rule } = completeRule({ ...draft, split: given }, present.map(targetingRule));
  if (!split) return { ...rule, variant: draft.variant ?? '' };
  const shares = split.map(({ value, ...share }) => ({ variant: value, ...share }));
  return { ...rule, variant: heaviestShare(split)?.value ?? '', split: shares };
}
