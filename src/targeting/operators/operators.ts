import { anyOf } from '../any-of.js';
import type { OperatorName } from '../condition.js';
import { parseVersionRange } from '../versions/version-range.js';
import { after, before } from './instant-operators.js';
import { gt, gte, lt, lte } from './number-operators.js';
import { bySubject, byValue, numberProblem, type Operator, textProblem } from './operator.js';
import { contains, endsWith, matches, startsWith } from './text-operators.js';

const MOST_VALUES = 10_000;
const MOST_RANGES = 100;
/** Cost of comparing a range with the longest list. */
const UNITS_PER_RANGE = 15;

/** Equal in type and value. */
const among: Operator = {
  compares: ['text', 'number', 'boolean'],
  fewest: 1,
  most: MOST_VALUES,
  problem: (value) => (typeof value === 'number' ? numberProblem(value) : null),
  prepare: (values) => {
    const wanted = new Set<unknown>(values);
    return byValue(({ value }) => wanted.has(value));
  },
  prepareForLists: (values) => {
    const wanted = new Set<unknown>(values);
    return (entries) => (entries.size < wanted.size ? meet(entries, wanted) : meet(wanted, entries));
  },
  work: () => 1,
  fails: 'is not one of the values',
};

function meet(few: ReadonlySet<unknown>, many: ReadonlySet<unknown>): boolean {
  for (const each of few) if (many.has(each)) return true;
  return false;
}

const semver: Operator = {
  compares: ['text'],
  fewest: 1,
  most: MOST_RANGES,
  problem: (value) =>
    typeof value === 'string' && parseVersionRange(value) !== null
      ? null
      : 'is not a version range such as ">=2.1.0 <3.0.0", "^2.1" or "2.x"',
  prepare: (values) => {
    const ranges = values.map((value) => parseVersionRange(value as string)).filter((range) => range !== null);
    const inAny = anyOf(ranges);
    return byValue(({ version }) => version !== null && inAny(version));
  },
  work: (values) => values.length * UNITS_PER_RANGE,
  fails: 'is not a version in any of the ranges',
};

const exists: Operator = {
  compares: ['text', 'number', 'boolean'],
  fewest: 0,
  most: 0,
  problem: () => null,
  prepare: () => byValue(() => true),
  work: () => 1,
  fails: 'exists',
};

/** Whether the person is in one of the cohorts. */
const cohort: Operator = {
  compares: ['text'],
  fewest: 1,
  most: MOST_VALUES,
  problem: textProblem,
  prepare: (values) => bySubject((_, subject) => values.some((value) => subject.cohorts.has(value as string))),
  work: () => 1,
  fails: 'is not in any of the cohorts',
};

/** All operators (docs/targeting.md, Conditions). */
export const operators: Readonly<Record<OperatorName, Operator>> = {
  in: among,
  contains,
  starts_with: startsWith,
  ends_with: endsWith,
  matches,
  lt,
  lte,
  gt,
  gte,
  before,
  after,
  semver,
  exists,
  cohort,
};
