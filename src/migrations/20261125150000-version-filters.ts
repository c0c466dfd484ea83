import { indexMigration } from './index-migration.js';

/** Indexes for versions of a flag, an item or a survey by creation time. */
export const VersionFiltersMigration = indexMigration({
  indexes: {
    flag_version_created_index: 'flag_version (flag_id, created_at, id)',
    config_version_created_index: 'config_version (item_id, created_at, id)',
    survey_version_created_index: 'survey_version (survey_id, created_at, version)',
  },
});
