import { indexMigration } from '../index-migration.js';

/** Drops indexes that later ones cover because they begin with the same column. */
export const CoveredIndexesMigration = indexMigration({
  dropped: ['survey_response_attributed_index', 'survey_distribution_survey_index'],
});
