import type { World } from './factories.js';

/** Creates a cohort and returns its id. */
export async function buildCohort(
  { owner, projectId }: World,
  given: { name: string; predicate?: string; distinctIds?: string[]; rules?: object[]; members?: object },
): Promise<string> {
  const { createCohort } = await owner.client.graphql<{ createCohort: { id: string } }>(
    'mutation($i: CreateCohortInput!) { createCohort(input: $i) { id } }',
    { i: { projectId, ...given } },
  );
  return createCohort.id;
}
