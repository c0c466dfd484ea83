import type { Condition } from '../condition.js';
import { allocate, type Share } from './allocation.js';
import type { Rule } from './rule.js';

/** A rule as given: no conditions and 100 % mean everyone. */
export interface RuleDraft {
  readonly conditions?: readonly Condition[] | null | undefined;
  readonly percentage?: number | null | undefined;
  readonly split?: readonly Share[] | null | undefined;
  readonly salt?: string | null | undefined;
  readonly bucketBy?: string | null | undefined;
}

/** A rule without what was not given and has no meaning of its own. */
export interface CompleteRule extends Rule {
  readonly salt?: string;
  readonly bucketBy?: string;
  readonly split?: readonly Share[];
}

/**
 * Completes a rule and divides the buckets of its split, so that those whom a split of the present rules has keep what they have as far
 * as the weights allow. A split that cannot have buckets stays as it was given, to be refused.
 */
export function completeRule(draft: RuleDraft, present: readonly Rule[]): CompleteRule {
  const { salt, bucketBy } = draft;
  const rule = {
    conditions: (draft.conditions ?? []).map(completeCondition),
    percentage: draft.percentage ?? 100,
    ...(salt ? { salt } : {}),
    ...(bucketBy ? { bucketBy } : {}),
  };
  if (!draft.split) return rule;
  const split = draft.split.map(({ value, weight }) => ({ value, weight }));
  return { ...rule, split: mayHaveBuckets(split) ? allocate(formerSplit(rule, present), split) : split };
}

/** The share that most people have; the first of several. */
export function heaviestShare(split: readonly Share[]): Share | undefined {
  return split.reduce((most, share) => (share.weight > most.weight ? share : most), split[0] as Share);
}

function completeCondition({ attribute, operator, values, negate }: Condition): Condition {
  return { attribute, ...(operator ? { operator } : {}), values: [...values], ...(negate ? { negate } : {}) };
}

/** The split that this rule had: of a rule with the same buckets, and the same conditions if there are several. */
function formerSplit(rule: CompleteRule, present: readonly Rule[]): readonly Share[] | null {
  const alike = present.filter(
    ({ split, salt, bucketBy }) =>
      split && (salt ?? null) === (rule.salt ?? null) && (bucketBy ?? null) === (rule.bucketBy ?? null),
  );
  const conditions = JSON.stringify(rule.conditions);
  return (alike.find((former) => JSON.stringify(former.conditions) === conditions) ?? alike[0])?.split ?? null;
}

function mayHaveBuckets(split: readonly Share[]): boolean {
  return split.every(({ weight }) => weight >= 0 && Number.isFinite(weight)) && split.some(({ weight }) => weight > 0);
}
