import type { Pool } from 'pg';
import type { ItemRule } from './rules/item-rule.js';
import type { ValueTypeName } from './value-types.js';

/** Counted as an item's served rule when no rule applies; otherwise it is the rule's position. */
export const DEFAULT_OUTCOME = 'default';

/** A config item as decisions need it; values are wire text. */
export interface ConfigDefinitionRow {
  readonly id: string;
  readonly key: string;
  readonly type: ValueTypeName;
  readonly version: number;
  readonly value: string;
  readonly rule: { readonly cohort: string; readonly value: string } | null;
  /** All rules in order, unless the single rule says everything. */
  readonly rules: readonly ItemRule[] | null;
}

/** The unarchived items of an environment, with their rules. Read whenever decisions are recompiled. */
export async function configDefinitions(
  pool: Pool,
  projectId: string,
  environment: string,
): Promise<ConfigDefinitionRow[]> {
  const { rows } = await pool.query<ConfigDefinitionRow>({
    name: 'config-definitions',
    text: `select i.id, i.key, i.type, i.current_version as version, i.default_value as value,
                  case when r.id is not null then json_build_object('cohort', r.cohort, 'value', r.value) end as rule,
                  i.rules
             from config_item i left join config_rule r on r.item_id = i.id
            where i.project_id = $1 and i.environment = $2 and not i.is_archived`,
    values: [projectId, environment],
  });
  return rows;
}
