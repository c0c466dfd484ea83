import type { Pool } from 'pg';
import type { FlagDefinition } from '../../../targeting/flags/flag-definition.js';

/** A flag as the evaluator needs it, with its id for counting. */
export interface StoredFlag extends FlagDefinition {
  readonly id: string;
}

/**
 * The flags of an environment as the evaluator needs them, including archived ones, which are evaluated too. Read whenever a snapshot of
 * the environment is made.
 */
export async function flagDefinitions(pool: Pool, projectId: string, environment: string): Promise<StoredFlag[]> {
  const { rows } = await pool.query<StoredFlag>({
    name: 'flag-definitions',
    text: `select id, key, current_version as version, variants, default_variant as "defaultVariant", rules, prerequisites,
                  halted_at is not null as halted, is_archived as archived
             from flag where project_id = $1 and environment = $2`,
    values: [projectId, environment],
  });
  return rows;
}
