import type { Scalar } from '../condition.js';
import type { Seen } from '../seen.js';
import type { Subject } from '../subject.js';

/** The type of a value that is seen; `null` counts as absent. */
export type ValueType = 'text' | 'number' | 'boolean';

/**
 * Whether one value, of a type that the operator compares, stands to the condition's values as the operator says: by itself, so that it
 * does for whoever has it, or by what else is known about the subject.
 */
export type Comparison =
  | { readonly by: 'value'; readonly holds: (seen: Seen) => boolean }
  | { readonly by: 'subject'; readonly holds: (seen: Seen, subject: Subject) => boolean };

export const byValue = (holds: (seen: Seen) => boolean): Comparison => ({ by: 'value', holds });
export const bySubject = (holds: (seen: Seen, subject: Subject) => boolean): Comparison => ({ by: 'subject', holds });

/** Everything the product knows about one operator. */
export interface Operator {
  /** Types of values that it compares; a value of another type satisfies it neither way. */
  readonly compares: readonly ValueType[];
  /** How many values a condition has. */
  readonly fewest: number;
  readonly most: number;
  /** What is wrong with a value, or null. */
  readonly problem: (value: Scalar) => string | null;
  /** Prepares values, each of which has no problem. */
  readonly prepare: (values: readonly Scalar[]) => Comparison;
  /** A way to compare all entries of a list at once, for lists of any length; each by itself when absent. */
  readonly prepareForLists?: (values: readonly Scalar[]) => (entries: ReadonlySet<unknown>) => boolean;
  /** Work of one comparison at worst, in units of a tenth of a microsecond. */
  readonly work: (values: readonly Scalar[]) => number;
  /** What is said when no value fits, after the value that was seen. */
  readonly fails: string;
  /** Whether the answer depends on the clock. */
  readonly timed?: (values: readonly Scalar[]) => boolean;
}

/** The type of a scalar, in the words of docs/targeting.md. */
export function typeOf(value: Scalar): ValueType {
  return typeof value === 'string' ? 'text' : (typeof value as 'number' | 'boolean');
}

/** Refuses numbers that are not told apart from their neighbours. */
export function numberProblem(value: number): string | null {
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return null;
  return `must lie between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}; write longer ids as texts`;
}

/** Refuses whatever is not text. */
export function textProblem(value: Scalar): string | null {
  if (typeof value !== 'string') return `must be a text, not a ${typeOf(value)}`;
  return value === '' ? 'must not be empty' : null;
}
