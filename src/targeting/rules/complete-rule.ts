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

/** A rule without missing and meaningless fields. */
export interface CompleteRule extends Rule {
  readonly salt?: string;
  readonly bucketBy?: string;
  readonly split?: readonly Share[];
}

/**
 * Completes rules and allocates the buckets of their splits, so that people in a split of the current rules keep their
 * share as far as the weights allow. A split that cannot be allocated stays as given, to be rejected.
 */
export function completeRules(drafts: readonly RuleDraft[], present: readonly Rule[]): CompleteRule[] {
  const rules = drafts.map(completed);
  const former = formerSplits(rules, present);
  return rules.map((rule, at) => {
    if (!rule.split || !mayHaveBuckets(rule.split)) return rule;
    return { ...rule, split: allocate(former[at] ?? null, rule.split) };
  });
}

function completed(draft: RuleDraft): CompleteRule {
  const { salt, bucketBy, split } = draft;
  return {
    conditions: (draft.conditions ?? []).map(completeCondition),
    percentage: draft.percentage ?? 100,
    ...(salt ? { salt } : {}),
    ...(bucketBy ? { bucketBy } : {}),
    ...(split ? { split: split.map(({ value, weight }) => ({ value, weight })) } : {}),
  };
}

/** The largest share; the first of several. */
export function heaviestShare(split: readonly Share[]): Share | undefined {
  return split.reduce((most, share) => (share.weight > most.weight ? share : most), split[0] as Share);
}

function completeCondition({ attribute, operator, values, negate }: Condition): Condition {
  return { attribute, ...(operator ? { operator } : {}), values: [...values], ...(negate ? { negate } : {}) };
}

/**
 * The previous split of each rule: that of the most similar current rule with the same buckets, matched one to one
 * unless there are fewer. Conditions weigh most, then shares, then position.
 */
function formerSplits(rules: readonly CompleteRule[], present: readonly Rule[]): (readonly Share[] | undefined)[] {
  const [now, then] = [rules.map(marksOf), present.map(marksOf)];
  const pairs = now
    .flatMap((rule, at) =>
      then.map((former, place) => ({ at, place, likeness: likenessOf(rule, former, at === place) })),
    )
    .filter(({ likeness }) => likeness >= 0)
    .sort((one, other) => other.likeness - one.likeness);
  const found = new Map<number, number>();
  const claimed = new Set<number>();
  for (const { at, place } of pairs) {
    if (found.has(at) || claimed.has(place)) continue;
    found.set(at, place);
    claimed.add(place);
  }
  for (const { at, place } of pairs) if (!found.has(at)) found.set(at, place);
  return rules.map((_, at) => present[found.get(at) ?? -1]?.split ?? undefined);
}

/** The traits that identify a rule, as texts; none without a split. */
function marksOf({ conditions, salt, bucketBy, split }: Rule) {
  if (!split) return null;
  return {
    buckets: JSON.stringify([salt ?? null, bucketBy ?? null]),
    conditions: JSON.stringify(conditions),
    shares: JSON.stringify(split.map(({ value, weight }) => [value, weight])),
  };
}

type Marks = ReturnType<typeof marksOf>;

/** From 0 to 7; negative for rules that do not share buckets. */
function likenessOf(one: Marks, other: Marks, isInPlace: boolean): number {
  if (one?.buckets !== other?.buckets || !one || !other) return -1;
  return 4 * Number(one.conditions === other.conditions) + 2 * Number(one.shares === other.shares) + Number(isInPlace);
}

function mayHaveBuckets(split: readonly Share[]): boolean {
  return split.every(({ weight }) => weight >= 0 && Number.isFinite(weight)) && split.some(({ weight }) => weight > 0);
}
