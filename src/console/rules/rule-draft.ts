import type { ConditionOperator } from '#documents';

export interface ConditionDraft {
  id: string;
  attribute: string;
  /** Absent in conditions that were written before there were operators. */
  operator: ConditionOperator | null;
  negate: boolean;
  values: readonly unknown[];
  /** What the server says of it as it is stored. */
  warning: string | null;
}

/** A rule while it is edited. What it serves is a variant of a flag or a value of an item. */
export interface RuleDraft {
  id: string;
  conditions: readonly ConditionDraft[];
  percentage: number;
  bucketBy: string | null;
  salt: string | null;
  serves: string;
  split: readonly ShareDraft[] | null;
}

export interface ShareDraft {
  serves: string;
  weight: number;
}

interface StoredCondition {
  attribute: string;
  operator?: ConditionOperator | null;
  negate?: boolean | null;
  values: readonly unknown[];
  warning?: string | null;
}

interface StoredRule {
  conditions: readonly StoredCondition[];
  percentage: number;
  bucketBy?: string | null;
  salt?: string | null;
}

let lastId = 0;
const newId = (): string => {
  lastId += 1;
  return `new ${lastId}`;
};

/** Gives each an id by what it says, so that it is the same part of the page however often it is read and wherever it has moved. */
function withIds<T extends object>(all: readonly T[]): (T & { id: string })[] {
  const seen = new Map<string, number>();
  return all.map((one) => {
    const words = JSON.stringify(one);
    const before = seen.get(words) ?? 0;
    seen.set(words, before + 1);
    return { ...one, id: `${before} ${words}` };
  });
}

/** Stored rules, with the parts that `serves` and `split` hold. */
export const draftsOf = <Rule extends StoredRule>(
  rules: readonly Rule[],
  servedBy: (rule: Rule) => Pick<RuleDraft, 'serves' | 'split'>,
): RuleDraft[] =>
  withIds(
    rules.map((rule) => ({
      conditions: withIds(
        rule.conditions.map(({ attribute, operator, negate, values, warning }) => ({
          attribute,
          operator: operator ?? null,
          negate: negate ?? false,
          values,
          warning: warning ?? null,
        })),
      ),
      percentage: rule.percentage,
      bucketBy: rule.bucketBy ?? null,
      salt: rule.salt ?? null,
      ...servedBy(rule),
    })),
  );

export const newRule = (serves: string): RuleDraft => ({
  id: newId(),
  conditions: [],
  percentage: 100,
  bucketBy: null,
  salt: null,
  serves,
  split: null,
});

export const newCondition = (): ConditionDraft => ({
  id: newId(),
  attribute: 'platform',
  operator: 'in',
  negate: false,
  values: [],
  warning: null,
});

/** A rule as the schema's inputs have it, but for what it serves. */
export function inputOf({ conditions, percentage, bucketBy, salt }: RuleDraft) {
  return {
    percentage,
    ...(bucketBy ? { bucketBy } : {}),
    ...(salt ? { salt } : {}),
    conditions: conditions.map(({ attribute, operator, negate, values }) => ({
      attribute,
      values: [...values],
      ...(operator ? { operator } : {}),
      ...(negate ? { negate } : {}),
    })),
  };
}
