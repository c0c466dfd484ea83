import type { CohortDefinition } from './cohort-definitions.js';
import { type CohortPredicate, keysOf, parseCohortPredicate, satisfies } from './cohort-predicate.js';

/** How the members of a cohort are told from others: by a predicate, or else by their ids. */
export interface CohortMembers {
  readonly name: string;
  readonly predicate: CohortPredicate | null;
  readonly ids: ReadonlySet<string>;
}

/** A project's cohorts, ready to tell who is in them. */
export interface CompiledCohorts {
  /** By name. */
  readonly members: ReadonlyMap<string, CohortMembers>;
  /** Keys of the properties that predicates ask for. */
  readonly properties: readonly string[];
  /** Whether a list of ids is among them. */
  readonly listed: boolean;
  /** The names of the cohorts that a person with these properties and ids is in. */
  readonly of: (properties: ReadonlyMap<string, unknown>, ids: readonly string[]) => string[];
}

/** Prepares cohorts; the names come in the order that is given. A predicate that cannot be read holds for nobody. */
export function compileCohorts(definitions: readonly CohortDefinition[]): CompiledCohorts {
  const cohorts = definitions.map(({ name, predicate, ids }) => ({
    name,
    predicate: predicate === null ? null : readPredicate(predicate),
    ids: new Set(ids),
  }));
  const predicates = cohorts.flatMap(({ predicate }) => predicate ?? []);
  const isIn = ({ predicate, ids }: CohortMembers, properties: ReadonlyMap<string, unknown>, own: readonly string[]) =>
    predicate ? satisfies(predicate, properties) : own.some((id) => ids.has(id));
  return {
    members: new Map(cohorts.map((cohort) => [cohort.name, cohort])),
    properties: [...new Set(predicates.flatMap(keysOf))],
    listed: cohorts.some(({ ids }) => ids.size > 0),
    of: (properties, ids) => cohorts.filter((cohort) => isIn(cohort, properties, ids)).map(({ name }) => name),
  };
}

function readPredicate(text: string): CohortPredicate | null {
  const parsed = parseCohortPredicate(text);
  return 'predicate' in parsed ? parsed.predicate : null;
}
