import type { Condition } from '../../../targeting/condition.js';
import { allocate } from '../../../targeting/rules/allocation.js';
import type { FlagRule, FlagShare } from './flag-definition.js';

/** A rule as given: no conditions and 100 % mean everyone. */
export interface RuleDraft {
  readonly conditions?: readonly Condition[] | null | undefined;
  readonly percentage?: number | null | undefined;
  readonly variant?: string | null | undefined;
  readonly split?: readonly FlagShare[] | null | undefined;
  readonly salt?: string | null | undefined;
  readonly bucketBy?: string | null | undefined;
}

/** Completes a rule; what was not given and has no meaning of its own is left out. */
export function completeRule(draft: RuleDraft, present: readonly FlagRule[]): FlagRule {
  const { salt, bucketBy } = draft;
  const percentage = draft.percentage ?? 100;
  const conditions = (draft.conditions ?? []).map(completeCondition);
  const rule = { conditions, percentage, ...(salt ? { salt } : {}), ...(bucketBy ? { bucketBy } : {}) };
  if (!draft.split) return { ...rule, variant: draft.variant ?? '' };
  const split = draft.split.map(({ variant, weight }) => ({ variant, weight }));
  const heaviest = split.reduce((most, share) => (share.weight > most.weight ? share : most), split[0] ?? NOTHING);
  return { ...rule, variant: heaviest.variant, split: allocated(split, formerSplit(rule, present)) };
}

const NOTHING: FlagShare = { variant: '', weight: 0 };

function completeCondition({ attribute, operator, values, negate }: Condition): Condition {
  return { attribute, ...(operator ? { operator } : {}), values: [...values], ...(negate ? { negate } : {}) };
}

/** The split that this rule had: of a rule with the same buckets, and the same conditions if there are several. */
function formerSplit(rule: Omit<FlagRule, 'variant'>, present: readonly FlagRule[]): readonly FlagShare[] | null {
  const alike = present.filter(
    ({ split, salt, bucketBy }) => split && salt === rule.salt && bucketBy === rule.bucketBy,
  );
  const conditions = JSON.stringify(rule.conditions);
  return (alike.find((former) => JSON.stringify(former.conditions) === conditions) ?? alike[0])?.split ?? null;
}

/** A split with its buckets; one that cannot have any stays as it was given, to be refused. */
function allocated(split: readonly FlagShare[], former: readonly FlagShare[] | null): readonly FlagShare[] {
  const may = split.length > 0 && split.every(({ weight }) => weight >= 0) && split.some(({ weight }) => weight > 0);
  if (!may || split.some(({ weight }) => !Number.isFinite(weight))) return split;
  return allocate(former?.map(toShare) ?? null, split.map(toShare)).map(({ value, ...share }) => ({
    variant: value,
    ...share,
  }));
}

const toShare = ({ variant, ...share }: FlagShare) => ({ value: variant, ...share });
