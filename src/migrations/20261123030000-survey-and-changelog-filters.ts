import { indexMigration } from './index-migration.js';

/** Indexes to find surveys by creation time and changelog entries by title. */
export const SurveyAndChangelogFiltersMigration = indexMigration({
  indexes: {
    survey_project_created_index: 'survey (project_id, created_at, id)',
    changelog_entry_title_index: 'changelog_entry (project_id, title, id)',
  },
});
