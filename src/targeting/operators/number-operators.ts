import { byValue, numberProblem, type Operator } from './operator.js';

/** An operator that compares a number with its only value. */
const comparing = (stands: (seen: number, value: number) => boolean, fails: string): Operator => ({
  compares: ['number'],
  fewest: 1,
  most: 1,
  problem: (value) =>
    typeof value === 'number'
      ? numberProblem(value)
      : 'must be a number such as 5, without quotation marks; compare versions with semver, and instants with before and after',
  prepare: ([value]) => byValue((seen) => stands(seen.value as number, value as number)),
  work: () => 1,
  fails,
});

export const lt = comparing((seen, value) => seen < value, 'is not less than the value');
export const lte = comparing((seen, value) => seen <= value, 'is greater than the value');
export const gt = comparing((seen, value) => seen > value, 'is not greater than the value');
export const gte = comparing((seen, value) => seen >= value, 'is less than the value');
