import type { Pool } from 'pg';
import type { Environment } from '../../../kernel/actor.js';
import { type PersonFacts, propertiesOfFacts, readPersonFacts } from '../people/person-facts.js';
import { cohortDefinitions } from './cohort-definitions.js';
import { compileCohorts } from './compiled-cohorts.js';

/** What decisions may ask of somebody. */
export interface StoredPerson {
  readonly cohorts: ReadonlySet<string>;
  readonly properties: ReadonlyMap<string, unknown>;
}

/** Everything that is stored about the person behind an id, as it is now. An id that nobody knows is only in lists that name it. */
export async function storedPerson(
  pool: Pick<Pool, 'query'>,
  projectId: string,
  environment: Environment,
  distinctId: string,
): Promise<StoredPerson> {
  const [definitions, found] = await Promise.all([
    cohortDefinitions(pool, projectId),
    readPersonFacts(pool, projectId, environment, [distinctId], { properties: null, ids: true }),
  ]);
  const facts = found[0] as PersonFacts;
  const properties = propertiesOfFacts(facts);
  const cohorts = compileCohorts(definitions).of(properties, facts.ids ?? [distinctId]);
  return { cohorts: new Set(cohorts), properties };
}
