import type { Question } from './compilation.js';
import type { Finding } from './finding.js';
import type { Needs } from './needs.js';
import type { SubjectValue } from './subject-value.js';

/** Decides whether a condition holds for a subject. */
export type ConditionMatch = Question<boolean>;

/** A compiled condition. */
export interface CompiledCondition {
  readonly holds: ConditionMatch;
  readonly find: Question<Finding>;
  readonly see: Question<SubjectValue>;
  /** The stored data about the person that it may need. */
  readonly needs: Needs;
  /** Whether it depends on the clock. */
  readonly timed: boolean;
  /** The explanation when no value matches. */
  readonly fails: string;
}
