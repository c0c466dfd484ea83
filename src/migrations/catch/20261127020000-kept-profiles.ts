import { indexMigration } from '../index-migration.js';

/** Reads the number and total size of an environment's profiles from the index alone. */
export const KeptProfilesMigration = indexMigration({
  indexes: {
    crash_profile_kept_index: 'crash_profile (project_id, environment, received_at, id) include (size_bytes)',
  },
});
