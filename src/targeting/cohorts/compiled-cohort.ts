import type { Compilation } from '../compilation.js';
import { joinNeeds, type Needs, NO_NEEDS } from '../needs.js';
import { compileRules, decideRules } from '../rules/compile-rules.js';
import type { Rule } from '../rules/rule.js';
import type { Membership } from '../subject.js';
import { keysOf, type PropertyPredicate, satisfies } from './property-predicate.js';

/** A cohort as known to a process that decides locally. */
export interface CohortDefinition {
  readonly id: string;
  readonly name: string;
  readonly predicate: PropertyPredicate | null;
  /** Whether the id list contains a person; null when the list is empty or unknown. */
  readonly lists: ((distinctId: string) => boolean) | null;
  readonly rules: readonly Rule[];
}

/** A compiled cohort: who is in it, and the data about a person that it needs. */
export interface CompiledCohort extends Membership {
  readonly needs: Needs;
}

/**
 * Compiles a cohort: it contains everyone who satisfies its predicate, is in its list or is covered by one of its
 * rules.
 */
export function compileCohort(cohort: CohortDefinition, compilation: Compilation): CompiledCohort {
  const { id, name, predicate, lists, rules } = cohort;
  const compiled = rules.length > 0 ? compileRules(rules, id, compilation) : null;
  const keys = predicate ? keysOf(predicate) : [];
  return {
    name,
    holds: (subject) =>
      (predicate !== null && satisfies(predicate, subject.stored)) ||
      (lists !== null && subject.distinctId !== null && lists(subject.distinctId)) ||
      (compiled !== null && decideRules(compiled, subject) > 0),
    needs: joinNeeds([{ properties: keys, cohorts: false }, compiled?.needs ?? NO_NEEDS]),
  };
}
