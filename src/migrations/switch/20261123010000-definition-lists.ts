import { Migration } from '@mikro-orm/migrations';
import { addIndexes } from '../concurrent-index.js';

const INDEXES = {
  flag_needs_index: `flag using gin ((prerequisites::jsonb) jsonb_path_ops)
    where not is_archived and json_array_length(prerequisites) > 0`,
  flag_created_index: 'flag (project_id, created_at, id)',
  flag_updated_index: 'flag (project_id, updated_at, id)',
  flag_environment_updated_index: 'flag (project_id, environment, updated_at, id)',
  flag_project_key_index: 'flag (project_id, key, id)',
  config_item_updated_index: 'config_item (project_id, environment, updated_at, id)',
  cohort_created_index: 'cohort (project_id, created_at, id)',
};

/** Flags, config items and cohorts in every order that is offered, and the flags that ask for a flag. Built beside writers. */
export class DefinitionListsMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    addIndexes(this, INDEXES);
  }
}
