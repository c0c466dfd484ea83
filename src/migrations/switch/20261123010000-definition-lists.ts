import { indexMigration } from '../index-migration.js';

/** Indexes for the list orders of flags, config items and cohorts, and for the flags that depend on a flag. */
export const DefinitionListsMigration = indexMigration({
  indexes: {
    flag_needs_index: `flag using gin ((prerequisites::jsonb) jsonb_path_ops)
    where not is_archived and json_array_length(prerequisites) > 0`,
    flag_created_index: 'flag (project_id, created_at, id)',
    flag_updated_index: 'flag (project_id, updated_at, id)',
    flag_environment_updated_index: 'flag (project_id, environment, updated_at, id)',
    flag_project_key_index: 'flag (project_id, key, id)',
    config_item_updated_index: 'config_item (project_id, environment, updated_at, id)',
    cohort_created_index: 'cohort (project_id, created_at, id)',
  },
});
