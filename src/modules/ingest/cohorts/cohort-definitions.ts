import type { Pool } from 'pg';

/** A cohort as decisions need it: a predicate or a list of ids. */
export interface CohortDefinition {
  readonly name: string;
  readonly predicate: string | null;
  readonly ids: readonly string[] | null;
}

/** The cohorts of a project, by name. Read whenever decisions are prepared anew. */
export async function cohortDefinitions(pool: Pick<Pool, 'query'>, projectId: string): Promise<CohortDefinition[]> {
  const { rows } = await pool.query<CohortDefinition>({
    name: 'cohort-definitions',
    text: 'select name, predicate, distinct_ids as ids from cohort where project_id = $1 order by name',
    values: [projectId],
  });
  return rows;
}
