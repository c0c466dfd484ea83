import type { ConditionOperator } from '#documents';

export interface ConditionDraft {
  id: number;
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
  id: number;
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
const newId = (): number => {
  lastId += 1;
  return lastId;
};

/** A stored rule, with the part that `serves` and `split` hold. */
export const draftOf = (rule: StoredRule, serves: string, split: readonly ShareDraft[] | null): RuleDraft => ({
  id: newId(),
  conditions: rule.conditions.map(({ attribute, operator, negate, values, warning }) => ({
    id: newId(),
    attribute,
    operator: operator ?? null,
    negate: negate ?? false,
    values,
    warning: warning ?? null,
  })),
  percentage: rule.percentage,
  bucketBy: rule.bucketBy ?? null,
  salt: rule.salt ?? null,
  serves,
  split,
});

export const newRule = (serves: string): RuleDraft => draftOf({ conditions: [], percentage: 100 }, serves, null);

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
