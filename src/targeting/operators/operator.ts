import type { Scalar } from '../condition.js';
import type { Subject } from '../subject.js';
import type { SubjectValue } from '../subject-value.js';

/** The type of an attribute's value; `null` counts as absent. */
export type ValueType = 'text' | 'number' | 'boolean';

/**
 * Whether a value, of a type that the operator supports, matches the condition's values: on its own, so that the result
 * holds for every subject with that value, or depending on other data about the subject.
 */
export type Comparison =
  | { readonly by: 'value'; readonly holds: (seen: SubjectValue) => boolean }
  | { readonly by: 'subject'; readonly holds: (seen: SubjectValue, subject: Subject) => boolean };

export const byValue = (holds: (seen: SubjectValue) => boolean): Comparison => ({ by: 'value', holds });
export const bySubject = (holds: (seen: SubjectValue, subject: Subject) => boolean): Comparison => ({
  by: 'subject',
  holds,
});

export interface Operator {
  /** Value types it supports; values of other types satisfy neither it nor its negation. */
  readonly compares: readonly ValueType[];
  /** How many values a condition has. */
  readonly fewest: number;
  readonly most: number;
  /** What is wrong with a value, or null. */
  readonly problem: (value: Scalar) => string | null;
  /** Compiles values that have no problems. */
  readonly prepare: (values: readonly Scalar[]) => Comparison;
  /** Compares all entries of a list at once, for lists of any length; when absent, entries are compared one by one. */
  readonly prepareForLists?: (values: readonly Scalar[]) => (entries: ReadonlySet<unknown>) => boolean;
  /** Worst-case cost of one comparison, in tenths of a microsecond. */
  readonly work: (values: readonly Scalar[]) => number;
  /** The explanation when no value matches; follows the attribute's value. */
  readonly fails: string;
  /** Whether the result depends on the clock. */
  readonly timed?: (values: readonly Scalar[]) => boolean;
}

/** The type of a scalar, as named in docs/targeting.md. */
export function typeOf(value: Scalar): ValueType {
  return typeof value === 'string' ? 'text' : (typeof value as 'number' | 'boolean');
}

/** Rejects numbers too large to be distinguished from their neighbors. */
export function numberProblem(value: number): string | null {
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return null;
  return `must be between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}; write longer ids as texts`;
}

export function textProblem(value: Scalar): string | null {
  if (typeof value !== 'string') return `must be a text, not a ${typeOf(value)}`;
  return value === '' ? 'must not be empty' : null;
}
