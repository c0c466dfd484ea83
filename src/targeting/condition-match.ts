import type { Question } from './compilation.js';
import type { Finding } from './finding.js';
import type { Needs } from './needs.js';
import type { Seen } from './seen.js';

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
