import type { Pool } from 'pg';
import { PLAN_LIMITS, type Plan } from './limits.js';

/** How many days each of these projects keeps its events, by its plan. */
export async function retentionDaysOf(
  pool: Pick<Pool, 'query'>,
  projectIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ project_id: string; plan: Plan }>(
    'select project_id, plan from project_plan where project_id = any($1)',
    [projectIds],
  );
  const plans = new Map(rows.map(({ project_id, plan }) => [project_id, plan]));
  return new Map(projectIds.map((id) => [id, PLAN_LIMITS[plans.get(id) ?? 'hobby'].retentionDays]));
}
