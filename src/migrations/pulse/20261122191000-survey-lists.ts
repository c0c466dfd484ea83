import { indexMigration } from '../index-migration.js';

/**
 * Indexes for the list orders of surveys, responses and distributions. Built concurrently, because there may be many
 * responses.
 */
export const SurveyListsMigration = indexMigration({
  indexes: {
    survey_project_index: 'survey (project_id, id)',
    survey_project_updated_index: 'survey (project_id, updated_at, id)',
    survey_project_name_index: 'survey (project_id, name, id)',
    survey_response_submitted_index: 'survey_response (survey_id, submitted_at, id)',
    survey_distribution_created_index: 'survey_distribution (survey_id, id)',
    survey_distribution_name_index: 'survey_distribution (survey_id, name, id)',
  },
});
