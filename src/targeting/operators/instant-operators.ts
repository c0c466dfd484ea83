import type { Scalar } from '../condition.js';
import { parseInstant, parseRelative } from '../instant.js';
import type { SubjectValue } from '../subject-value.js';
import { bySubject, byValue, type Operator } from './operator.js';

/** An operator that compares an instant with its only value, which may be relative to the clock. */
const comparing = (stands: (seen: number, value: number) => boolean, fails: string): Operator => ({
  compares: ['text'],
  fewest: 1,
  most: 1,
  problem: (value) =>
    typeof value === 'string' && (parseInstant(value) ?? parseRelative(value)) !== null
      ? null
      : 'must be an instant such as "2026-11-22T10:00:00Z", a date such as "2026-11-22", or relative to now such as "-7d"',
  prepare: ([value]) => {
    const [instant, relative] = [parseInstant(value as string), parseRelative(value as string)];
    const compare = ({ instant: seen }: SubjectValue, wanted: number) => seen !== null && stands(seen, wanted);
    return instant === null
      ? bySubject((seen, { now }) => compare(seen, now + (relative as number)))
      : byValue((seen) => compare(seen, instant));
  },
  work: () => 10,
  fails,
  timed: isRelative,
});

function isRelative(values: readonly Scalar[]): boolean {
  return values.some((value) => typeof value === 'string' && parseRelative(value) !== null);
}

export const before = comparing((seen, value) => seen < value, 'is not an instant before the value');
export const after = comparing((seen, value) => seen > value, 'is not an instant after the value');
