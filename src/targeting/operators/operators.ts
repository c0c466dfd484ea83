import type { OperatorName, Scalar } from '../condition.js';
import { parseVersionRange } from '../versions/version-range.js';
import { after, before } from './instant-operators.js';
import { gt, gte, lt, lte } from './number-operators.js';
import { type Operator, textProblem } from './operator.js';
import { contains, endsWith, matches, startsWith } from './text-operators.js';

const MOST_VALUES = 10_000;
const MOST_RANGES = 100;

/** Equal in type and value. */
const among: Operator = {
  compares: ['text', 'number', 'boolean'],
  fewest: 1,
  most: MOST_VALUES,
  problem: (value) => (typeof value === 'number' && !Number.isFinite(value) ? 'must be a finite number' : null),
  prepare: (values) => {
    const wanted = new Set<Scalar>(values);
    return (seen) => wanted.has(seen);
  },
  work: () => 1,
  fails: 'is none of the values',
};

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
    return (seen, subject) => {
      const version = subject.version(seen as string);
      return version !== null && ranges.some((inRange) => inRange(version));
    };
  },
  work: (values) => values.length * 2,
  fails: 'is a version in none of the ranges',
};

const exists: Operator = {
  compares: ['text', 'number', 'boolean'],
  fewest: 0,
  most: 0,
  problem: () => null,
  prepare: () => () => true,
  work: () => 1,
  fails: 'is there',
};

/** Whether the person is in one of the cohorts. */
const cohort: Operator = {
  compares: ['text'],
  fewest: 1,
  most: MOST_VALUES,
  problem: textProblem,
  prepare: (values) => (_, subject) => values.some((value) => subject.cohorts.has(value as string)),
  work: () => 1,
  fails: 'is in none of the cohorts',
};

/** EVERY operator (docs/targeting.md, Operators). */
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
