export type Scalar = string | number | boolean;

export const OPERATOR_NAMES = [
  'in',
  'contains',
  'starts_with',
  'ends_with',
  'matches',
  'lt',
  'lte',
  'gt',
  'gte',
  'before',
  'after',
  'semver',
  'exists',
  'cohort',
] as const;

/** How an attribute is compared (docs/targeting.md, Conditions). */
export type OperatorName = (typeof OPERATOR_NAMES)[number];

/**
 * One condition: it holds when the operator matches the attribute with any of the values or, with `negate`, with none
 * of them. Without an operator it is a plain condition (plain-condition.ts).
 */
export interface Condition {
  readonly attribute: string;
  readonly operator?: OperatorName | null;
  readonly values: readonly Scalar[];
  readonly negate?: boolean | null;
}
