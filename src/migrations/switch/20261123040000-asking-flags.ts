import { indexMigration } from '../index-migration.js';

/**
 * An index of an environment's flags with prerequisites, read once for all flags of a page: searching `prerequisites`
 * for each flag took a table scan as soon as many had them.
 */
export const AskingFlagsMigration = indexMigration({
  indexes: {
    flag_asking_index: `flag (project_id, environment, key)
        where not is_archived and json_array_length(prerequisites) > 0`,
  },
  dropped: ['flag_needs_index'],
});
