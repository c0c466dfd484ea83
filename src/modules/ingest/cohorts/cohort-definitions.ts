import type { Pool } from 'pg';
import type { Rule } from '../../../targeting/rules/rule.js';

/** A cohort as decisions need it: a predicate, or a list of ids, rules, or both. */
export interface CohortDefinition {
  readonly id: string;
  readonly name: string;
  readonly predicate: string | null;
  readonly ids: readonly string[] | null;
  readonly rules: readonly Rule[] | null;
}

/** The cohorts of a project, by name. Read whenever decisions are recompiled. */
export async function cohortDefinitions(pool: Pick<Pool, 'query'>, projectId: string): Promise<CohortDefinition[]> {
  const { rows } = await pool.query<CohortDefinition>({
    name: 'cohort-definitions',
    text: 'select id, name, predicate, distinct_ids as ids, rules from cohort where project_id = $1 order by name',
    values: [projectId],
  });
  return rows;
}
