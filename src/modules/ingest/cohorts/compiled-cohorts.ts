import { keysOf, type PropertyPredicate, satisfies } from '../../../targeting/cohorts/property-predicate.js';
import { Compilation } from '../../../targeting/compilation.js';
import { type CompiledRules, compileRules, decideRules } from '../../../targeting/rules/compile-rules.js';
import type { Rule } from '../../../targeting/rules/rule.js';
import type { Membership } from '../../../targeting/subject.js';
import type { CohortDefinition } from './cohort-definitions.js';
import { parseCohortPredicate } from './cohort-predicate.js';

/** How a cohort recognizes its members: by a predicate, or else by their ids or rules. */
export interface CohortMembers {
  readonly name: string;
  readonly predicate: PropertyPredicate | null;
  readonly ids: ReadonlySet<string>;
  readonly rules: readonly Rule[];
}

export interface CompiledCohorts {
  /** By name. */
  readonly members: ReadonlyMap<string, CohortMembers>;
  /** Keys of the properties used in predicates and rules. */
  readonly properties: readonly string[];
  /** Whether a list of ids is among them. */
  readonly listed: boolean;
  /** Whether a rule depends on the clock. */
  readonly timed: boolean;
  /** The names of the cohorts that a person with these properties and ids is in by a predicate or a list. */
  readonly of: (properties: ReadonlyMap<string, unknown>, ids: readonly string[]) => string[];
  /** The cohorts with rules, which are evaluated for every subject, since they depend on the request. */
  readonly byRules: readonly Membership[];
}

/** Compiles cohorts; the names come in the given order. An invalid predicate matches nobody. */
export function compileCohorts(definitions: readonly CohortDefinition[]): CompiledCohorts {
  const compilation = new Compilation();
  const cohorts = definitions.map(({ id, name, predicate, ids, rules }) => ({
    name,
    predicate: predicate === null ? null : readPredicate(predicate),
    ids: new Set(ids),
    rules: rules ?? [],
    compiled: rules?.length ? compileRules(rules, id, compilation) : null,
  }));
  const predicates = cohorts.flatMap(({ predicate }) => predicate ?? []);
  const ruled = cohorts.flatMap(({ name, compiled }) => (compiled ? [{ name, compiled }] : []));
  const isIn = ({ predicate, ids }: CohortMembers, properties: ReadonlyMap<string, unknown>, own: readonly string[]) =>
    predicate ? satisfies(predicate, properties) : own.some((id) => ids.has(id));
  return {
    members: new Map(cohorts.map((cohort) => [cohort.name, cohort])),
    properties: [
      ...new Set([...predicates.flatMap(keysOf), ...ruled.flatMap(({ compiled }) => compiled.needs.properties)]),
    ],
    listed: cohorts.some(({ ids }) => ids.size > 0),
    timed: ruled.some(({ compiled }) => compiled.timed),
    of: (properties, ids) => cohorts.filter((cohort) => isIn(cohort, properties, ids)).map(({ name }) => name),
    byRules: ruled.map(membershipOf),
  };
}

function membershipOf({ name, compiled }: { name: string; compiled: CompiledRules }): Membership {
  return { name, holds: (subject) => decideRules(compiled, subject) > 0 };
}

function readPredicate(text: string): PropertyPredicate | null {
  const parsed = parseCohortPredicate(text);
  return 'predicate' in parsed ? parsed.predicate : null;
}
