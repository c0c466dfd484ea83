import { indexMigration } from '../index-migration.js';

/** Indexes for all filters of a survey's responses. Built concurrently, because there may be many responses. */
export const ResponseFiltersMigration = indexMigration({
  indexes: {
    survey_response_environment_index: 'survey_response (survey_id, environment, id)',
    survey_response_version_index: 'survey_response (survey_id, survey_version, id)',
    survey_response_score_index: 'survey_response (survey_id, score, id) where score is not null',
    survey_response_sent_distribution_index:
      'survey_response (survey_id, distribution_id, id) where distribution_id is not null',
  },
});
