import type { Question } from './compilation.js';
import type { Needs } from './needs.js';
import type { Seen } from './seen.js';

/**
 * What comes of comparing an attribute with a condition's values, before `negate`. Only `yes` and `no` can be negated:
 * what is absent, of another type or too long satisfies nothing (docs/targeting.md, Types).
 */
export type Finding = 'yes' | 'no' | 'absent' | 'other type' | 'too long';

/** Decides whether a condition holds for a subject. */
export type ConditionMatch = Question<boolean>;

/** A condition, ready to be tried. */
export interface CompiledCondition {
  readonly holds: ConditionMatch;
  readonly find: Question<Finding>;
  readonly see: Question<Seen>;
  /** What is stored about the person that it may ask for. */
  readonly needs: Needs;
  /** Whether it depends on the clock. */
  readonly timed: boolean;
  /** What is said when no value fits. */
  readonly fails: string;
}
