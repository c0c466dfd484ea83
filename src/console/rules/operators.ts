import type { ConditionOperator } from '#documents';

/** The operator in words, plain and negated. */
export const OPERATOR_WORDS: Readonly<Record<ConditionOperator, readonly [string, string]>> = {
  in: ['is one of', 'is none of'],
  contains: ['contains', 'does not contain'],
  starts_with: ['starts with', 'does not start with'],
  ends_with: ['ends with', 'does not end with'],
  matches: ['matches pattern', 'does not match pattern'],
  lt: ['is less than', 'is not less than'],
  lte: ['is at most', 'is not at most'],
  gt: ['is greater than', 'is not greater than'],
  gte: ['is at least', 'is not at least'],
  before: ['is before', 'is not before'],
  after: ['is after', 'is not after'],
  semver: ['is a version in', 'is not a version in'],
  exists: ['is set', 'is not set'],
  cohort: ['is in cohort', 'is not in cohort'],
};

const TEXTS: readonly ConditionOperator[] = ['in', 'contains', 'starts_with', 'ends_with', 'matches'];
const PROPERTY: readonly ConditionOperator[] = [
  ...TEXTS,
  'lt',
  'lte',
  'gt',
  'gte',
  'before',
  'after',
  'semver',
  'exists',
];

/** Operators that distinguish the text `12` from the number. */
const TYPED: ReadonlySet<ConditionOperator> = new Set(['in', 'lt', 'lte', 'gt', 'gte']);

const OPERATORS: Readonly<Record<string, readonly ConditionOperator[]>> = {
  distinct_id: [...TEXTS, 'exists', 'cohort'],
  cohort: ['in', 'cohort', 'contains', 'starts_with', 'ends_with', 'matches'],
  platform: [...TEXTS, 'exists'],
  app_version: ['semver', ...TEXTS, 'exists'],
  os_version: ['semver', ...TEXTS, 'exists'],
  locale: [...TEXTS, 'exists'],
  country: [...TEXTS, 'exists'],
  release: ['semver', ...TEXTS, 'exists'],
  now: ['after', 'before'],
};

/** Attributes that every decision has, in addition to `props.<key>` and `context.<key>`. */
export const ATTRIBUTES = Object.keys(OPERATORS);

export const operatorsOf = (attribute: string): readonly ConditionOperator[] => OPERATORS[attribute] ?? PROPERTY;

/** Whether the attribute is always compared as text, so that a typed number is a text too. */
export const takesTexts = (attribute: string, operator: ConditionOperator | null): boolean =>
  attribute in OPERATORS || operator === null || !TYPED.has(operator);

/** An example of what to type. */
export function hintOf(operator: ConditionOperator | null): string {
  if (operator === 'semver') return '>=2.1 <3, ^2.1, 2.x';
  if (operator === 'before' || operator === 'after') return '2026-12-24, 2026-12-24T18:00:00Z, -7d, +12h';
  if (operator === 'matches') return '^beta-\\d+$';
  if (operator === 'lt' || operator === 'lte' || operator === 'gt' || operator === 'gte') return 'Number';
  return 'Press Enter after each';
}
