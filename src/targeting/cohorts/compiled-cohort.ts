import type { Compilation } from '../compilation.js';
import { joinNeeds, type Needs, NO_NEEDS } from '../needs.js';
import { compileRules, decideRules } from '../rules/compile-rules.js';
import type { Rule } from '../rules/rule.js';
import type { Membership } from '../subject.js';
import { keysOf, type PropertyPredicate, satisfies } from './property-predicate.js';

/** A cohort as whoever decides in their own process knows it. */
export interface CohortDefinition {
  readonly id: string;
  readonly name: string;
  readonly predicate: PropertyPredicate | null;
  /** Whether the list of ids has somebody; null when nobody is listed, or the list is not known. */
  readonly lists: ((distinctId: string) => boolean) | null;
  readonly rules: readonly Rule[];
}

/** A cohort, ready to tell who is in it, and what has to be known of a person for that. */
export interface CompiledCohort extends Membership {
  readonly needs: Needs;
}

/** Prepares a cohort: whoever satisfies its predicate, is in its list or covered by one of its rules is in it. */
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
