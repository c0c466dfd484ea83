import type { Pool } from 'pg';
import type { Environment } from '../../../kernel/actor.js';
import type { StoredPerson } from '../../../kernel/targeting/person-lookup.js';
import { propertiesOfFacts, readPersonFacts, UNKNOWN } from '../people/person-facts.js';
import { cohortDefinitions } from './cohort-definitions.js';
import { compileCohorts } from './compiled-cohorts.js';

/**
 * Everything currently stored about the person behind an id; about nobody without an id. An unknown id is only in lists that contain it.
 */
export async function storedPerson(
  pool: Pick<Pool, 'query'>,
  projectId: string,
  environment: Environment,
  distinctId: string | null,
): Promise<StoredPerson> {
  const [definitions, found] = await Promise.all([
    cohortDefinitions(pool, projectId),
    readPersonFacts(pool, projectId, environment, distinctId === null ? [] : [distinctId], {
      properties: null,
      ids: true,
    }),
  ]);
  const facts = found[0] ?? UNKNOWN;
  const properties = propertiesOfFacts(facts);
  const compiled = compileCohorts(definitions);
  const cohorts = compiled.of(properties, facts.ids ?? (distinctId === null ? [] : [distinctId]));
  return { cohorts: new Set(cohorts), properties, memberships: compiled.byRules };
}
