import type { ConditionOperator } from '#documents';

export interface ConditionDraft {
  id: string;
  attribute: string;
  /** Missing in conditions written before operators existed. */
  operator: ConditionOperator | null;
  negate: boolean;
  values: readonly unknown[];
  /** The server's note on the stored condition. */
  warning: string | null;
}

/** A rule being edited. It serves a flag's variant or an item's value. */
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

/** Gives each an id derived from its content, so it stays the same element when it is reloaded or moved. */
function withIds<T extends object>(all: readonly T[]): (T & { id: string })[] {
  const seen = new Map<string, number>();
  return all.map((one) => {
    const words = JSON.stringify(one);
    const before = seen.get(words) ?? 0;
    seen.set(words, before + 1);
    return { ...one, id: `${before} ${words}` };
  });
}

/** Converts stored rules; `serves` and `split` extract their parts. */
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

/** A rule in the schema's input format, without what it serves. */
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
