import { type FlagRule, type FlagShare, targetingRule } from '../../../targeting/flags/flag-definition.js';
import { completeRules, heaviestShare, type RuleDraft } from '../../../targeting/rules/complete-rule.js';

/** What a rule serves: a variant, or a split of variants. */
interface FlagServe {
  readonly variant?: string | null | undefined;
  readonly split?: readonly FlagShare[] | null | undefined;
}

/** A flag's rule as given; what it serves is in the rule itself, or in `serve`. */
export interface FlagRuleDraft extends Omit<RuleDraft, 'split'>, FlagServe {
  readonly serve?: FlagServe | null | undefined;
}

/** Completes the rules of a flag, given its `present` ones. */
export function completeFlagRules(drafts: readonly FlagRuleDraft[], present: readonly FlagRule[]): FlagRule[] {
  const given = drafts.map(({ serve, ...own }) =>
    serve ? { ...own, variant: serve.variant, split: serve.split } : own,
  );
  const rules = completeRules(
    given.map(({ split, ...draft }) => ({
      ...draft,
      split: split?.map(({ variant, weight }) => ({ value: variant, weight })),
    })),
    present.map(targetingRule),
  );
  return rules.map(({ split, ...rule }, at) => {
    if (!split) return { ...rule, variant: given[at]?.variant ?? '' };
    const shares = split.map(({ value, ...share }) => ({ variant: value, ...share }));
    return { ...rule, variant: heaviestShare(split)?.value ?? '', split: shares };
  });
}
